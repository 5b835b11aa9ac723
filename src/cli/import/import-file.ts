import { normalise } from '#event-sourcing/identifiers.ts';
import { type BookFileKind, headingError, isIgnored, refusalColumnsIn } from './book-file.ts';
import { FirstRunGate, KeyedQueue } from './keyed-concurrency.ts';
import { type Row, readRows, UnreadableFile } from './read-rows.ts';
import { RefusedFile } from './refused-file.ts';
import type { CommitBatch } from '#stores/event-log/event-log.ts';
import type { RowOutcome, ImportRow } from './import-row.ts';

/** Rows that are imported together and held in memory: enough to fill the commits of the store. */
const BATCH = 256;

export interface FileTally {
  readonly file: string;
  read: number;
  imported: number;
  alreadyImported: number;
  readonly refused: Record<string, number>;
  /** Number of the columns that begin with `x_`. */
  readonly ignoredColumns: number;
}

export interface FileImport {
  readonly file: string;
  readonly kind: BookFileKind;
  /** Members of every command besides the columns of its row. */
  readonly common: Readonly<Record<string, unknown>>;
  readonly refusedFile: string;
  readonly importRow: ImportRow;
  /** With it, rows are imported one after another, and are stored and counted after its call. */
  readonly commit?: CommitBatch | undefined;
  /** Stops the import after the rows of the batch. */
  readonly signal: AbortSignal;
  readonly onProgress: (tally: FileTally, bytesRead: number) => void;
}

/** The import stopped before the end of the file. Imported rows stay imported, and are counted. */
export class FileStopped extends Error {
  override readonly name = 'FileStopped';
  readonly tally: FileTally;
  constructor(tally: FileTally, cause: unknown) {
    super(`the import of ${tally.file} stopped before its end`, { cause });
    this.tally = tally;
  }
}

/** Reads and checks the heading of a file. @throws {UnreadableFile} when it is not a file of this kind */
export async function readHeading(file: string, kind: BookFileKind): Promise<readonly string[]> {
  for await (const { line, fields } of readRows(file)) {
    const heading = fields.map((name) => name.trim());
    const error = headingError(kind, heading);
    if (error !== undefined) throw new UnreadableFile(`${file}: line ${line}: ${error}.`);
    return heading;
  }
  throw new UnreadableFile(`${file}: line 1: the file is empty; it must begin with a heading.`);
}

/**
 * Imports the rows of one file in batches. Rows of the same policy or claim are imported in the order of the file, and
 * the first row of a customer, product or provider before the others, so that the first one wins.
 * @throws {UnreadableFile} when the heading is wrong
 * @throws {FileStopped} when the import stops before the end of the file
 */
export async function importFile(book: FileImport): Promise<FileTally> {
  const wholeHeading = await readHeading(book.file, book.kind);
  const refusalColumns = refusalColumnsIn(wholeHeading);
  const withoutRefusal = (fields: readonly string[]) =>
    refusalColumns.size === 0 ? fields : fields.filter((_, index) => !refusalColumns.has(index));
  const heading = withoutRefusal(wholeHeading);
  const collector = new ResultCollector(book, heading);
  const importRow = rowImporter(book, heading);
  let failure: unknown;
  try {
    for await (const { line, fields } of rowsBelowHeading(book.file, (bytes) => collector.setBytesRead(bytes))) {
      if (book.signal.aborted) break;
      const row = { line, fields: withoutRefusal(fields) };
      await collector.add(row, importRow(row));
    }
  } catch (error) {
    failure = error;
  }
  failure = (await collector.finish()) ?? failure;
  if (failure !== undefined) throw new FileStopped(collector.tally, failure);
  return collector.tally;
}

async function* rowsBelowHeading(file: string, onProgress: (bytes: number) => void): AsyncGenerator<Row> {
  let isHeading = true;
  for await (const row of readRows(file, onProgress)) {
    if (!isHeading) yield row;
    isHeading = false;
  }
}

/** Counts the outcomes of rows in the order of the file and writes the refused rows. */
class ResultCollector {
  readonly tally: FileTally;
  readonly #book: FileImport;
  readonly #refused: RefusedFile;
  #batch: { readonly row: Row; readonly outcome: Promise<RowOutcome> }[] = [];
  #bytesRead = 0;

  constructor(book: FileImport, heading: readonly string[]) {
    const ignoredColumns = heading.filter(isIgnored).length;
    this.tally = { file: book.file, read: 0, imported: 0, alreadyImported: 0, refused: {}, ignoredColumns };
    this.#refused = new RefusedFile(book.refusedFile, heading);
    this.#book = book;
  }

