import { z } from 'zod';
import type { ApiKeyDocument } from '../projections/api-keys/api-keys.ts';
import { linkedPaging, type ListQuery, readPage } from './lists.ts';
import type { PageAnswer, QueryContext } from './query.ts';
import { moment } from './shapes.ts';
import { parseBody } from './stored-documents.ts';

/** The parameters of every list of keys. */
export const keyListSearch = z.strictObject(linkedPaging);

/** A key without anything secret. */
export const keyShape = z
  .strictObject({
    key_id: z.string().meta({ description: 'The public id, by which it is revoked' }),
    label: z.string().meta({ description: 'Who or what uses the key' }),
    role: z.enum(['merchant', 'admin', 'auditor']),
    created_at: moment,
    revoked_at: moment.nullable(),
  })
  .meta({ id: 'ApiKey' });

/** Returns a page of the keys of an environment; null: of the platform. */
export async function readKeyPage(
  context: QueryContext,
  environment: number | null,
  search: Omit<ListQuery, 'where'>,
): Promise<PageAnswer> {
  return await readPage(context, 'api_keys', { ...search, where: { environment } }, (stored) => {
    const { environment_id: _, ...item } = parseBody(stored) as ApiKeyDocument;
    return JSON.stringify(item satisfies z.infer<typeof keyShape>);
  });
}
