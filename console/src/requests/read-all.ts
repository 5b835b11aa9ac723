import type { CallOptions, HistoryEntry } from '../../../clients/typescript/src/index.ts';

/** Collects the items of a list. */
export async function collect<T>(items: AsyncIterable<T>): Promise<readonly T[]> {
  const collected: T[] = [];
  for await (const item of items) collected.push(item);
  return collected;
}

/** Opens the whole history of a resource. */
export type HistoryDownload = (accept: 'text/csv' | 'application/x-ndjson', options?: CallOptions) => Promise<Response>;

/** Reads a whole history from its download as JSON Lines. */
export async function readHistory(download: HistoryDownload, options: CallOptions): Promise<readonly HistoryEntry[]> {
  const text = await (await download('application/x-ndjson', options)).text();
  const lines = text.split('\n').filter((line) => line !== '');
  return lines.map((line) => JSON.parse(line) as HistoryEntry);
}
