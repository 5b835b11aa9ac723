import { stringify } from 'csv-stringify/sync';
import type { Request } from 'express';
import type { DownloadRow } from '#queries/query.ts';

export interface DownloadFormat {
  readonly contentType: string;
  /** Of the name of a file. */
  readonly extension: string;
  readonly chunks: (headings: readonly string[], rows: AsyncIterable<DownloadRow>) => AsyncIterable<string>;
}

export const CSV_TYPE = 'text/csv';
export const JSON_LINES_TYPE = 'application/x-ndjson';

const CSV: DownloadFormat = {
  contentType: `${CSV_TYPE}; charset=utf-8; header=present`,
  extension: 'csv',
  chunks: csvOf,
};
const JSON_LINES: DownloadFormat = {
  contentType: `${JSON_LINES_TYPE}; charset=utf-8`,
  extension: 'ndjson',
  chunks: jsonLinesOf,
};

/** Returns the format that the client prefers to a page of JSON (`Accept`); undefined when it prefers the page. */
export function downloadFormatOf(request: Pick<Request, 'accepts'>): DownloadFormat | undefined {
  // With their parameters, so that a client may name any of them.
  const preferred = request.accepts(['application/json; charset=utf-8', CSV.contentType, JSON_LINES.contentType]);
  return [CSV, JSON_LINES].find(({ contentType }) => contentType === preferred);
}

/** Rows that are formatted by one call, because a call takes longer than a row. */
const BATCH_ROWS = 50;
/** Characters with which a batch ends before. A download holds it while its client reads slowly. */
const BATCH_CHARACTERS = 64 * 1024;

async function* csvOf(headings: readonly string[], rows: AsyncIterable<DownloadRow>): AsyncGenerator<string> {
  // Names of columns have nothing to quote.
  let text = `${headings.join(',')}\r\n`;
  let batch: DownloadRow['cells'][] = [];
  let characters = 0;
  for await (const { cells } of rows) {
    batch.push(cells);
    characters += charactersOf(cells);
    if (batch.length < BATCH_ROWS && characters < BATCH_CHARACTERS) continue;
    yield text + csvRecords(batch);
    text = '';
    batch = [];
    characters = 0;
  }
  if (text !== '' || batch.length > 0) yield text + csvRecords(batch);
}

function charactersOf(cells: DownloadRow['cells']): number {
  return cells.reduce<number>((sum, cell) => sum + (typeof cell === 'string' ? cell.length : 0), 0);
}

/** Everything but whole numbers, amounts and nothing. */
const TEXT = /^(?!-?\d+(?:\.\d\d)?$)./s;

/**
 * Formats records of CSV (RFC 4180). Every text is quoted, because spreadsheets in half of Europe separate cells at a
 * semicolon.
 */
function csvRecords(rows: readonly DownloadRow['cells'][]): string {
  return stringify(
    rows.map((cells) => cells.map(withoutFormula)),
    { record_delimiter: 'windows', quoted_match: TEXT },
  );
}

/** What a spreadsheet takes for the start of a formula, also in full width. */
const FORMULA = /^[=+\-@\t\r\uFF1D\uFF0B\uFF0D\uFF20]/;
const NEGATIVE_AMOUNT = /^-\d+\.\d\d$/;
const PHONE_NUMBER = /^\+\d[\d ]*$/;

/**
 * Puts an apostrophe before a text that a spreadsheet would take for a formula. Amounts and phone numbers stay as they
 * are.
 */
function withoutFormula(cell: DownloadRow['cells'][number]): typeof cell {
  if (typeof cell !== 'string' || !FORMULA.test(cell)) return cell;
  return NEGATIVE_AMOUNT.test(cell) || PHONE_NUMBER.test(cell) ? cell : `'${cell}`;
}

async function* jsonLinesOf(_headings: readonly string[], rows: AsyncIterable<DownloadRow>): AsyncGenerator<string> {
  for await (const { item } of rows) yield `${JSON.stringify(item)}\n`;
}
