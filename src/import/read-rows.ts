import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { finished, pipeline, type Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { CsvError, parse as csvParser } from 'csv-parse';

/** One record of a CSV file. */
export interface Row {
  /** The line of the file on which the record begins; the heading is line 1. */
  readonly line: number;
  readonly fields: readonly string[];
}

/** A file that cannot be read as a whole, or from some line on. The message is one sentence with file and line. */
export class UnreadableFile extends Error {
  override readonly name = 'UnreadableFile';
}

/** A longer record is no row but what a quote that nobody closes has swallowed. */
const LONGEST_RECORD = 1024 * 1024;

interface Parsed {
  readonly record: readonly string[];
  /** How many empty lines the file had up to here. */
  readonly emptyLines: number;
}

/** A chunk's rows are in memory together: even of rows of one character these are not many thousand. */
const CHUNK_BYTES = 16 * 1024;

/**
 * The records of a CSV file (RFC 4180; LF, CRLF or CR; with or without byte order mark; gzip when the name ends in `.gz`)
 * one after the other, the heading first. The file is read as fast as the rows are taken, a chunk ahead of them at most;
 * every record before a fault is given.
 * @throws {UnreadableFile}
 */
export async function* readRows(
  file: string,
  onProgress: (bytesOfTheFile: number) => void = () => undefined,
): AsyncGenerator<Row> {
  let nextLine = 1;
  let emptyLines = 0;
  try {
    for await (const parsed of parse(file, onProgress)) {
      const line = nextLine + parsed.emptyLines - emptyLines;
      emptyLines = parsed.emptyLines;
      nextLine = line + 1 + lineBreaksIn(parsed.record);
      yield { line, fields: parsed.record };
    }
  } catch (error) {
    throw explained(file, nextLine, error);
  }
}

async function* parse(file: string, onProgress: (bytes: number) => void): AsyncGenerator<Parsed> {
  await refusePipe(file);
  const records: Parsed[] = [];
  const parser = csvParser({
    bom: true,
    relax_column_count: true,
    skip_empty_lines: true,
    record_delimiter: ['\r\n', '\n', '\r'],
    max_record_size: LONGEST_RECORD,
    // Taken here and not from the stream, which drops on an error what it holds.
    on_record: (record: string[], info) => {
      records.push({ record, emptyLines: info.empty_lines });
      return null;
    },
  });
  parser.resume();
  parser.on('error', () => undefined);
  const source = createReadStream(file, { highWaterMark: CHUNK_BYTES });
  for await (const chunk of contentOf(file, source)) {
    onProgress(source.bytesRead);
    const fault = await handled((done) => parser.write(chunk, done));
    yield* records.splice(0);
    if (fault) throw fault;
  }
  const fault = await handled((done) => finished(parser.end(), done));
  yield* records.splice(0);
  if (fault) throw fault;
}

/** What can be read once only would lose its first rows to the reading of its heading. @throws {UnreadableFile} */
async function refusePipe(file: string): Promise<void> {
  const found = await stat(file);
  if (found.isFile() || found.isDirectory()) return;
  throw new UnreadableFile(`${file}: this is no regular file; a book is read twice, so save it to a file first.`);
}

async function handled(action: (done: (fault?: Error | null) => void) => void): Promise<Error | null | undefined> {
  return await new Promise((resolve) => {
    action(resolve);
  });
}

function contentOf(file: string, source: Readable): Readable {
  if (!/\.gz$/i.test(file)) return source;
  // A failure of the source reaches the one who reads the last stream.
  return pipeline(source, createGunzip({ chunkSize: CHUNK_BYTES }), () => undefined);
}

/** The parser counts CRLF within quotes as two lines, therefore lines are counted here. */
function lineBreaksIn(fields: readonly string[]): number {
  let breaks = 0;
  for (const field of fields) {
    if (field.includes('\n') || field.includes('\r')) breaks += field.match(/\r\n|\n|\r/g)?.length ?? 0;
  }
  return breaks;
}

function explained(file: string, line: number, error: unknown): unknown {
  const sentence = faultOf(line, error);
  return sentence === undefined ? error : new UnreadableFile(`${file}: ${sentence}.`, { cause: error });
}

const FILE_FAULTS: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  EISDIR: 'this is a folder, not a file',
  ENOTDIR: 'there is no such file',
  EACCES: 'the file may not be read',
  EPERM: 'the file may not be read',
};

function faultOf(line: number, error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null || !('code' in error)) return undefined;
  const code = String(error.code);
  if (FILE_FAULTS[code] !== undefined) return FILE_FAULTS[code];
  if (code.startsWith('Z_'))
    return `the gzip data is broken or incomplete; what follows line ${line - 1} cannot be read`;
  if (error instanceof CsvError) return `in the record that begins on line ${line}, ${quoteFaultOf(error)}`;
  return code.startsWith('E') ? `the file cannot be read (${code}) after line ${line - 1}` : undefined;
}

function quoteFaultOf(error: CsvError): string {
  switch (error.code) {
    case 'CSV_INVALID_CLOSING_QUOTE':
      return 'text follows the quote that closes a field';
    case 'INVALID_OPENING_QUOTE':
      return 'a quote stands inside a field that does not begin with one';
    case 'CSV_QUOTE_NOT_CLOSED':
      return 'a quote is never closed';
    default:
      return `there are more than ${LONGEST_RECORD} characters, as if a quote were never closed`;
  }
}
