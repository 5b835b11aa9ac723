import { ownTerm, platformTerm, searchTerms, sharedTerm } from '#projections/search-terms/search-terms.ts';
import { rangesOf, rangesOfWord, type SearchText, type TermRange } from '#projections/search-terms/search-text.ts';
import type { IndexBounds, StoredDocument } from '#stores/read-models/read-models.ts';
import type { QueryContext } from '../query.ts';
import type { FindScope } from './found.ts';

/** The most rows that a search reads. */
const MAX_ROWS = 2_000;
/** Rows whose resources are read together. */
const PAGE_SIZE = 100;

/**
 * Returns the parts of the indexes that a search reads, the best first. Of the words of the text only the one with the
 * fewest rows is read, because every name that is found has all of them.
 */
export async function partsOf(
  context: QueryContext,
  scope: FindScope,
  text: SearchText,
): Promise<readonly IndexBounds[]> {
  const parts = (ranges: readonly TermRange[]) => ranges.flatMap((range) => boundsOf(scope, range));
  const ofWords = text.longestWords.map((word) => parts(rangesOfWord(word, text)));
  const counts = await Promise.all(ofWords.map(async (ofWord) => await countRows(context, ofWord)));
  const ofRarest = ofWords[counts.indexOf(Math.min(...counts))] ?? [];
  return [...parts(rangesOf(text)), ...ofRarest];
}

/** Returns the streams of what these parts have, a page at a time. Some are in several pages. */
export async function* readStreams(
  { readModels, nextTurn }: QueryContext,
  parts: readonly IndexBounds[],
): AsyncGenerator<readonly string[]> {
  let left = MAX_ROWS;
  for (const bounds of parts) {
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

/** Returns whether these parts have more rows than a search reads; a row of two parts is read twice. */
export async function hasMoreRows(context: QueryContext, parts: readonly IndexBounds[]): Promise<boolean> {
  return (await countRows(context, parts)) > MAX_ROWS;
}

async function countRows({ readModels }: QueryContext, parts: readonly IndexBounds[]): Promise<number> {
  let count = 0;
  for (const part of parts) count += await readModels.countIndex(searchTerms.name, { ...part, limit: MAX_ROWS + 1 });
  return count;
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
