import type { DownloadRow } from '../query.ts';
import type { HistoryEntry, LazyEntry } from './history-page.ts';

type Cell = (entry: HistoryEntry) => string | number | null;

const COLUMNS: Readonly<Record<string, Cell>> = {
  stream: ({ stream }) => stream,
  revision: ({ revision }) => revision,
  position: ({ position }) => position,
  event_id: ({ event_id }) => event_id,
  type: ({ type }) => type,
  recorded_at: ({ recorded_at }) => recorded_at,
  effective_at: ({ effective_at }) => effective_at,
  actor_role: ({ actor }) => actor?.role ?? null,
  actor_key_id: ({ actor }) => actor?.key_id ?? null,
  command: ({ command }) => command,
  command_id: ({ command_id }) => command_id,
  request_id: ({ request_id }) => request_id,
  summary: ({ summary }) => summary,
  changes: ({ changes }) => JSON.stringify(changes),
};

export const HISTORY_HEADINGS: readonly string[] = Object.keys(COLUMNS);

/** Returns the row of an entry. @param more values of further columns */
export function downloadRow(entry: HistoryEntry, ...more: readonly string[]): DownloadRow {
  return { item: entry, cells: [...Object.values(COLUMNS).map((cell) => cell(entry)), ...more] };
}

export async function* downloadRows(history: AsyncIterable<LazyEntry>): AsyncGenerator<DownloadRow> {
  for await (const entry of history) yield downloadRow(entry());
}
