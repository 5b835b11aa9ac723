import { type RunOptions, runSurety, SuretyProcess } from '../support/service-process.ts';
import type { Book } from './books.ts';
import { logPosition } from './stores.ts';
import { waitUntil } from '../support/wait-until.ts';

/** The object that `surety import --json` prints. */
export interface ImportReport {
  readonly files: readonly {
    readonly file: string;
    readonly read: number;
    readonly taken: number;
    readonly already: number;
    readonly refused: Readonly<Record<string, number>>;
  }[];
  readonly seconds: number;
}

export interface ImportTarget {
  /** The data folder. */
  readonly folder: string;
  readonly refusedFolder: string;
  readonly environmentId: number;
  /** Addresses of the stores, if not in the folder. */
  readonly settings?: Readonly<Record<string, string>> | undefined;
}

/** The real book takes a minute on two free cores. */
const IMPORT_TIMEOUT_MS = 900_000;

type Files = Pick<Book, 'policiesFile' | 'claimsFile'>;

/** The words of the import of a book. */
export function importWords(
  book: Files,
  { refusedFolder, environmentId }: Pick<ImportTarget, 'refusedFolder' | 'environmentId'>,
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
export async function importBook(
  book: Files,
  target: ImportTarget,
  more: readonly string[] = [],
): Promise<ImportReport> {
  const result = await runSurety([...importWords(book, target), ...more], runOptionsOf(target));
  if (result.code !== 0) throw new Error(`the import ended with ${result.code}:\n${result.stdout}${result.stderr}`);
  return JSON.parse(result.stdout) as ImportReport;
}

/**
 * Starts the import of a book and kills it with SIGKILL as soon as the log has passed a position.
 * @throws {Error} when the import ends first
 */
export async function killImportAt(
  book: Files,
  target: ImportTarget,
  position: number,
  more: readonly string[] = [],
): Promise<void> {
  const process = new SuretyProcess([...importWords(book, target), ...more], { folder: target.folder });
  const isReached = (): boolean => !process.isRunning || logPosition(target.folder) >= position;
  await waitUntil(isReached, () => `the log is at ${logPosition(target.folder)}`, IMPORT_TIMEOUT_MS);
  const { signal, code, stdout, stderr } = await process.kill();
  if (signal !== 'SIGKILL') throw new Error(`the import ended (${code}) before it was killed:\n${stdout}${stderr}`);
}

/** Creates a merchant with a live environment while no service runs; returns the environment id. */
export async function createEnvironment(folder: string, settings?: ImportTarget['settings']): Promise<number> {
  const target = runOptionsOf({ folder, settings });
  const merchant = { name: 'Book Bank', business_email: 'book@bank.example' };
  const { short_code: shortCode } = await runCommand('RegisterMerchant', merchant, target);
  const wanted = { short_code: shortCode, environment_name: 'Production', test_mode: false };
  return Number((await runCommand('CreateEnvironment', wanted, target)).environment_id);
}

async function runCommand(
  name: string,
  body: object,
  target: Pick<RunOptions, 'folder' | 'settings'>,
): Promise<Record<string, unknown>> {
  const { code, stdout, stderr } = await runSurety(['command', name, '-'], { ...target, input: JSON.stringify(body) });
  if (code !== 0) throw new Error(`${name} ended with ${code}:\n${stdout}${stderr}`);
  return (JSON.parse(stdout) as { result: Record<string, unknown> }).result;
}

function runOptionsOf({ folder, settings }: Pick<ImportTarget, 'folder' | 'settings'>): RunOptions {
  return settings === undefined ? { folder } : { folder, settings };
}
