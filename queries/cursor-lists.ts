import { z } from 'zod';
import { ownedValue, ownerOf } from '#projections/owner.ts';
import { wrongField } from '#domain/refusals.ts';
import type { Day } from '#event-sourcing/time.ts';
import type { IndexValue, StoredDocument } from '#stores/read-models/read-models.ts';
import {
  type CursorKey,
  cursorOf,
  type CursorScope,
  jsonArray,
  keyOfCursor,
  paging,
  testModeOf,
  type testModeSearch,
} from './lists.ts';
import type { CursorPageResponse, QueryContext } from './query.ts';
import { getOwnMerchantDocument } from './resources.ts';

/** The parameters of a list whose pages follow each other by a cursor. */
export const cursorPaging = {
  limit: paging.limit,
  after: z
    .string()
    .optional()
    .meta({ description: 'The cursor in the `next` of another page of this list with the same filters' }),
};

/** Most documents that one request reads to fill a page, where no index answers all filters. */
const MAX_READ = 1_000;
const READ_SIZE = 200;
/** Documents that a download reads between two turns of the event loop. */
const DOWNLOAD_READ_SIZE = 50;
/** Documents that are read at a time where one may have megabytes, as one of a policy or a claim may. */
export const LARGE_READ_SIZE = 5;

/** A part of an index of texts, which is read in its order: by value, then by creation. Both bounds are inclusive. */
export interface IndexRange {
  readonly index: string;
  readonly from: string;
  readonly through: string;
}

/** Sorts after all days and instants. */
const AFTER_ALL = '~';

/** Returns the range of an index `owner_…` that contains days or instants. @param bounds inclusive; undefined: none */
export function ownedRange(
  index: string,
  owner: string,
  { from = '', through = AFTER_ALL }: { readonly from?: string | undefined; readonly through?: string | undefined },
): IndexRange {
  return { index, from: ownedValue(owner, from), through: ownedValue(owner, through) };
}

/**
 * Refuses days in the wrong order.
 * @param prefix of the names of the parameters
 * @throws {Refusal} naming the last day
 */
export function requireOrder(
  { from, through }: { readonly from?: Day | undefined; readonly through?: Day | undefined },
  prefix: string,
): void {
  if (from !== undefined && through !== undefined && through < from)
    throw wrongField(`${prefix}through`, `must not be before \`${prefix}from\``);
}

export type CursorList = CursorScope &
  (ByCreation | ByIndex) & {
    readonly collection: string;
    /** Most documents that are read at a time. Default: as many as a page has. */
    readonly readSize?: number;
    /** Whether it is known that no document belongs to the list, so that none is read. */
    readonly isEmpty?: boolean;
    /** Returns those of the documents that belong to the list; default: all. */
    readonly filter?: (
      documents: readonly StoredDocument[],
    ) => readonly StoredDocument[] | Promise<readonly StoredDocument[]>;
    /** Returns the JSON texts of the documents of a page. */
    readonly items: (documents: readonly StoredDocument[]) => readonly string[] | Promise<readonly string[]>;
  };

interface ByCreation {
  readonly where: Readonly<Record<string, IndexValue>>;
  /** Default: newest first. */
  readonly oldestFirst?: boolean;
  readonly range?: undefined;
}

/** The list is in the order of the index. */
interface ByIndex {
  readonly range: IndexRange;
}

/**
 * Returns a page of a list. It costs one read where an index answers all filters; else it ends after `MAX_READ`
 * documents, with a cursor and perhaps without items.
 * @throws {Refusal} naming `after`
 */
