import { type RunOptions, runSurety, SuretyProcess } from '../support/service-process.ts';
import type { Book } from './books.ts';
import { logPosition } from './stores.ts';
import { waitUntil } from '../support/wait-until.ts';

/** The one object that `surety import --json` prints. */
export interface ImportAnswer {
  readonly files: readonly {
    readonly file: string;
    readonly read: number;
    readonly taken: number;
    readonly already: number;
    readonly refused: Readonly<Record<string, number>>;
  }[];
  readonly seconds: number;
}

export interface Place {
  /** The data folder. */
  readonly folder: string;
  readonly refusedFolder: string;
  readonly environmentId: number;
  /** Addresses of the stores, if not in the folder. */
  readonly settings?: Readonly<Record<string, string>> | undefined;
}

type Files = Pick<Book, 'policiesFile' | 'claimsFile'>;

/** The words of the import of a book. */
export function importWords(
  book: Files,
  { refusedFolder, environmentId }: Pick<Place, 'refusedFolder' | 'environmentId'>,
): string[] {
  const options = [
    '--environment',
    String(environmentId),
    '--provider',
    'Assurance Test',
    '--currency',
    'EUR',
    '--json',
  ];
  return ['import', ...options, '--refused', refusedFolder, book.policiesFile, book.claimsFile];
}

/** Imports a book completely. @throws {Error} with its output on failure */
export async function importBook(book: Files, place: Place, more: readonly string[] = []): Promise<ImportAnswer> {
  const ended = await runSurety([...importWords(book, place), ...more], placeOf(place));
  if (ended.code !== 0) throw new Error(`the import ended with ${ended.code}:\n${ended.stdout}${ended.stderr}`);
  return JSON.parse(ended.stdout) as ImportAnswer;
}

/**
 * Begins to import a book and kills it with SIGKILL as soon as the log has passed a position.
 * @throws {Error} when the import ends by itself before
 */
export async function killedImport(book: Book, place: Place, position: number): Promise<void> {
  const started = new SuretyProcess(importWords(book, place), { folder: place.folder });
  await waitUntil(() => !started.isRunning || logPosition(place.folder) >= position);
  const { signal, code, stdout, stderr } = await started.kill();
  if (signal !== 'SIGKILL') throw new Error(`the import was over (${code}) before it was killed:\n${stdout}${stderr}`);
}

/** Creates a merchant with a live environment while no service runs; returns the environment id. */
export async function makeEnvironment(folder: string, settings?: Place['settings']): Promise<number> {
  const place = placeOf({ folder, settings });
  const merchant = { name: 'Book Bank', business_email: 'book@bank.example' };
  const { short_code: shortCode } = await commandOf('RegisterMerchant', merchant, place);
  const wanted = { short_code: shortCode, environment_name: 'Production', test_mode: false };
  return Number((await commandOf('CreateEnvironment', wanted, place)).environment_id);
}

async function commandOf(
  name: string,
  body: object,
  place: Pick<RunOptions, 'folder' | 'settings'>,
): Promise<Record<string, unknown>> {
  const { code, stdout, stderr } = await runSurety(['command', name, '-'], { ...place, input: JSON.stringify(body) });
  if (code !== 0) throw new Error(`${name} ended with ${code}:\n${stdout}${stderr}`);
  return (JSON.parse(stdout) as { result: Record<string, unknown> }).result;
}

function placeOf({ folder, settings }: Pick<Place, 'folder' | 'settings'>): RunOptions {
  return settings === undefined ? { folder } : { folder, settings };
}
