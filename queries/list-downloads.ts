import { z } from 'zod';
import { type CursorList, readAllDocuments } from './cursor-lists.ts';
import type { DownloadRow, QueryContext } from './query.ts';

type FieldPath = readonly string[];

/**
 * Makes the download of a list: all items in its order. A table has a column for each field; a field of an object is named by both
 * (`term_from`), and a cell with several values is JSON.
 * @param search the parameters of the list without those of its pages
 * @param item schema of the items
 * @param listOf returns the list. @throws {Refusal}
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
  for await (const documents of readAllDocuments(context, list))
    for (const text of await list.items(documents)) {
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
