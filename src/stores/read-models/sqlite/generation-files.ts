import { existsSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { nameOfReadModels, readModelsIn } from '#service/config/data-folder.ts';
import { type DatabaseOptions, openDatabase, openTemporaryDatabase } from '../../sqlite/database.ts';

/** The databases of the generations of one hash. */
export interface GenerationFiles {
  numbers(): readonly number[];
  /** Returns the name of a database, for error texts. */
  nameOf(number: number): string;
  /** Opens the database, and creates it if it does not exist. */
  open(number: number): DatabaseSync;
  remove(number: number): void;
  /** Renames a damaged database, to a name of its own: it may be the only copy of what a damaged log has lost. */
  setAside(number: number): void;
  removeOthers(): void;
}

const SUFFIXES = ['', '-wal', '-shm'];
const CACHE_MIB = 32;

export function filesIn(folder: string, hash: string, onOpened: DatabaseOptions['onOpened']): GenerationFiles {
  const nameOf = (number: number): string => join(folder, nameOfReadModels(hash, number));
  const remove = (file: string): void => SUFFIXES.forEach((suffix) => rmSync(`${file}${suffix}`, { force: true }));
  return {
    numbers: () => readModelsIn(folder).flatMap((file) => (file.hash === hash ? [file.number] : [])),
    nameOf,
    open: (number) => openDatabase({ file: nameOf(number), onOpened, synchronous: 'normal', cacheMib: CACHE_MIB }),
    remove: (number) => remove(nameOf(number)),
    setAside: (number) => {
      const target = unusedNameFor(nameOf(number));
      for (const suffix of SUFFIXES) {
        const file = `${nameOf(number)}${suffix}`;
        if (existsSync(file)) renameSync(file, `${target}${suffix}`);
      }
    },
    removeOthers: () => {
      for (const file of readModelsIn(folder)) if (file.hash !== hash) remove(join(folder, file.name));
    },
  };
}

/** A name with a WAL that an earlier database left is used: SQLite would apply that WAL to the database. */
function unusedNameFor(damaged: string): string {
  const isUsed = (name: string): boolean => SUFFIXES.some((suffix) => existsSync(`${name}${suffix}`));
  let name = `${damaged}.damaged`;
  for (let count = 2; isUsed(name); count++) name = `${damaged}.${count}.damaged`;
  return name;
}

/** Returns databases in temporary files, which end with their connection. After an error they are empty again. */
export function temporaryFiles(onOpened: (database: DatabaseSync, number: number) => void): GenerationFiles {
  const numbers = new Set<number>();
  return {
    numbers: () => [...numbers],
    nameOf: () => 'a temporary file',
    open: (number) => {
      numbers.add(number);
      const database = openTemporaryDatabase(CACHE_MIB);
      onOpened(database, number);
      return database;
    },
    remove: (number) => numbers.delete(number),
    setAside: (number) => numbers.delete(number),
    removeOthers: () => {},
  };
}
