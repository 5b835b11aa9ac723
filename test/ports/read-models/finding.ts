import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';

import { compareTexts } from '../../../src/event-sourcing/identifiers.ts';
import type {
  FindQuery,
  IndexValue,
  SortKey,
  ReadModels,
  StoredDocument,
} from '../../../src/read-models/read-models.ts';
import { findKeys, keys, policies, policy } from './subject.ts';
import type { MakeReadModels, ReadModelsSubject } from './subject.ts';
import { writeDocuments } from '../../support/write-documents.ts';

const documents = [
  policy('d', { createdAt: '2026-01-01', indexes: { merchant: 'm1', status: 'active', test: false, amount: 1 } }),
  policy('c', { createdAt: '2026-01-02', indexes: { merchant: 'm1', status: 'active', test: true, amount: null } }),
  policy('b', { createdAt: '2026-01-02', indexes: { merchant: 'm1', status: 'cancelled', test: false, amount: 2.5 } }),
  policy('a', { createdAt: '2026-01-03', indexes: { merchant: 'm2', status: 'active', test: false, amount: 1 } }),
  policy('e', { createdAt: '2025-12-31', indexes: { merchant: 'M1', status: null, test: null, amount: null } }),
];

export function describeFinding(make: MakeReadModels): void {
  describe('find', () => {
    let subject: ReadModelsSubject;
    let readModels: ReadModels;
    beforeAll(async () => {
      subject = await make();
      readModels = subject.readModels;
      await readModels.open([policies]);
      await writeDocuments(readModels, 'policies', documents, 5n);
    });
    afterAll(() => subject.dispose());

    test('orders by creation, then by key', async () => {
      expect(await findKeys(readModels, {})).toEqual({ count: 5, keys: ['e', 'd', 'b', 'c', 'a'] });
      const { documents: found } = await readModels.find('policies', { limit: 1, offset: 1 });
      expect(found).toEqual([documents[0]]);
    });

    test('returns pages in one order, each with the total count', async () => {
      const pages = await Promise.all([0, 2, 4, 6].map((offset) => findKeys(readModels, { limit: 2, offset })));
      expect(pages.map((page) => page.count)).toEqual([5, 5, 5, 5]);
      expect(pages.flatMap((page) => page.keys)).toEqual(['e', 'd', 'b', 'c', 'a']);
      expect(await findKeys(readModels, { limit: 0 })).toEqual({ count: 5, keys: [] });
    });

    const questions: readonly (readonly [string, Partial<FindQuery>, readonly string[]])[] = [
      ['a text, exactly', { where: { merchant: 'm1' } }, ['d', 'b', 'c']],
      ['an unknown text', { where: { merchant: 'm' } }, []],
      ['two values', { where: { merchant: 'm1', status: 'active' } }, ['d', 'c']],
      ['true', { where: { test: true } }, ['c']],
      ['false', { where: { test: false } }, ['d', 'b', 'a']],
      ['a number', { where: { amount: 1 } }, ['d', 'a']],
      ['a fraction', { where: { amount: 2.5 } }, ['b']],
      ['null', { where: { amount: null } }, ['e', 'c']],
      ['null and a value', { where: { status: null, merchant: 'M1' } }, ['e']],
      ['one of several', { where: { status: ['active', 'cancelled'], merchant: 'm1' } }, ['d', 'b', 'c']],
      ['one of several merchants', { where: { merchant: ['m2', 'm1', 'm2'] } }, ['d', 'b', 'c', 'a']],
      ['a value or null', { where: { amount: [null, 2.5] } }, ['e', 'b', 'c']],
      ['null among several', { where: { amount: [null] } }, ['e', 'c']],
      ['none of none', { where: { status: [] } }, []],
      ['a part of a text', { contains: { status: 'cell' } }, ['b']],
      ['a part, in its case', { contains: { merchant: 'm' } }, ['d', 'b', 'c', 'a']],
      ['a part that is no pattern', { contains: { merchant: '.*' } }, []],
      ['a part that is no wildcard', { contains: { merchant: '%' } }, []],
      ['a part of no number', { contains: { amount: '1' } }, []],
      ['a part of neither yes nor no', { contains: { test: 'e' } }, []],
      ['nothing, which every text has', { contains: { status: '' } }, ['d', 'b', 'c', 'a']],
      ['a text that comes not after', { atMost: { merchant: 'm1' } }, ['e', 'd', 'b', 'c']],
      ['a text that comes before', { atMost: { merchant: 'm10' } }, ['e', 'd', 'b', 'c']],
      ['a text of which nothing is null', { atMost: { status: 'zz' } }, ['d', 'b', 'c', 'a']],
      ['a text of which nothing is a number', { atMost: { amount: '9' } }, []],
      ['a text that nothing comes before', { atMost: { merchant: 'M' } }, []],
      ['a text that comes not after, and a value', { atMost: { merchant: 'm1' }, where: { test: false } }, ['d', 'b']],
      ['two texts that come not after', { atMost: { merchant: 'm1', status: 'b' } }, ['d', 'c']],
      ['a text that comes after', { above: { merchant: 'M1' } }, ['d', 'b', 'c', 'a']],
      ['a text that comes after, not the text itself', { above: { merchant: 'm1' } }, ['a']],
      ['a text that comes after nothing', { above: { status: '' } }, ['d', 'b', 'c', 'a']],
      ['a number, which comes after no text', { above: { amount: '' } }, []],
      ['two bounds of one index', { above: { merchant: 'M' }, atMost: { merchant: 'm1' } }, ['e', 'd', 'b', 'c']],
      ['bounds of two indexes', { above: { merchant: 'M1' }, atMost: { status: 'b' } }, ['d', 'c', 'a']],
      ['parts and values', { where: { status: 'active' }, contains: { merchant: '1', status: 'act' } }, ['d', 'c']],
    ];
    test.each(questions)('finds by %s', async (_name, query, expected) => {
      expect(await findKeys(readModels, query)).toEqual({ count: expected.length, keys: expected });
      const firstPage = await findKeys(readModels, { ...query, limit: 1 });
      expect(firstPage).toEqual({ count: expected.length, keys: expected.slice(0, 1) });
      expect(await findKeys(readModels, { ...query, newestFirst: true })).toEqual({
        count: expected.length,
        keys: expected.toReversed(),
      });
    });

    test('begins with the newest, page by page', async () => {
      const pages = await Promise.all(
        [0, 2, 4].map((offset) => findKeys(readModels, { newestFirst: true, limit: 2, offset })),
      );
      expect(pages.flatMap((page) => page.keys)).toEqual(['a', 'c', 'b', 'd', 'e']);
    });

    test('begins after a sort key in the order, whether or not a document is there', async () => {
      const after = { createdAt: '2026-01-02', key: 'b' };
      expect(await findKeys(readModels, { after })).toEqual({ count: 5, keys: ['c', 'a'] });
      expect(await findKeys(readModels, { after, newestFirst: true })).toEqual({ count: 5, keys: ['d', 'e'] });
      const between = { createdAt: '2026-01-02', key: 'bb' };
      expect(await findKeys(readModels, { after: between, where: { merchant: 'm1' }, newestFirst: true })).toEqual({
        count: 3,
        keys: ['b', 'd'],
      });
      expect(await findKeys(readModels, { after: between, limit: 1, skipCount: true })).toEqual({
        count: 1,
        keys: ['c'],
      });
    });

    test('ends before a sort key in the order, whether or not a document is there', async () => {
      const before = { createdAt: '2026-01-02', key: 'c' };
      expect(await findKeys(readModels, { before, limit: 2 })).toEqual({ count: 5, keys: ['d', 'b'] });
      expect(await findKeys(readModels, { before, newestFirst: true })).toEqual({ count: 5, keys: ['a'] });
      const between = { createdAt: '2026-01-02', key: 'bb' };
      expect(await findKeys(readModels, { before: between, where: { merchant: 'm1' }, limit: 1 })).toEqual({
        count: 3,
        keys: ['b'],
      });
      expect(await findKeys(readModels, { before: { createdAt: '', key: '' } })).toEqual({ count: 5, keys: [] });
    });

    test('counts up to the end of the page only, if it may', async () => {
      const query = { where: { merchant: 'm1' }, skipCount: true, limit: 2 };
      expect(await findKeys(readModels, query)).toEqual({ count: 2, keys: ['d', 'b'] });
      expect(await findKeys(readModels, { ...query, offset: 2 })).toEqual({ count: 3, keys: ['c'] });
    });

    test('refuses an index that is not declared', async () => {
      await expect(findKeys(readModels, { where: { colour: 'red' } })).rejects.toThrow('colour');
      await expect(findKeys(readModels, { contains: { colour: 'red' } })).rejects.toThrow('colour');
      await expect(findKeys(readModels, { atMost: { colour: 'red' } })).rejects.toThrow('colour');
      await expect(findKeys(readModels, { above: { colour: 'red' } })).rejects.toThrow('colour');
    });
  });

  describe('any documents and any query', () => {
    let subject: ReadModelsSubject;
    let readModels: ReadModels;
    beforeAll(async () => {
      subject = await make();
      readModels = subject.readModels;
      await readModels.open([policies]);
    });
    afterAll(() => subject.dispose());

    test('find, count and scan equal those of a plain list', async () => {
      let position = 0n;
      const known = new Map<string, StoredDocument>();
      await fc.assert(
        fc.asyncProperty(
          fc.uniqueArray(anyDocument, { maxLength: 12, selector: ({ key }) => key }),
          anyQueryAtPlace,
          async (documents, query) => {
            position += 1n;
            await writeDocuments(readModels, 'policies', documents, position);
            for (const document of documents) known.set(document.key, document);
            const oldestFirst = [...known.values()]
              .toSorted(compareByCreation)
              .filter(({ body }) => body !== undefined);
            const all = query.newestFirst === true ? oldestFirst.toReversed() : oldestFirst;
            const matching = all.filter((document) => matches(document, query));
            const found = await readModels.find('policies', query);
            expect(found.count).toBe(matching.length);
            expect(found.documents).toEqual(pageOf(matching, query));
            const scanned = await readModels.scan('policies', { after: undefined, limit: 100 });
            expect(keys(scanned)).toEqual([...known.keys()].sort());
          },
        ),
        { numRuns: 150 },
      );
    });
  });
}

