import { ownTerm, platformTerm, searchTerms, sharedTerm } from '#projections/search-terms/search-terms.ts';
import { rangesOf, type SearchText, type TermRange } from '#projections/search-terms/search-text.ts';
import type { IndexBounds, StoredDocument } from '#stores/read-models/read-models.ts';
import type { QueryContext } from '../query.ts';
import type { FindScope } from './found.ts';

/** The most rows that a search reads. */
const MAX_ROWS = 2_000;
/** Rows whose resources are read together. */
const PAGE_SIZE = 100;

/** Returns the streams of what a text may find, a page at a time, the best first. Some are in several pages. */
export async function* readStreams(
  { readModels, nextTurn }: QueryContext,
  scope: FindScope,
  text: SearchText,
): AsyncGenerator<readonly string[]> {
  let left = MAX_ROWS;
  for (const bounds of rangesOf(text).flatMap((range) => boundsOf(scope, range))) {
    let after: StoredDocument | undefined;
    do {
      const limit = Math.min(PAGE_SIZE, left);
      const rows = await readModels.scanIndex(searchTerms.name, { ...bounds, after, limit });
      left -= rows.length;
      after = rows.length < limit ? undefined : rows.at(-1);
      if (rows.length > 0) yield rows.map(({ stream }) => stream);
      await nextTurn();
    } while (after !== undefined && left > 0);
    if (left === 0) return;
  }
}

/** Returns whether a text has more rows than a search reads. */
export async function hasMoreRows({ readModels }: QueryContext, scope: FindScope, text: SearchText): Promise<boolean> {
  let count = 0;
  for (const bounds of rangesOf(text)
    .filter(({ from, through }) => from !== through)
    .flatMap((range) => boundsOf(scope, range)))
    count += await readModels.countIndex(searchTerms.name, { ...bounds, limit: MAX_ROWS + 1 });
  return count > MAX_ROWS;
}

/** Returns the parts of the indexes with the terms of what the reader may know, and of what belongs to no merchant. */
function boundsOf({ reader, merchantId, testMode }: FindScope, { from, through }: TermRange): readonly IndexBounds[] {
  const owner = reader.role === 'merchant' ? reader.merchantId : merchantId;
  const own = (term: string): readonly [index: string, value: string] => {
    if (reader.role === 'insurer') return ['insurer', ownTerm(reader.providerId, testMode, term)];
    return owner === undefined ? ['all', platformTerm(testMode, term)] : ['owner', ownTerm(owner, testMode, term)];
  };
  const [[index, atLeast], [, atMost]] = [own(from), own(through)];
  return [
    { index, atLeast, atMost },
    { index: 'all', atLeast: sharedTerm(from), atMost: sharedTerm(through) },
  ];
}