  setBytesRead(bytes: number): void {
    this.#bytesRead = bytes;
  }

  /** Waits for the rows of a full batch. @throws {Error} the first failure of a row */
  async add(row: Row, outcome: Promise<RowOutcome>): Promise<void> {
    const settled = outcome.catch(() => undefined);
    this.#batch.push({ row, outcome });
    if (this.#book.commit !== undefined) await settled;
    if (this.#batch.length >= BATCH) await this.#collect();
  }

  /** Waits for the last rows and closes the file of refused rows. Returns the first failure, if any. */
  async finish(): Promise<unknown> {
    let failure: unknown;
    for (const end of [async () => await this.#collect(), async () => await this.#refused.close()])
      await end().catch((error: unknown) => (failure ??= error));
    return failure;
  }

  async #collect(): Promise<void> {
    const batch = this.#batch;
    this.#batch = [];
    await Promise.allSettled(batch.map(async ({ outcome }) => await outcome));
    await this.#book.commit?.();
    let failure: { readonly cause: unknown } | undefined;
    for (const { row, outcome } of batch)
      await this.#count(row, outcome).catch((cause: unknown) => (failure ??= { cause }));
    this.#book.onProgress(this.tally, this.#bytesRead);
    if (failure !== undefined) throw failure.cause;
  }

  async #count(row: Row, pending: Promise<RowOutcome>): Promise<void> {
    const outcome = await pending;
    this.tally.read += 1;
    if (outcome.kind === 'refused') {
      this.tally.refused[outcome.reason] = (this.tally.refused[outcome.reason] ?? 0) + 1;
      await this.#refused.write(row, outcome);
    } else {
      this.tally[outcome.kind] += 1;
    }
  }
}

/** Returns a function that imports a row after the rows it depends on. After a failure it rejects all later rows. */
function rowImporter(book: FileImport, heading: readonly string[]): (row: Row) => Promise<RowOutcome> {
  const queue = new KeyedQueue();
  const products = new FirstRunGate();
  const [references, emails] = [new FirstRunGate(), new FirstRunGate()];
  let failure: { readonly cause: unknown } | undefined;

  async function runCommand(columns: Columns): Promise<RowOutcome> {
    if (failure !== undefined) throw failure.cause;
    try {
      return await book.importRow(book.kind.command, { ...columns, ...book.common });
    } catch (error) {
      failure = { cause: error };
      throw error;
    }
  }

  return async (row) => {
    const error = rowError(row, heading);
    if (error !== undefined) return { kind: 'refused', reason: 'invalid_row', detail: error };
    const columns = columnsOf(row, heading);
    if (book.commit !== undefined) return await runCommand(columns);
    const run = async (...firstRuns: readonly (Promise<void> | undefined)[]): Promise<RowOutcome> =>
      await queue.run(keyOf(book.kind, columns), async () => {
        for (const firstRun of firstRuns) await firstRun;
        const command = async (): Promise<RowOutcome> => await runCommand(columns);
        return columns.product_name === undefined ? await command() : await products.run(columns.product_name, command);
      });
    const { customer_reference: reference, customer_email: email } = columns;
    if (reference === undefined || email === undefined) return await run();
    // A customer is found by either of them.
    return await references.start(
      normalise(reference),
      async (ofReference) => await emails.start(normalise(email), async (ofEmail) => await run(ofReference, ofEmail)),
    );
  };
}

type Columns = Readonly<Record<string, string | undefined>>;

function rowError({ fields }: Row, heading: readonly string[]): string | undefined {
  const more = fields.length - heading.length;
  if (more !== 0) {
    const count = Math.abs(more);
    return `The row has ${count} field${count === 1 ? '' : 's'} too ${more > 0 ? 'many' : 'few'}`;
  }
  const notUtf8 = heading.filter((_, index) => fields[index]?.includes('\uFFFD'));
  return notUtf8.length === 0 ? undefined : notUtf8.map((name) => `${name}: must be text in UTF-8`).join('; ');
}

function columnsOf(row: Row, heading: readonly string[]): Columns {
  const columns: Record<string, string> = {};
  for (const [index, name] of heading.entries()) {
    const value = row.fields[index] ?? '';
    if (value !== '' && !isIgnored(name)) columns[name] = value;
  }
  return columns;
}

/** Returns the key of a row. Rows that share a key are imported in the order of the file. */
function keyOf(kind: BookFileKind, columns: Columns): string {
  return normalise(columns[kind.kind === 'policies' ? 'policy_number' : 'claim_reference_number'] ?? '');
}
