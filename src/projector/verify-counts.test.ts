import { beforeEach, expect, test } from '@jest/globals';
import type { AnyProjection } from '../../projections/projection.ts';
import { MemoryReadModels } from '../../test/support/memory-read-models.ts';
import { countKey } from '../read-models/read-models.ts';
import { verifyCounts } from './verify-counts.ts';
import { writeDocuments } from '../../test/support/write-documents.ts';

const NAME = 'policies';
const projections = [{ name: NAME, countedBy: ['customer'] }] as unknown as readonly AnyProjection[];
let readModels: MemoryReadModels;

const count = (customer: string, number: number) => ({
  ...{ key: countKey('customer', customer), number, position: 1n, replaces: null },
});
const policy = (key: string, customer: string | null) => ({
  ...{
    key,
    body: '{}',
    stream: `policy-${key}`,
    revision: 0,
    position: 1n,
    createdAt: '',
    parked: undefined,
    indexes: { customer },
  },
});

beforeEach(async () => {
  readModels = new MemoryReadModels();
  await readModels.open([{ name: NAME, version: 1, indexes: ['customer'], countedBy: ['customer'] }]);
  const documents = [policy('a', 'c1'), policy('b', 'c1'), policy('c', 'c2'), policy('d', null)];
  await writeDocuments(readModels, NAME, documents, 1n);
});

test('finds no difference when every count is right', async () => {
  await writeDocuments(readModels, NAME, [], 1n, undefined, [count('c1', 2), count('c2', 1), count('c3', 0)]);
  expect(await verifyCounts(readModels, projections)).toEqual([]);
});

test('finds counts that are wrong, and by the sum one that is missing', async () => {
  await writeDocuments(readModels, NAME, [], 1n, undefined, [count('c1', 1)]);
  expect(await verifyCounts(readModels, projections, async () => {})).toEqual([
    { collection: NAME, index: 'customer', value: undefined, stored: 1, counted: 3 },
    { collection: NAME, index: 'customer', value: 'c1', stored: 1, counted: 2 },
  ]);
});

test('reports no difference when a projector writes the document of a count later', async () => {
  await writeDocuments(readModels, NAME, [], 1n, undefined, [count('c1', 3), count('c2', 1)]);
  const pauses: number[] = [];
  const pause = async (milliseconds: number) => {
    pauses.push(milliseconds);
    await writeDocuments(readModels, NAME, [policy('e', 'c1')], 1n);
  };
  expect(await verifyCounts(readModels, projections, pause)).toEqual([]);
  expect(pauses).toHaveLength(1);
});

test('reports no missing count when a document is removed after the documents were counted', async () => {
  await writeDocuments(readModels, NAME, [], 1n, undefined, [count('c1', 2), count('c2', 1)]);
  const scanCounts = readModels.scanCounts.bind(readModels);
  let isRemoved = false;
  readModels.scanCounts = async (collection, options) => {
    if (!isRemoved) {
      isRemoved = true;
      const removed = { ...policy('c', 'c2'), body: undefined, position: 2n };
      const next = { ...count('c2', 0), position: 2n, replaces: 1n };
      await writeDocuments(readModels, NAME, [removed], 2n, undefined, [next]);
    }
    return await scanCounts(collection, options);
  };
  expect(await verifyCounts(readModels, projections, async () => {})).toEqual([]);
  expect(isRemoved).toBe(true);
});

test('reads a count again that a projector changes meanwhile', async () => {
  await writeDocuments(readModels, NAME, [], 1n, undefined, [count('c1', 2), count('c2', 1)]);
  const find = readModels.find.bind(readModels);
  let isAdded = false;
  readModels.find = async (collection, query) => {
    if (query.where?.['customer']?.toString() === 'c1' && !isAdded) {
      isAdded = true;
      const next = { ...count('c1', 3), position: 2n, replaces: 1n };
      await writeDocuments(readModels, NAME, [policy('e', 'c1')], 2n, undefined, [next]);
    }
    return await find(collection, query);
  };
  expect(await verifyCounts(readModels, projections)).toEqual([]);
  expect(isAdded).toBe(true);
});
