import { z } from 'zod';
import { ownedValue, ownerOf } from '#projections/owner.ts';
import { wrongField } from '#domain/refusals.ts';
import { compareTexts } from '#event-sourcing/identifiers.ts';
import type { Day } from '#event-sourcing/time.ts';
import type { IndexValue, SortKey, StoredDocument } from '#stores/read-models/read-models.ts';
import {
  type CursorPlace,
  cursorOf,
  type CursorScope,
  type CursorSource,
  jsonArray,
  placeOfCursor,
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

/**
 * Parts of an index of texts: the values that begin with one of the owners, and go on from one text to another (both
 * inclusive). The list is in the order of what follows the owner, then of creation.
 */
export interface IndexRange {
  readonly index: string;
  readonly owners: readonly string[];
  readonly from: string;
  readonly through: string;
  readonly newestFirst: boolean;
}

/** Sorts after all days and instants. */
const AFTER_ALL = '~';

/**
 * Returns the range of an index `owner_…` that contains days or instants. @param bounds inclusive; undefined: none;
 * `newestFirst` reads it from the end
 */
export function ownedRange(
  index: string,
  owner: string | readonly string[],
  {
    from = '',
    through = AFTER_ALL,
    newestFirst = false,
  }: { readonly from?: string | undefined; readonly through?: string | undefined; readonly newestFirst?: boolean },
): IndexRange {
  return { index, owners: typeof owner === 'string' ? [owner] : owner, from, through, newestFirst };
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
  context: Pick<QueryContext, 'readModels' | 'reader' | 'nextTurn'>,
  list: CursorList,
  { limit, after }: { readonly limit: number; readonly after?: string | undefined },
): Promise<CursorPageResponse> {
  const items: string[] = [];
  let last = after === undefined ? undefined : await placeOfCursor(context, list, sourceOf(list), after);
  const page = (isLast: boolean): CursorPageResponse => {
    const next = isLast || last === undefined ? null : cursorOf(list, last);
    return { kind: 'cursor_page', limit, next, results: jsonArray(items) };
  };
  if (list.isEmpty === true) return page(true);
  const { readSize = READ_SIZE } = list;
  const readNext = readerOf(context, list, last);
  // One document more than the page shows whether there is a next page.
  for (let size = Math.min(limit + 1, readSize), read = 0; ; size = readSize) {
    const found = await readNext(size);
    const documents = found.map(({ document }) => document);
    const members = new Set(await membersOf(list, documents));
    const listed: StoredDocument[] = [];
    const isFull = (): boolean => items.length + listed.length === limit;
    const following = found.findIndex(({ document, place }) => {
      if (isFull()) return true;
      last = place;
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
  const size = list.readSize ?? DOWNLOAD_READ_SIZE;
  const readNext = readerOf(context, list, undefined);
  for (;;) {
    const documents = (await readNext(size)).map(({ document }) => document);
    yield await list.items(await membersOf(list, documents));
    if (documents.length < size) return;
    await context.nextTurn();
  }
}

function sourceOf(list: CursorList): CursorSource {
  const { collection } = list;
  return { collection, conditions: list.range === undefined ? Object.values(list.where) : [list.range.owners] };
}

async function membersOf(
  { filter }: CursorList,
  documents: readonly StoredDocument[],
): Promise<readonly StoredDocument[]> {
  return filter === undefined ? documents : await filter(documents);
}

/** A document of a list, with its place in the list. */
interface Found {
  readonly document: StoredDocument;
  readonly place: CursorPlace;
}

type ReadNext = (limit: number) => Promise<readonly Found[]>;

/** Returns a function that reads the next documents of a list, fewer than the limit at its end. */
function readerOf(
  context: Pick<QueryContext, 'readModels'>,
  list: CursorList,
  after: CursorPlace | undefined,
): ReadNext {
  return list.range === undefined ? readerByCreation(context, list, after) : readerByIndex(context, list, after);
}

function readerByCreation(
  { readModels }: Pick<QueryContext, 'readModels'>,
  { collection, where, oldestFirst = false }: CursorList & ByCreation,
  after: CursorPlace | undefined,
): ReadNext {
  let last: SortKey | undefined = after;
  return async (limit) => {
    const query = { where, newestFirst: !oldestFirst, skipCount: true, limit, offset: 0, ...(last && { after: last }) };
    const { documents } = await readModels.find(collection, query);
    last = documents.at(-1) ?? last;
    return documents.map((document) => ({ document, place: document }));
  };
}

/** One part of an index range, of which some documents are read ahead. */
interface Part {
  readonly owner: string;
  readonly ahead: Found[];
  last: CursorPlace | undefined;
  isEnded: boolean;
}

/** Merges the parts of a range. What is read ahead of a part is little, because a document may have megabytes. */
function readerByIndex(
  { readModels }: Pick<QueryContext, 'readModels'>,
  { collection, range }: CursorList & ByIndex,
  after: CursorPlace | undefined,
): ReadNext {
  const { index, owners, from, through, newestFirst } = range;
  const parts = owners.map((owner): Part => ({ owner, ahead: [], last: after, isEnded: false }));
  const fill = async (part: Part, limit: number): Promise<void> => {
    if (part.ahead.length > 0 || part.isEnded) return;
    const { owner, last } = part;
    const documents = await readModels.scanIndex(collection, {
      index,
      atLeast: ownedValue(owner, from),
      atMost: ownedValue(owner, through),
      backwards: newestFirst,
      after: last && { ...last, indexes: { [index]: ownedValue(owner, last.value ?? '') } },
      limit,
    });
    for (const document of documents) {
      const value = String(document.indexes[index]).slice(owner.length + 1);
      part.ahead.push({ document, place: { key: document.key, order: document.order, value } });
    }
    part.last = part.ahead.at(-1)?.place;
    part.isEnded = documents.length < limit;
  };
  return async (limit) => {
    const found: Found[] = [];
    while (found.length < limit) {
      const size = parts.length === 1 ? limit - found.length : LARGE_READ_SIZE;
      await Promise.all(parts.map(async (part) => await fill(part, size)));
      const heads = parts.filter(({ ahead }) => ahead.length > 0).toSorted((a, b) => compareHeads(a, b, newestFirst));
      const next = heads[0]?.ahead.shift();
      if (next === undefined) break;
      found.push(next);
    }
    return found;
  };
}

function compareHeads({ ahead: [a] }: Part, { ahead: [b] }: Part, newestFirst: boolean): number {
  const byValue = compareTexts(a?.place.value ?? '', b?.place.value ?? '');
  const byOrder = (a?.place.order ?? 0n) < (b?.place.order ?? 0n) ? -1 : 1;
  return (byValue === 0 ? byOrder : byValue) * (newestFirst ? -1 : 1);
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