const oneOf = <T extends IndexValue>(...values: readonly T[]): fc.Arbitrary<T> => fc.constantFrom(...values);
const merchant = oneOf('m1', 'm2', 'M1', null);
const status = oneOf('active', 'cancelled', '', null);
const flag = oneOf(true, false, null);
const amount = oneOf(0, 1, 1.5, null);

const key = fc.constantFrom(...'a b c d e f g h i j k l m n o p'.split(' '));
const createdAt = fc.constantFrom('2026-01-01', '2026-01-02', '2026-01-03');

const anyDocument: fc.Arbitrary<StoredDocument> = fc
  .record({
    key,
    body: fc.option(fc.json(), { nil: undefined, freq: 6 }),
    createdAt,
    indexes: fc.record({ merchant, status, test: flag, amount }),
  })
  .map(({ key, ...rest }) => policy(key, rest));

const anyOf = <T extends IndexValue>(value: fc.Arbitrary<T>): fc.Arbitrary<T | T[]> =>
  fc.oneof(value, fc.array(value, { maxLength: 3 }));

const anyQuery: fc.Arbitrary<FindQuery> = fc.record(
  {
    where: fc.record(
      { merchant: anyOf(merchant), status: anyOf(status), test: anyOf(flag), amount: anyOf(amount) },
      { requiredKeys: [] },
    ),
    contains: fc.record(
      { status: fc.constantFrom('', 'a', 'cel', 'x'), amount: fc.constantFrom('', '1'), test: fc.constant('') },
      { requiredKeys: [] },
    ),
    atMost: fc.record(
      { merchant: fc.constantFrom('', 'M1', 'm1', 'z'), amount: fc.constant('z') },
      { requiredKeys: [] },
    ),
    above: fc.record({ merchant: fc.constantFrom('', 'M1', 'm1'), amount: fc.constant('') }, { requiredKeys: [] }),
    newestFirst: fc.boolean(),
    limit: fc.nat(6),
    offset: fc.nat(6),
  },
  { requiredKeys: ['limit', 'offset'] },
);
const sortKey = fc.record({ createdAt, key });
const anySortKey = fc.oneof(fc.constant({}), fc.record({ after: sortKey }), fc.record({ before: sortKey }));
const anyQueryAtPlace: fc.Arbitrary<FindQuery> = fc
  .tuple(anyQuery, anySortKey)
  .map(([query, at]) => ({ ...query, ...at }));

