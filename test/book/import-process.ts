import { setTimeout as pause } from 'node:timers/promises';
import { runSurety, SuretyProcess } from '../support/service-process.ts';
import type { Book } from './books.ts';
import { logPosition } from './stores.ts';

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
}

/** The words of the import of a book. */
export function importWords(book: Book, { refusedFolder, environmentId }: Omit<Place, 'folder'>): string[] {
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

/** Imports a book to its end. @throws {Error} with its output when it fails */
export async function importBook(book: Book, place: Place, more: readonly string[] = []): Promise<ImportAnswer> {
  const ended = await runSurety([...importWords(book, place), ...more], { folder: place.folder });
  if (ended.code !== 0) throw new Error(`the import ended with ${ended.code}:\n${ended.stdout}${ended.stderr}`);
  return JSON.parse(ended.stdout) as ImportAnswer;
}

/**
 * Begins to import a book and kills it with SIGKILL as soon as the log has passed a position.
 * @throws {Error} when the import ends by itself before
 */
export async function killedImport(book: Book, place: Place, position: number): Promise<void> {
  const started = new SuretyProcess(importWords(book, place), { folder: place.folder });
  while (started.isRunning && logPosition(place.folder) < position) await pause(5);
  const { signal, code, stdout, stderr } = await started.kill();
  if (signal !== 'SIGKILL') throw new Error(`the import was over (${code}) before it was killed:\n${stdout}${stderr}`);
}

/** Makes a merchant with a live environment in a folder that no service holds; resolves with the environment's number. */
export async function makeEnvironment(folder: string): Promise<number> {
  const merchant = { name: 'Book Bank', business_email: 'book@bank.example' };
  const { short_code: shortCode } = await commandOf('RegisterMerchant', merchant, folder);
  const wanted = { short_code: shortCode, environment_name: 'Production', test_mode: false };
  return Number((await commandOf('CreateEnvironment', wanted, folder)).environment_id);
}

async function commandOf(name: string, body: object, folder: string): Promise<Record<string, unknown>> {
  const { code, stdout, stderr } = await runSurety(['command', name, '-'], { folder, input: JSON.stringify(body) });
  if (code !== 0) throw new Error(`${name} ended with ${code}:\n${stdout}${stderr}`);
  return (JSON.parse(stdout) as { result: Record<string, unknown> }).result;
}
