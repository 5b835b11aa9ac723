import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { nameOfReadModels, readModelsIn } from '#service/config/data-folder.ts';
import { openReader, openTemporaryDatabase } from '../../sqlite/database.ts';
import { StoreDamaged, StoreUnavailable } from '../../shared/store-unavailable.ts';
import { checkDefinitions, hashOf } from '../collection-definitions.ts';
import {
  type CollectionDefinition,
  type Generation,
  type GenerationsState,
  isUnused,
  NoneServed,
  readerOf,
  type ReadModels,
} from '../read-models.ts';
import { filesIn, type GenerationFiles, temporaryFiles } from './generation-files.ts';
import { readIsServed, SqliteGeneration } from './sqlite-generation.ts';

const CACHE_MIB = 32;

interface ReadModelsOptions {
  readonly folder: string;
  readonly definitions: readonly CollectionDefinition[];
  /** Called with every connection that is opened, so that tests can simulate a full disk. */
  readonly onOpened?: ((database: DatabaseSync) => void) | undefined;
}

/** Opens read models in a folder, with a file for each generation. */
export function openSqliteReadModels({ folder, definitions, onOpened }: ReadModelsOptions): ReadModels {
  return readModelsOf(filesIn(folder, hashOf(definitions), onOpened), definitions);
}

/** Opens empty read models in temporary files, which end with `close` or with the process. */
export function openTemporaryReadModels(
  definitions: readonly CollectionDefinition[],
  onOpened: (database: DatabaseSync, number: number) => void = () => {},
): ReadModels {
  return readModelsOf(temporaryFiles(onOpened), definitions);
}

/** Opens an empty generation in a temporary file, which ends with `close` or with the process. */
export function openTemporaryGeneration(definitions: readonly CollectionDefinition[]): SqliteGeneration {
  const open = (): DatabaseSync => openTemporaryDatabase(CACHE_MIB);
  return new SqliteGeneration({ file: 'a temporary file', open, definitions });
}

/**
 * Opens the read models that are served for reading only, beside the process or thread that writes them. Passes over
 * a damaged file, which that one sets aside, if another one is served.
 * @throws {NoneServed} @throws {StoreDamaged} @throws {StoreUnavailable}
 */
export async function openSqliteReadModelsReader({
  folder,
  definitions,
}: ReadModelsOptions): Promise<SqliteGeneration> {
  const hash = hashOf(definitions);
  const numbers = readModelsIn(folder).flatMap((file) => (file.hash === hash ? [file.number] : []));
  let damage: StoreDamaged | undefined;
  for (const number of numbers.toSorted((a, b) => b - a)) {
    const file = join(folder, nameOfReadModels(hash, number));
    try {
      if (!readIsServed(file)) continue;
      const generation = new SqliteGeneration({ file, open: () => openReader(file, CACHE_MIB), definitions });
      // Opens the file, so that it is read also after it was dropped.
      generation.state();
      return generation;
    } catch (error) {
      if (!(error instanceof StoreDamaged)) throw error;
      damage ??= error;
    }
  }
  throw damage ?? new NoneServed();
}

/** Of several generations that were served, the newest is. The process holds the lock of the folder. */
function readModelsOf(files: GenerationFiles, definitions: readonly CollectionDefinition[]): ReadModels {
  checkDefinitions(definitions);
  const open = new Map<number, SqliteGeneration>();
  let known: GenerationsState | undefined;
  let isClosed = false;
  const closed = (): StoreUnavailable => new StoreUnavailable('The store is closed');
  const generation = (number: number): SqliteGeneration => {
    if (isClosed) throw closed();
    const opened = open.get(number);
    if (opened !== undefined) return opened;
    const createsIndexes = (): boolean => known?.served !== undefined;
    const file = files.nameOf(number);
    const created = new SqliteGeneration({ file, open: () => files.open(number), definitions, createsIndexes });
    open.set(number, created);
    return created;
  };
  const close = (number: number): void => {
    void open.get(number)?.close();
    open.delete(number);
  };
  const inspect = (): GenerationsState => {
    const numbers = files.numbers();
    for (const number of open.keys()) if (!numbers.includes(number)) close(number);
    const state: { served: number | undefined; refused: ReadonlyMap<number, string> } = {
      served: undefined,
      refused: new Map(),
    };
    for (const number of numbers) {
      const stored = stateUnlessDamaged(number);
      if (stored?.isServed !== true || number < (state.served ?? 0)) continue;
      state.served = number;
      state.refused = new Map(stored.refused);
    }
    known = state;
    return state;
  };
  const stateUnlessDamaged = (number: number) => {
    try {
      return generation(number).state();
    } catch (error) {
      if (!(error instanceof StoreDamaged)) throw error;
      close(number);
      files.setAside(number);
      return undefined;
    }
  };
  const state = (): GenerationsState => known ?? inspect();
  const served = (): SqliteGeneration => {
    const { served: number } = state();
    if (number === undefined) throw new NoneServed();
    return generation(number);
  };
  return {
    ...readerOf(served),
    checkpoint: async () => (state().served === undefined ? undefined : await served().checkpoint()),
    state: async () => state(),
    inspect: async () => inspect(),
    takeOver: async (number): Promise<Generation> => {
      await generation(number).checkpoint();
      return generation(number);
    },
    serve: async (number, isReady) => {
      await generation(number).createListIndexes();
      if (!(await isReady())) return;
      generation(number).setState({ isServed: true, refused: [...state().refused] });
      inspect();
    },
    refuse: async (number, reason) => {
      served().setState({ isServed: true, refused: [...state().refused, [number, reason]] });
      inspect();
    },
    dropUnused: async () => {
      for (const unused of files.numbers().filter((one) => isUnused(one, state()))) {
        close(unused);
        files.remove(unused);
      }
    },
    dropOtherVersions: async () => files.removeOthers(),
    ping: async () => {
      if (isClosed) throw closed();
      if (state().served !== undefined) await served().checkpoint();
    },
    close: async () => {
      for (const number of open.keys()) close(number);
      isClosed = true;
    },
  };
}
