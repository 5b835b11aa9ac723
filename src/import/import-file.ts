import { normalise } from '../event-sourcing/identifiers.ts';
import { type BookFileKind, faultOfHeading, refusalColumnsIn } from './book-file.ts';
import { Firsts, Lanes } from './lanes.ts';
import { type Row, readRows, UnreadableFile } from './read-rows.ts';
import { RefusedFile } from './refused-file.ts';
import type { RowOutcome, ImportRow } from './import-row.ts';

/** How many rows are under way at once: enough to fill the commits of the store, and all that is held in memory. */
const MOST_UNDER_WAY = 256;

/** What became of the rows of a file. */
export interface FileTally {
  readonly file: string;
  read: number;
  taken: number;
  already: number;
  /** Reason → how many rows. */
  readonly refused: Record<string, number>;
}

export interface FileImport {
  readonly file: string;
  readonly kind: BookFileKind;
  /** Members that every row's command has beside the row's columns. */
  readonly common: Readonly<Record<string, unknown>>;
  /** Where the refused rows go. */
  readonly refusedFile: string;
  readonly take: ImportRow;
  /** Ends the import after the rows that are under way. */
  readonly signal: AbortSignal;
  readonly onProgress: (tally: FileTally, bytesOfTheFile: number) => void;
}

/** The file was not taken to its end. What was taken before stays, and every row that was under way is counted. */
export class FileStopped extends Error {
  override readonly name = 'FileStopped';
  readonly tally: FileTally;
  constructor(tally: FileTally, cause: unknown) {
    super(`${tally.file} was not taken to its end`, { cause });
    this.tally = tally;
  }
}

/** The heading of a file. @throws {UnreadableFile} when the file cannot be one of this kind */
export async function readHeading(file: string, kind: BookFileKind): Promise<readonly string[]> {
  for await (const { line, fields } of readRows(file)) {
    const heading = fields.map((name) => name.trim());
    const fault = faultOfHeading(kind, heading);
    if (fault !== undefined) throw new UnreadableFile(`${file}: line ${line}: ${fault}.`);
    return heading;
  }
  throw new UnreadableFile(`${file}: line 1: the file is empty; it must begin with a heading.`);
}

/**
 * Takes over the rows of one file, many at once. Rows of the same thing go strictly in the order of the file, so that the
 * first one wins.
 * @throws {UnreadableFile} when the heading is wrong
 * @throws {FileStopped} when the file cannot be taken to its end
 */
export async function importFile(book: FileImport): Promise<FileTally> {
  const wholeHeading = await readHeading(book.file, book.kind);
  const refusal = refusalColumnsIn(wholeHeading);
  const own = (fields: readonly string[]) =>
    refusal.size === 0 ? fields : fields.filter((_, index) => !refusal.has(index));
  const heading = own(wholeHeading);
  const settlement = new Settlement(book, heading);
  const start = rowStarter(book, heading);
  let fault: unknown;
  try {
    for await (const { line, fields } of rowsBelowHeading(book.file, (bytes) => settlement.reached(bytes))) {
      if (book.signal.aborted) break;
      const row = { line, fields: own(fields) };
      await settlement.add(row, start(row));
    }
  } catch (error) {
    fault = error;
  }
  fault = (await settlement.end()) ?? fault;
  if (fault !== undefined) throw new FileStopped(settlement.tally, fault);
  return settlement.tally;
}

async function* rowsBelowHeading(file: string, onProgress: (bytes: number) => void): AsyncGenerator<Row> {
  let isHeading = true;
  for await (const row of readRows(file, onProgress)) {
    if (!isHeading) yield row;
    isHeading = false;
  }
}

/** Counts rows as they end, in the order of the file, and writes down those that were refused. */
class Settlement {
  readonly tally: FileTally;
  readonly #refused: RefusedFile;
  readonly #underWay: { readonly row: Row; readonly outcome: Promise<RowOutcome> }[] = [];
  readonly #onProgress: FileImport['onProgress'];
  #bytes = 0;

