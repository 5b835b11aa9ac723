import { stringify } from 'csv-stringify/sync';
import type { Request } from 'express';
import type { DownloadRow } from '../../../queries/query.ts';

export interface DownloadFormat {
  readonly contentType: string;
  readonly chunks: (headings: readonly string[], rows: AsyncIterable<DownloadRow>) => AsyncIterable<string>;
}

export const CSV_TYPE = 'text/csv';
export const JSON_LINES_TYPE = 'application/x-ndjson';

const CSV: DownloadFormat = { contentType: `${CSV_TYPE}; charset=utf-8; header=present`, chunks: csvOf };
const JSON_LINES: DownloadFormat = { contentType: `${JSON_LINES_TYPE}; charset=utf-8`, chunks: jsonLinesOf };

/** Returns the format that the client prefers to a page of JSON (`Accept`); undefined when it prefers the page. */
export function downloadFormatOf(request: Pick<Request, 'accepts'>): DownloadFormat | undefined {
  // With their parameters, so that a client may name any of them.
  const preferred = request.accepts(['application/json; charset=utf-8', CSV.contentType, JSON_LINES.contentType]);
  return [CSV, JSON_LINES].find(({ contentType }) => contentType === preferred);
}

async function* csvOf(headings: readonly string[], rows: AsyncIterable<DownloadRow>): AsyncGenerator<string> {
  const heading = csvLine(headings);
  let isFirst = true;
  for await (const { cells } of rows) {
    yield isFirst ? heading + csvLine(cells) : csvLine(cells);
    isFirst = false;
  }
  if (isFirst) yield heading;
}

/** Formats a line of CSV (RFC 4180). A cell that a spreadsheet would take for a formula begins with an apostrophe. */
function csvLine(cells: DownloadRow['cells']): string {
  return stringify([[...cells]], { record_delimiter: 'windows', quoted_match: /[\r\n]/, escape_formulas: true });
}

async function* jsonLinesOf(_headings: readonly string[], rows: AsyncIterable<DownloadRow>): AsyncGenerator<string> {
  for await (const { item } of rows) yield `${JSON.stringify(item)}\n`;
}
