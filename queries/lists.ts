import { z } from 'zod';
import { wrongField } from '#domain/refusals.ts';
import { visibleScopes } from '#domain/visibility.ts';
import { compareTexts, sha256 } from '#event-sourcing/identifiers.ts';
import type { FindQuery, FindResult, IndexValue, SortKey, StoredDocument } from '#stores/read-models/read-models.ts';
import { isPlatform, type PageResponse, type QueryContext, type Reader } from './query.ts';
import { modeOf } from '#domain/values/mode.ts';

const MAX_LIMIT = 100;
const DEFAULT_LIMIT = 25;
/** The largest 32-bit integer, which all clients and databases support. */
const MAX_OFFSET = 2_147_483_647;

export const wholeNumber = (message: string, from: number, to: number) =>
  z
    .string()
    .regex(/^\d{1,10}$/, message)
    .transform(Number)
    .refine((value) => value >= from && value <= to, message);

export const paging = {
  limit: wholeNumber(`must be a whole number from 1 to ${MAX_LIMIT}`, 1, MAX_LIMIT)
    .default(DEFAULT_LIMIT)
    .meta({
      description: `The most results on a page; ${DEFAULT_LIMIT} when it is not given`,
      type: 'integer',
      minimum: 1,
      maximum: MAX_LIMIT,
    }),
  offset: wholeNumber(`must be a whole number from 0 to ${MAX_OFFSET}`, 0, MAX_OFFSET)
    .default(0)
    .meta({ description: 'How many results to skip', type: 'integer', minimum: 0, maximum: MAX_OFFSET }),
};

/** The parameters of a list whose links contain cursors, so that no page costs more than the first. */
export const linkedPaging = {
  ...paging,
  after: z.string().optional().meta({
    description:
      'The cursor in the `next` of another page of this list with the same filters: the page starts after it, and `offset` is used only in the links',
  }),
  before: z.string().optional().meta({
    description: 'The cursor in a `previous`: the page ends before it, and `offset` is used only in the links',
  }),
};

/** The parameter by which a platform key chooses the mode; a merchant's key is bound to one. */
export const testModeSearch = {
  test_mode: z
    .enum(['true', 'false'], 'must be true or false')
    .optional()
    .meta({ description: 'Platform keys only: true shows the test mode instead of the live one' }),
};

/** Returns whether a list is of the test mode. @throws {Refusal} when a merchant asks for the other mode */
export function testModeOf(
  reader: Reader,
  search: { readonly test_mode?: 'true' | 'false' | boolean | undefined },
): boolean {
  const wanted = search.test_mode === undefined ? undefined : String(search.test_mode) === 'true';
  if (reader.role !== 'merchant') return wanted ?? false;
  if (wanted !== undefined && wanted !== reader.testMode) {
    throw wrongField('test_mode', 'is decided by the key; only platform keys can choose');
  }
  return reader.testMode;
}

/**
 * Returns the condition for the products or providers of a list: to a merchant its visible scopes by this index, to an
 * insurer the providers that every merchant sees, to the platform everything in the mode.
 * @throws {Refusal} as `testModeOf`
 */
export function visibilityCondition(
  reader: Reader,
  search: { readonly test_mode?: 'true' | 'false' | undefined },
  index: 'visible_to' | 'listed_to',
): NonNullable<FindQuery['where']> {
  const testMode = testModeOf(reader, search);
  const inMode = { [testMode ? 'visible_test' : 'visible_live']: true };
  if (isPlatform(reader)) return inMode;
  if (reader.role === 'insurer') return index === 'listed_to' ? inMode : { visible_to: ['both', modeOf(testMode)] };
  return { [index]: visibleScopes(reader) };
}

/** Returns whether a product or provider is visible to the reader: to an insurer its products, to the platform all. */
export function isInVisibleScope(reader: Reader, { indexes }: StoredDocument): boolean {
  if (isPlatform(reader)) return true;
  if (reader.role === 'insurer') return indexes['provider'] === reader.providerId;
  return visibleScopes(reader).includes(String(indexes['visible_to']));
}

export interface ListQuery extends Pick<FindQuery, 'where' | 'contains'> {
  /** Further conditions of what the reader may see, which may change between two pages: no cursor is bound to them. */
  readonly current?: FindQuery['where'];
  readonly limit: number;
  readonly offset: number;
  readonly after?: string | undefined;
  readonly before?: string | undefined;
}

/**
 * Returns a page of a collection.
 * @throws {Refusal} naming `after` or `before`
 * @param item creates the JSON text of an item
 * @param nest creates the JSON text of `results` from those of the items
 */
export async function readPage(
  context: QueryContext,
  collection: string,
  query: ListQuery,
  item: (document: StoredDocument) => string,
  nest: (items: readonly string[]) => string = jsonArray,
): Promise<PageResponse> {
  const { limit, offset } = query;
  const { documents, ...page } = await findPage(context, collection, query);
  return { kind: 'page', ...page, limit, offset, results: nest(documents.map(item)) };
}