export async function readCursorPage(
  context: Pick<QueryContext, 'readModels' | 'nextTurn'>,
  list: CursorList,
  { limit, after }: { readonly limit: number; readonly after?: string | undefined },
): Promise<CursorPageResponse> {
  const items: string[] = [];
  let last: CursorKey | undefined = after === undefined ? undefined : keyOfCursor(list, after);
  const page = (isLast: boolean): CursorPageResponse => {
    const next = isLast || last === undefined ? null : cursorOf(list, last);
    return { kind: 'cursor_page', limit, next, results: jsonArray(items) };
  };
  if (list.isEmpty === true) return page(true);
  const { readSize = READ_SIZE } = list;
  // One document more than the page shows whether there is a next page.
  for (let size = Math.min(limit + 1, readSize), read = 0; ; size = readSize) {
    const documents = await readAfter(context, list, last, size);
    const members = new Set(await membersOf(list, documents));
    const listed: StoredDocument[] = [];
    const isFull = (): boolean => items.length + listed.length === limit;
    const following = documents.findIndex((document) => {
      if (isFull()) return true;
      last = cursorKeyOf(list, document);
      if (members.has(document)) listed.push(document);
      return false;
    });
    items.push(...(await list.items(listed)));
    if (following >= 0) return page(false);
    if (documents.length < size) return page(true);
    read += size;
    if (read >= MAX_READ) return page(false);
    await context.nextTurn();
  }
}

/**
 * Yields the JSON texts of all items of a list in its order, some at a time. No document is held while the client reads
 * slowly.
 */
export async function* readAllItems(
  context: Pick<QueryContext, 'readModels' | 'nextTurn'>,
  list: CursorList,
): AsyncGenerator<readonly string[]> {
  if (list.isEmpty === true) return;
  for (let last: CursorKey | undefined; ; ) {
    const { items, end } = await readItems(context, list, last);
    yield items;
    if (end === undefined) return;
    last = end;
    await context.nextTurn();
  }
}

/** Returns the next items of a list, and the key of the last document unless it ends the list. */
async function readItems(
  context: Pick<QueryContext, 'readModels'>,
  list: CursorList,
  after: CursorKey | undefined,
): Promise<{ readonly items: readonly string[]; readonly end: CursorKey | undefined }> {
  const size = list.readSize ?? DOWNLOAD_READ_SIZE;
  const documents = await readAfter(context, list, after, size);
  const items = await list.items(await membersOf(list, documents));
  const last = documents.length < size ? undefined : documents.at(-1);
  return { items, end: last && cursorKeyOf(list, last) };
}

async function membersOf(
  { filter }: CursorList,
  documents: readonly StoredDocument[],
): Promise<readonly StoredDocument[]> {
  return filter === undefined ? documents : await filter(documents);
}

async function readAfter(
  { readModels }: Pick<QueryContext, 'readModels'>,
  list: CursorList,
  last: CursorKey | undefined,
  limit: number,
): Promise<readonly StoredDocument[]> {
  if (list.range !== undefined) {
    const { index, from, through } = list.range;
    const { createdAt, key, value = from } = last ?? { createdAt: '', key: '' };
    const after = { createdAt, key, indexes: { [index]: value } };
    return await readModels.scanIndex(list.collection, { index, atMost: through, after, limit });
  }
  const { where, oldestFirst = false } = list;
  const query = { where, newestFirst: !oldestFirst, skipCount: true, limit, offset: 0 };
  return (await readModels.find(list.collection, last === undefined ? query : { ...query, after: last })).documents;
}

function cursorKeyOf({ range }: CursorList, { createdAt, key, indexes }: StoredDocument): CursorKey {
  return range === undefined ? { createdAt, key } : { createdAt, key, value: String(indexes[range.index]) };
}

/**
 * Returns the owner of the documents that a list of a merchant shows: of the mode of the key, or that a platform key
 * chooses.
 * @throws {Refusal} when a merchant asks for the other mode, or for another merchant
 */
export async function ownerOfList(
  context: QueryContext,
  shortCode: string,
  search: { readonly test_mode?: z.output<typeof testModeSearch.test_mode> },
): Promise<string> {
  const testMode = testModeOf(context.reader, search);
  const { key } = await getOwnMerchantDocument(context, shortCode);
  return ownerOf({ merchant_id: key, test_mode: testMode });
}
