import { basename } from 'node:path';
import type { FileTally } from './import-file.ts';

interface ImportReport {
  readonly files: readonly FileTally[];
  readonly seconds: number;
}

/** Formats the report of `--json`. Scripts rely on its member names. */
export function reportAsJson({ files, seconds }: ImportReport): string {
  return JSON.stringify({
    files: files.map(({ file, read, imported, alreadyImported, refused, ignoredColumns }) => ({
      file,
      read,
      taken: imported,
      already: alreadyImported,
      refused,
      ignored_columns: ignoredColumns,
    })),
    seconds: Math.round(seconds * 1000) / 1000,
  });
}

export function refusedRows(files: readonly FileTally[]): number {
  return files.flatMap(({ refused }) => Object.values(refused)).reduce((sum, rows) => sum + rows, 0);
}

export function reportAsTable({ files, seconds }: ImportReport): string {
  const table = [['file', 'read', 'taken', 'already there', 'refused']];
  for (const tally of files) {
    const counts = [tally.read, tally.imported, tally.alreadyImported, refusedRows([tally])];
    table.push([basename(tally.file), ...counts.map(format)]);
    const reasons = Object.entries(tally.refused).toSorted(([a], [b]) => (a < b ? -1 : 1));
    for (const [reason, rows] of reasons) table.push([`  ${reason}`, '', '', '', format(rows)]);
  }
  const ignored = files.reduce((sum, { ignoredColumns }) => sum + ignoredColumns, 0);
  const widths = (table[0] ?? []).map((_, column) => Math.max(...table.map((cells) => (cells[column] ?? '').length)));
  const lines = table.map((cells) =>
    cells.map((cell, column) => (column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0))),
  );
  const read = files.reduce((sum, tally) => sum + tally.read, 0);
  const rate = seconds > 0 ? Math.round(read / seconds) : 0;
  const summary = `${format(read)} rows in ${seconds.toFixed(1)} s, ${format(rate)} rows a second${ignored === 0 ? '' : `; ${ignored} column${ignored === 1 ? '' : 's'} x_… ignored`}`;
  return `${lines.map((cells) => cells.join('  ').trimEnd()).join('\n')}\n${summary}`;
}

function format(count: number): string {
  return count.toLocaleString('en');
}
