import { z } from 'zod';
import type { ApiKeyDocument, keySchema } from '../projections/api-keys/api-keys.ts';
import { linkedPaging, type ListQuery, readPage } from './lists.ts';
import type { PageAnswer, QueryContext } from './query.ts';
import { parseBody } from './stored-documents.ts';

/** The parameters of every list of keys. */
export const keyListSearch = z.strictObject(linkedPaging);

/** Returns a page of the keys of an environment; null: of the platform. */
export async function readKeyPage(
  context: QueryContext,
  environment: number | null,
  search: Omit<ListQuery, 'where'>,
): Promise<PageAnswer> {
  return await readPage(context, 'api_keys', { ...search, where: { environment } }, (stored) => {
    const { environment_id: _, ...item } = parseBody(stored) as ApiKeyDocument;
    return JSON.stringify(item satisfies z.infer<typeof keySchema>);
  });
}
