import { z } from 'zod';
import { paging } from '../lists.ts';
import { defineQuery, type QueryContext, type QueryDefinition } from '../query.ts';
import type { environmentChoice } from '../parameters.ts';
import { downloadRows, HISTORY_HEADINGS } from './history-download.ts';
import { historyEntrySchema, historyPageOf, type LazyEntry } from './history-page.ts';

type Search = z.output<z.ZodObject<typeof environmentChoice>>;

interface HistoryDefinition<Path extends z.ZodType>
  extends Pick<QueryDefinition<Path>, 'name' | 'summary' | 'pathParameters'> {
  /** Parameters besides those of every list. */
  readonly search: Partial<typeof environmentChoice>;
  /** @throws {Refusal} when there is no such resource */
  readonly read: (
    input: { readonly path: z.output<Path>; readonly search: Search },
    context: QueryContext,
  ) => Promise<AsyncIterable<LazyEntry>>;
}

/** Declares the query of the history of one resource, which is read by pages or downloaded whole. */
export function defineHistory<Path extends z.ZodType>({ search, read, ...definition }: HistoryDefinition<Path>) {
  return defineQuery({
    ...definition,
    roles: ['merchant', 'admin', 'auditor'],
    search: z.strictObject({ ...search, ...paging }) as z.ZodType<Search & z.output<z.ZodObject<typeof paging>>>,
    paged: true,
    showsPaging: true,
    response: z.array(historyEntrySchema),
    respond: async (input, context) => await historyPageOf(await read(input, context), input.search),
    download: {
      search: z.strictObject(search) as z.ZodType<Search>,
      headings: HISTORY_HEADINGS,
      rows: async (input, context) => downloadRows(await read(input, context)),
    },
  });
}
