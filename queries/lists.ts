import { z } from 'zod';
import { wrongField } from '../src/domain/refusals.ts';
import type { FindQuery, FindResult, StoredDocument } from '../src/read-models/read-models.ts';
import type { PageAnswer, QueryContext, Reader } from './query.ts';

const MOST = 100;
const USUAL = 25;
/** The largest 32-bit integer: clients and databases carry it, and no list is as long. */
const LARGEST_OFFSET = 2_147_483_647;

const wholeNumber = (message: string, from: number, to: number) =>
  z
    .string()
    .regex(/^\d{1,10}$/, message)
    .transform(Number)
    .refine((value) => value >= from && value <= to, message);

/** The parameters of every list (`decisions`: Lists). */
export const paging = {
  limit: wholeNumber(`must be a whole number from 1 to ${MOST}`, 1, MOST)
    .default(USUAL)
    .meta({
      description: `The most results on a page; ${USUAL} when it is not given`,
      type: 'integer',
      minimum: 1,
      maximum: MOST,
    }),
  offset: wholeNumber(`must be a whole number from 0 to ${LARGEST_OFFSET}`, 0, LARGEST_OFFSET)
    .default(0)
    .meta({ description: 'How many results to pass over', type: 'integer', minimum: 0, maximum: LARGEST_OFFSET }),
};

/** Which world a platform key wants to see; a merchant's key is bound to one. */
export const worldChoice = {
  test_mode: z
    .enum(['true', 'false'], 'must be true or false')
    .optional()
    .meta({ description: 'Platform keys only: true shows the test world instead of the live one' }),
};

/** Whether the list is one of the test world. @throws {Refusal} `invalid_request` when the key decides and not the caller */
export function testModeOf(reader: Reader, search: { readonly test_mode?: 'true' | 'false' | undefined }): boolean {
  const wanted = search.test_mode === undefined ? undefined : search.test_mode === 'true';
  if (reader.role !== 'merchant') return wanted ?? false;
  if (wanted !== undefined && wanted !== reader.testMode) {
    throw wrongField('test_mode', 'is decided by the key; only platform keys can choose');
  }
  return reader.testMode;
}

/** The index of products and providers that tells whether a world sees them. */
export function visibleIn(testMode: boolean): 'visible_live' | 'visible_test' {
  return testMode ? 'visible_test' : 'visible_live';
}

/** Whether the reader's world shows a product or provider; the platform sees all. */
export function sees(reader: Reader, { indexes }: StoredDocument): boolean {
  return reader.role !== 'merchant' || indexes[visibleIn(reader.testMode)] === true;
}

/** A page of a collection. `nest` makes the JSON text of `results` from those of the items (`decisions`: Lists). */
export async function pageOf(
  context: QueryContext,
  collection: string,
  query: FindQuery,
  item: (document: StoredDocument) => string,
  nest: (items: readonly string[]) => string = flat,
): Promise<PageAnswer> {
  const found: FindResult = await context.readModels.find(collection, query);
  const { limit, offset } = query;
  return { kind: 'page', count: found.count, limit, offset, results: nest(found.documents.map(item)) };
}

/** `[item, …]` */
export function flat(items: readonly string[]): string {
  return `[${items.join(',')}]`;
}

/** `[[item, …]]`, but `[]` for an empty page: as the specification's samples show it. */
export function inOneArray(items: readonly string[]): string {
  return items.length === 0 ? '[]' : `[[${items.join(',')}]]`;
}

/** `[{"data": [item, …]}]`, but `[]` for an empty page: as the specification's samples show it. */
export function inOneObject(items: readonly string[]): string {
  return items.length === 0 ? '[]' : `[{"data":[${items.join(',')}]}]`;
}
