import { z } from 'zod';
import { ownerOf } from '../projections/owner.ts';
import type { IndexValue, SortKey, StoredDocument } from '../src/read-models/read-models.ts';
import { cursorOf, type CursorScope, jsonArray, paging, sortKeyOfCursor, testModeOf, testModeSearch } from './lists.ts';
import type { CursorPageResponse, QueryContext } from './query.ts';
import { getOwnMerchantDocument } from './resources.ts';

/** The parameters of every list of a merchant, besides its filters: its pages follow each other by a cursor. */
export const merchantListSearch = {
  limit: paging.limit,
  after: z
    .string()
    .optional()
    .meta({ description: 'The cursor in the `next` of another page of this list with the same filters' }),
  ...testModeSearch,
};

/** Most documents that one request reads to fill a page, where no index answers all filters. */
const MAX_READ = 1_000;
const READ_SIZE = 200;

export interface CursorList extends CursorScope {
  readonly collection: string;
  readonly where: Readonly<Record<string, IndexValue>>;
  /** Returns whether a document that the index finds belongs to the list. */
  readonly matches: (document: StoredDocument) => boolean;
  /** Returns the JSON texts of the documents of a page. */
  readonly items: (documents: readonly StoredDocument[]) => readonly string[] | Promise<readonly string[]>;
  /** Default: newest first. */
  readonly oldestFirst?: boolean;
}

/**
 * Returns a page of a list. It costs one read where an index answers all filters; else it ends after `MAX_READ` documents, with a
 * cursor and perhaps without items.
 * @throws {Refusal} `invalid_request` naming `after`
 */
export async function readCursorPage(
  { readModels, nextTurn }: QueryContext,
  list: CursorList,
  { limit, after }: { readonly limit: number; readonly after?: string | undefined },
): Promise<CursorPageResponse> {
  const { collection, where, matches, oldestFirst = false } = list;
  const listed: StoredDocument[] = [];
  let sortKey: SortKey | undefined = after === undefined ? undefined : sortKeyOfCursor(list, after);
  const page = async (isLast: boolean): Promise<CursorPageResponse> => {
    const next = isLast || sortKey === undefined ? null : cursorOf(list, sortKey);
    return { kind: 'cursor_page', limit, next, results: jsonArray(await list.items(listed)) };
  };
  // One document more than the page shows whether there is a next page.
  for (let size = limit + 1, read = 0; ; size = READ_SIZE) {
    const query = { where, newestFirst: !oldestFirst, skipCount: true, limit: size, offset: 0 };
    const { documents } = await readModels.find(
      collection,
      sortKey === undefined ? query : { ...query, after: sortKey },
    );
    for (const document of documents) {
      if (listed.length === limit) return await page(false);
      sortKey = document;
      if (matches(document)) listed.push(document);
    }
    if (documents.length < size) return await page(true);
    read += size;
    if (listed.length === limit || read >= MAX_READ) return await page(false);
    await nextTurn();
  }
}

/**
 * Returns the owner of the documents that a list of a merchant shows: of the mode of the key, or that a platform key chooses.
 * @throws {Refusal} `invalid_request` when a merchant asks for the other mode; `merchant_not_found`, also for another merchant
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