function compareByCreation(a: SortKey, b: SortKey): number {
  return compareTexts(`${a.createdAt} ${a.key}`, `${b.createdAt} ${b.key}`);
}

function pageOf(sorted: readonly StoredDocument[], query: FindQuery): readonly StoredDocument[] {
  const { after, before, newestFirst = false, limit, offset } = query;
  const isAfter = (one: SortKey, other: SortKey): boolean => compareByCreation(one, other) * (newestFirst ? -1 : 1) > 0;
  if (before === undefined)
    return sorted.filter((one) => after === undefined || isAfter(one, after)).slice(offset, offset + limit);
  const preceding = sorted.filter((one) => isAfter(before, one)).toReversed();
  return preceding.slice(offset, offset + limit).toReversed();
}

function matches(
  { indexes }: StoredDocument,
  { where = {}, contains = {}, atMost = {}, above = {} }: FindQuery,
): boolean {
  const equal = Object.entries(where).every(([index, wanted]) => [wanted].flat().includes(indexes[index] ?? null));
  const isAtMost = Object.entries(atMost).every(([index, most]) => {
    const value = indexes[index];
    return typeof value === 'string' && value <= most;
  });
  const isAbove = Object.entries(above).every(([index, least]) => {
    const value = indexes[index];
    return typeof value === 'string' && value > least;
  });
  const has = Object.entries(contains).every(([index, text]) => {
    const value = indexes[index];
    return typeof value === 'string' && value.includes(text);
  });
  return equal && isAtMost && isAbove && has;
}
