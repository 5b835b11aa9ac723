import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';

import type { FindQuery, Generation, IndexValue, SortKey, StoredDocument } from '#stores/read-models/read-models.ts';
import { findKeys, keys, policies, policy } from './subject.ts';
import type { MakeReadModels, ReadModelsSubject } from './subject.ts';
import { takeOverServed, writeDocuments } from '../../support/write-documents.ts';

const documents = [
  policy('d', { order: 2n, indexes: { merchant: 'm1', status: 'active', test: false, amount: 1 } }),
  policy('c', { order: 4n, indexes: { merchant: 'm1', status: 'active', test: true, amount: null } }),
  policy('b', { order: 3n, indexes: { merchant: 'm1', status: 'cancelled', test: false, amount: 2.5 } }),
  policy('a', { order: 5n, indexes: { merchant: 'm2', status: 'active', test: false, amount: 1 } }),
  policy('e', { order: 1n, indexes: { merchant: 'M1', status: null, test: null, amount: null } }),
];

export function describeFinding(make: MakeReadModels): void {
  describe('find', () => {
    let subject: ReadModelsSubject;
    let readModels: Generation;
    beforeAll(async () => {
      subject = await make();
      readModels = await takeOverServed(await subject.open([policies]));
      await writeDocuments(readModels, 'policies', documents, 5n);
    });
    afterAll(() => subject.dispose());

    const questions: readonly (readonly [string, Partial<FindQuery>, readonly string[]])[] = [
      ['two values', { where: { merchant: 'm1', status: 'active' } }, ['d', 'c']],
      ['a fraction', { where: { amount: 2.5 } }, ['b']],
      ['null', { where: { amount: null } }, ['e', 'c']],
      ['one of several', { where: { merchant: ['m2', 'm1', 'm2'] } }, ['d', 'b', 'c', 'a']],
      ['a value or null', { where: { amount: [null, 2.5] } }, ['e', 'b', 'c']],
      ['none of none', { where: { status: [] } }, []],
      ['a part, in its case', { contains: { merchant: 'm' } }, ['d', 'b', 'c', 'a']],
      ['a part that is no pattern', { contains: { merchant: '.*' } }, []],
      ['a part that is no wildcard', { contains: { merchant: '%' } }, []],
      ['a part of no number', { contains: { amount: '1' } }, []],
      ['a text of which nothing is a number', { atMost: { amount: '9' } }, []],
      ['a text that comes after, not the text itself', { above: { merchant: 'm1' } }, ['a']],
      ['a number, which comes after no text', { above: { amount: '' } }, []],
      ['two bounds of one index', { above: { merchant: 'M' }, atMost: { merchant: 'm1' } }, ['e', 'd', 'b', 'c']],
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
    let readModels: Generation;
    beforeAll(async () => {
      subject = await make();
      readModels = await takeOverServed(await subject.open([policies]));
    });
    afterAll(() => subject.dispose());

    test('find, count and scan equal those of a plain list', async () => {
      let position = 0n;
      const known = new Map<string, StoredDocument>();
      await fc.assert(
        fc.asyncProperty(
          fc.uniqueArray(anyDocument, { maxLength: 12, selector: ({ key }) => key }),
          anyQuery,
          async (documents, query) => {
            position += 1n;
            await writeDocuments(readModels, 'policies', documents, position);
            for (const document of documents) known.set(document.key, document);
            const oldestFirst = [...known.values()].toSorted(compareOrders).filter(({ body }) => body !== undefined);
            const all = query.newestFirst === true ? oldestFirst.toReversed() : oldestFirst;
            const matching = all.filter((document) => matches(document, query));
            const found = await readModels.find('policies', query);
            expect(found.count).toBe(matching.length);
            expect(found.documents).toEqual(pageOf(matching, query));
            const scanned = await readModels.scan('policies', { after: undefined, limit: 100 });
            expect(keys(scanned)).toEqual([...known.keys()].sort());
          },
        ),
        { numRuns: 250 },
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
/** Lists are not in the order of keys. */
const placeOf = (name: string): bigint => BigInt((name.charCodeAt(0) * 7) % 17) + 2n ** 60n;

const anyDocument: fc.Arbitrary<StoredDocument> = fc
  .record({
    key,
    body: fc.option(fc.json(), { nil: undefined, freq: 6 }),
    indexes: fc.record({ merchant, status, test: flag, amount }),
  })
  .map(({ key, ...rest }) => policy(key, { ...rest, order: placeOf(key) }));

const anyOf = <T extends IndexValue>(value: fc.Arbitrary<T>): fc.Arbitrary<T | T[]> =>
  fc.oneof(value, fc.array(value, { maxLength: 3 }));

const anyFilter: fc.Arbitrary<Partial<FindQuery>> = fc.record(
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
  },
  { requiredKeys: [] },
);
const anyPage = fc.record({ newestFirst: fc.boolean(), limit: fc.nat(6), offset: fc.oneof(fc.constant(0), fc.nat(6)) });
const sortKey = fc.record({ order: key.map(placeOf) });
const anySortKey = fc.oneof(fc.constant({}), fc.record({ after: sortKey }), fc.record({ before: sortKey }));
/** Half of the queries have no filter, so that documents at the bounds of their pages are found often. */
const anyQuery: fc.Arbitrary<FindQuery> = fc
  .tuple(fc.oneof(fc.constant({}), anyFilter), anySortKey, anyPage)
  .map(([filter, at, page]) => ({ ...filter, ...at, ...page }));

function compareOrders(a: SortKey, b: SortKey): number {
  return Number(a.order - b.order);
}

function pageOf(sorted: readonly StoredDocument[], query: FindQuery): readonly StoredDocument[] {
  const { after, before, newestFirst = false, limit, offset } = query;
  const isAfter = (one: SortKey, other: SortKey): boolean => compareOrders(one, other) * (newestFirst ? -1 : 1) > 0;
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
