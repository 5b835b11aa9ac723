import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { finished, pipeline, type Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { CsvError, parse as csvParser } from 'csv-parse';

export interface Row {
  /** The line of the file on which the record begins; the heading is line 1. */
  readonly line: number;
  readonly fields: readonly string[];
}

/** A file cannot be read, as a whole or from some line on. The message names the file and the line. */
export class UnreadableFile extends Error {
  override readonly name = 'UnreadableFile';
}

/** A longer record is the result of an unclosed quote. */
const LONGEST_RECORD = 1024 * 1024;

interface Parsed {
  readonly record: readonly string[];
  /** Empty lines of the file so far. */
  readonly emptyLines: number;
}

/** The rows of one chunk are in memory together; an import commits them together. */
const CHUNK_BYTES = 64 * 1024;

/**
 * Reads the records of a CSV file (RFC 4180; LF, CRLF or CR; with or without byte order mark; gzip when the name ends
 * in `.gz`), the heading included. It reads at most one chunk ahead of the consumer, and yields every record before an
 * error.
 * @throws {UnreadableFile}
 */
export async function* readRows(
  file: string,
  onProgress: (bytesRead: number) => void = () => undefined,
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
    throw toUnreadableFile(file, nextLine, error);
  }
}

async function* parse(file: string, onProgress: (bytes: number) => void): AsyncGenerator<Parsed> {
  await checkRegularFile(file);
  const records: Parsed[] = [];
  const parser = csvParser({
    bom: true,
    relax_column_count: true,
    skip_empty_lines: true,
    record_delimiter: ['\r\n', '\n', '\r'],
    max_record_size: LONGEST_RECORD,
    // Collected here, because the stream of the parser drops its buffered records on an error.
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
    const error = await callbackResult((done) => parser.write(chunk, done));
    yield* records.splice(0);
    if (error) throw error;
  }
  const error = await callbackResult((done) => finished(parser.end(), done));
  yield* records.splice(0);
  if (error) throw error;
}

/** A pipe can be read only once, but an import reads the heading first. @throws {UnreadableFile} */
async function checkRegularFile(file: string): Promise<void> {
  const found = await stat(file);
  if (found.isFile() || found.isDirectory()) return;
  throw new UnreadableFile(
    `${file}: this is not a regular file; an import reads it twice, so save it to a file first.`,
  );
}

async function callbackResult(
  action: (done: (error?: Error | null) => void) => void,
): Promise<Error | null | undefined> {
  return await new Promise((resolve) => {
    action(resolve);
  });
}

function contentOf(file: string, source: Readable): Readable {
  if (!/\.gz$/i.test(file)) return source;
  // An error of the source is emitted by the last stream.
  return pipeline(source, createGunzip({ chunkSize: CHUNK_BYTES }), () => undefined);
}

/** Counted here, because the parser counts CRLF within quotes as two lines. */
function lineBreaksIn(fields: readonly string[]): number {
  let breaks = 0;
  for (const field of fields) {
    if (field.includes('\n') || field.includes('\r')) breaks += field.match(/\r\n|\n|\r/g)?.length ?? 0;
  }
  return breaks;
}

function toUnreadableFile(file: string, line: number, error: unknown): unknown {
  const message = messageOf(line, error);
  return message === undefined ? error : new UnreadableFile(`${file}: ${message}.`, { cause: error });
}

const FILE_ERRORS: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  EISDIR: 'this is a folder, not a file',
  ENOTDIR: 'there is no such file',
  EACCES: 'the file may not be read',
  EPERM: 'the file may not be read',
};

function messageOf(line: number, error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null || !('code' in error)) return undefined;
  const code = String(error.code);
  if (FILE_ERRORS[code] !== undefined) return FILE_ERRORS[code];
  if (code.startsWith('Z_')) return `the gzip data is broken or incomplete; nothing after line ${line - 1} can be read`;
  if (error instanceof CsvError) return `in the record that begins on line ${line}, ${quoteErrorOf(error)}`;
  return code.startsWith('E') ? `the file cannot be read (${code}) after line ${line - 1}` : undefined;
}

function quoteErrorOf(error: CsvError): string {
  switch (error.code) {
    case 'CSV_INVALID_CLOSING_QUOTE':
      return 'text follows the quote that closes a field';
    case 'INVALID_OPENING_QUOTE':
      return 'a quote is inside a field that does not begin with one';
    case 'CSV_QUOTE_NOT_CLOSED':
      return 'a quote is never closed';
    default:
      return `there are more than ${LONGEST_RECORD} characters, as if a quote were never closed`;
  }
}
