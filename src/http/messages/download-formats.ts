import { stringify } from 'csv-stringify/sync';
import type { Request } from 'express';
import type { DownloadRow } from '../../../queries/query.ts';

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

async function* csvOf(headings: readonly string[], rows: AsyncIterable<DownloadRow>): AsyncGenerator<string> {
  let batch: DownloadRow['cells'][] = [headings];
  for await (const { cells } of rows) {
    batch.push(cells);
    if (batch.length < BATCH_ROWS) continue;
    yield csvLines(batch);
    batch = [];
  }
  if (batch.length > 0) yield csvLines(batch);
}

const NEGATIVE_AMOUNT = /^-\d+\.\d\d$/;

/**
 * Formats lines of CSV (RFC 4180). A text that a spreadsheet would take for a formula begins with an apostrophe; a negative amount stays
 * as it is.
 */
function csvLines(rows: readonly DownloadRow['cells'][]): string {
  return stringify([...rows], {
    record_delimiter: 'windows',
    quoted_match: /[\r\n]/,
    cast: { string: (value) => ({ value, escape_formulas: !NEGATIVE_AMOUNT.test(value) }) },
  });
}

async function* jsonLinesOf(_headings: readonly string[], rows: AsyncIterable<DownloadRow>): AsyncGenerator<string> {
  for await (const { item } of rows) yield `${JSON.stringify(item)}\n`;
}
