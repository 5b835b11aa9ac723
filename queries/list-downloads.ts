import { z } from 'zod';
import { type CursorList, readAllItems } from './cursor-lists.ts';
import type { DownloadRow, QueryContext } from './query.ts';

type FieldPath = readonly string[];

/**
 * Makes the download of a list: all items in its order. A table has a column for each field; a field of an object is
 * named by both (`term_from`), and a cell with several values is JSON.
 * @param search the parameters of the list without those of its pages
 * @param item schema of the items
 * @param listOf returns the list.
 * @throws {Refusal}
 */
export function downloadOf<Path, Search>(
  search: z.ZodType<Search>,
  item: z.ZodObject,
  listOf: (context: QueryContext, path: Path, search: Search) => Promise<CursorList>,
) {
  const fields = fieldsOf(item);
  return {
    search,
    headings: fields.map((path) => path.join('_')),
    rows: async (
      { path, search: given }: { readonly path: Path; readonly search: Search },
      context: QueryContext,
    ): Promise<AsyncIterable<DownloadRow>> => rowsOf(context, await listOf(context, path, given), fields),
  };
}

/** Returns the paths of the fields of a schema that contain no named fields. */
function fieldsOf(schema: unknown, path: FieldPath = []): readonly FieldPath[] {
  const present = schema instanceof z.ZodNullable ? schema.unwrap() : schema;
  if (!(present instanceof z.ZodObject)) return [path];
  return Object.entries(present.shape).flatMap(([name, member]) => fieldsOf(member, [...path, name]));
}

async function* rowsOf(
  context: QueryContext,
  list: CursorList,
  fields: readonly FieldPath[],
): AsyncGenerator<DownloadRow> {
  for await (const texts of readAllItems(context, list))
    for (const text of texts) {
      const item = JSON.parse(text) as object;
      yield { item, cells: fields.map((path) => cellOf(valueAt(item, path))) };
    }
}

function valueAt(item: object, path: FieldPath): unknown {
  return path.reduce<unknown>((value, name) => (value as Readonly<Record<string, unknown>> | null)?.[name], item);
}

function cellOf(value: unknown): DownloadRow['cells'][number] {
  if (value === null || value === undefined) return null;
  return typeof value === 'string' || typeof value === 'number' ? value : JSON.stringify(value);
}

export const AS_LIST_DOWNLOAD =
  'With `Accept: text/csv` or `application/x-ndjson` the response has the whole list; it takes the filters and `test_mode`, and neither `limit` nor `after`.';

/** Returns the description of a list of a merchant. @param items plural noun */
export function describeList(items: string, more: string): string {
  return `The ${items} of the merchant in the mode of the key, newest first; platform keys see live data, with \`test_mode=true\` test data. ${more}

${AS_LIST_DOWNLOAD} A table has a column for each field, a field of an object under both names (\`policy_holder_customer_id\`); lists are JSON. By pages, follow \`next\` until it is null: it contains the cursor \`after\`, and a page costs the same at any depth. A cursor belongs to this list, the merchant, the mode and the filters; \`limit\` may change. Each of the ${items} that
are there when the walk begins comes exactly once, also while others are added. A page may have fewer than \`limit\` items, or none, and still a \`next\`: one request reads at most about 1,000 ${items} for filters that no index answers together.`;
}