  constructor(book: FileImport, heading: readonly string[]) {
    this.tally = { file: book.file, read: 0, taken: 0, already: 0, refused: {} };
    this.#refused = new RefusedFile(book.refusedFile, heading);
    this.#onProgress = book.onProgress;
  }

  /** So much of the file has been read. */
  reached(bytes: number): void {
    this.#bytes = bytes;
  }

  /** Waits for older rows while too many are under way. @throws {Error} what the oldest row failed with */
  async add(row: Row, outcome: Promise<RowOutcome>): Promise<void> {
    outcome.catch(() => undefined);
    this.#underWay.push({ row, outcome });
    while (this.#underWay.length >= MOST_UNDER_WAY) await this.#settleOldest();
  }

  /** Waits for every row and ends the file of refused ones; the first failure, if there is any, is the answer. */
  async end(): Promise<unknown> {
    let failure: unknown;
    while (this.#underWay.length > 0) {
      try {
        await this.#settleOldest();
      } catch (error) {
        failure ??= error;
      }
    }
    try {
      await this.#refused.close();
    } catch (error) {
      failure ??= error;
    }
    return failure;
  }

  async #settleOldest(): Promise<void> {
    const oldest = this.#underWay.shift();
    if (oldest === undefined) return;
    const outcome = await oldest.outcome;
    this.tally.read += 1;
    if (outcome.kind === 'refused') {
      this.tally.refused[outcome.reason] = (this.tally.refused[outcome.reason] ?? 0) + 1;
      await this.#refused.write(oldest.row, outcome);
    } else {
      this.tally[outcome.kind] += 1;
    }
    this.#onProgress(this.tally, this.#bytes);
  }
}

/** Starts each row as soon as those before it that it depends on have ended. After a failure none is started any more. */
function rowStarter(book: FileImport, heading: readonly string[]): (row: Row) => Promise<RowOutcome> {
  const lanes = new Lanes();
  const firsts = new Firsts();
  let failure: { readonly cause: unknown } | undefined;

  async function take(columns: Columns): Promise<RowOutcome> {
    if (failure !== undefined) throw failure.cause;
    try {
      return await book.take(book.kind.command, { ...columns, ...book.common });
    } catch (error) {
      failure = { cause: error };
      throw error;
    }
  }

  return async (row) => {
    const fault = faultOfRow(row, heading);
    if (fault !== undefined) return { kind: 'refused', reason: 'invalid_row', detail: fault };
    const columns = columnsOf(row, heading);
    return await lanes.run(keysOf(book.kind, columns), async () => {
      const begun = async (): Promise<RowOutcome> => await take(columns);
      return columns.product_name === undefined ? await begun() : await firsts.run(columns.product_name, begun);
    });
  };
}

type Columns = Readonly<Record<string, string | undefined>>;

/** What is wrong with a row that does not fit the heading, or whose text is not UTF-8; undefined when nothing is. */
function faultOfRow({ fields }: Row, heading: readonly string[]): string | undefined {
  const more = fields.length - heading.length;
  if (more !== 0) {
    const count = Math.abs(more);
    return `The row has ${count} field${count === 1 ? '' : 's'} too ${more > 0 ? 'many' : 'few'}`;
  }
  const broken = heading.filter((_, index) => fields[index]?.includes('\uFFFD'));
  return broken.length === 0 ? undefined : broken.map((name) => `${name}: must be text in UTF-8`).join('; ');
}

/** The columns of a row that say something. */
function columnsOf(row: Row, heading: readonly string[]): Columns {
  const columns: Record<string, string> = {};
  for (const [index, name] of heading.entries()) {
    const value = row.fields[index] ?? '';
    if (value !== '') columns[name] = value;
  }
  return columns;
}

/** What a row has in common with others, so that they must stay in order: the first one decides. */
function keysOf(kind: BookFileKind, columns: Columns): readonly string[] {
  const named = kind.kind === 'policies' ? ['policy_number', 'customer_email'] : ['claim_reference_number'];
  return named.map((name) => `${name} ${normalise(columns[name] ?? '')}`);
}