/** Returns the documents of a page, with the cursors of the links. @throws {Refusal} naming `after` or `before` */
export async function findPage(
  context: Pick<QueryContext, 'readModels' | 'reader'>,
  collection: string,
  { where = {}, contains = {}, current, limit, offset, after, before }: ListQuery,
): Promise<FindResult & Pick<PageResponse, 'cursors' | 'hasMore'>> {
  if (after !== undefined && before !== undefined)
    throw wrongField('before', 'must not be given together with `after`');
  // The conditions contain what limits the reader, so a cursor is bound to the same merchant and mode.
  const scope = {
    list: `${collection} by offset`,
    owner: '',
    filters: { conditions: JSON.stringify([where, contains]) },
  };
  const source = { collection, conditions: Object.values(where) };
  const cursorsGiven = {
    ...(after !== undefined && { after: await placeOfCursor(context, scope, source, after) }),
    ...(before !== undefined && { before: await placeOfCursor(context, scope, source, before, 'before') }),
  };
  const skipped = after === undefined && before === undefined ? offset : 0;
  const conditions = { where: { ...where, ...current }, contains };
  // The count may fall between two pages, so one document more than the page shows whether more follow a cursor.
  const size = after === undefined ? limit : limit + 1;
  const found = await context.readModels.find(collection, {
    ...conditions,
    ...cursorsGiven,
    limit: size,
    offset: skipped,
  });
  const documents = found.documents.slice(0, limit);
  const [first, last] = [documents[0], documents.at(-1)];
  const cursors =
    first === undefined || last === undefined
      ? undefined
      : { first: cursorOf(scope, first), last: cursorOf(scope, last) };
  const hasMore = after === undefined ? undefined : found.documents.length > limit;
  return { count: found.count, documents, cursors, hasMore };
}

export function jsonArray(items: readonly string[]): string {
  return `[${items.join(',')}]`;
}

/** Returns `[[item, …]]`, but `[]` for an empty page, as the specification of the API shows it. */
export function nestedArray(items: readonly string[]): string {
  return items.length === 0 ? '[]' : `[[${items.join(',')}]]`;
}

/** Returns `[{"data": [item, …]}]`, but `[]` for an empty page, as the specification of the API shows it. */
export function dataObject(items: readonly string[]): string {
  return items.length === 0 ? '[]' : `[{"data":[${items.join(',')}]}]`;
}

const CHECKSUM_DIGITS = 32;

export interface CursorScope {
  readonly list: string;
  /** Merchant and mode. */
  readonly owner: string;
  readonly filters: Readonly<Record<string, string | undefined>>;
}

/** What a cursor contains: the key of a document, and in a list by an index its value there. */
export interface CursorKey {
  readonly key: string;
  readonly value?: string;
}

/**
 * Returns a cursor of a list. It contains a checksum of its key and the list, which finds mistakes; it needs no secret,
 * because a key gives access to nothing.
 */
export function cursorOf(scope: CursorScope, { key, value }: CursorKey): string {
  const values = value === undefined ? [key] : [key, value];
  return Buffer.from(JSON.stringify([checksumOf(scope, values), ...values])).toString('base64url');
}

/** A cursor, and the place of its document in the order of the log. */
export type CursorPlace = CursorKey & SortKey;

/** What a list is read from, and its conditions. */
export interface CursorSource {
  readonly collection: string;
  readonly conditions: readonly (IndexValue | readonly IndexValue[])[];
}

/**
 * Returns the place of a cursor in the list, which the document of its key has. A cursor is not bound to a store.
 * @throws {Refusal} naming the parameter when `cursorOf` did not make it for this list, or for another reader
 */
export async function placeOfCursor(
  { readModels, reader }: Pick<QueryContext, 'readModels' | 'reader'>,
  scope: CursorScope,
  { collection, conditions }: CursorSource,
  cursor: string,
  parameter: 'after' | 'before' = 'after',
): Promise<CursorPlace> {
  const parsed = parseCursor(cursor);
  if (parsed !== undefined && cursorOf(scope, parsed) === cursor) {
    const document = await readModels.get(collection, parsed.key);
    // A made-up cursor must not show whether a document of others exists.
    if (document !== undefined && (isPlatform(reader) || conditions.every((one) => hasIdsOf(one, document))))
      return { ...parsed, order: document.order };
  }
  const link = parameter === 'after' ? 'next' : 'previous';
  throw wrongField(parameter, `must be the cursor in a \`${link}\` of this list, with the same filters`);
}

const ID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;

/** Returns whether the ids in a condition are in values of the document: its merchant, which never changes. */
function hasIdsOf(condition: IndexValue | readonly IndexValue[], { indexes }: StoredDocument): boolean {
  const values = Object.values(indexes).join(' ');
  return [condition].flat().some((one) => (String(one).match(ID) ?? []).every((id) => values.includes(id)));
}

function checksumOf({ list, owner, filters }: CursorScope, values: readonly string[]): string {
  const given = Object.entries(filters)
    .filter(([, value]) => value !== undefined)
    .sort(([a], [b]) => compareTexts(a, b));
  return sha256(JSON.stringify([list, owner, given, ...values])).slice(0, CHECKSUM_DIGITS);
}

function parseCursor(cursor: string): CursorKey | undefined {
  try {
    const parts: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString());
    const [, key, value] = Array.isArray(parts) ? (parts as unknown[]) : [];
    if (typeof key !== 'string') return undefined;
    return typeof value === 'string' ? { key, value } : { key };
  } catch {
    return undefined;
  }
}
