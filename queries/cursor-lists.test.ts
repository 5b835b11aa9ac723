import { expect, test } from '@jest/globals';
import { openTestReadModels, type TestReadModels } from '#test/support/test-read-models.ts';
import { type CursorList, ownedRange, readAllItems, readCursorPage } from './cursor-lists.ts';
import type { QueryContext } from './query.ts';

const DOCUMENTS = 2_500;

test('A page of a list without an index for its filters ends after about 1000 documents, and the walk finds every match', async () => {
  const readModels = openTestReadModels([{ name: 'policies', version: 1, indexes: ['owner'] }]);
  await readModels.serveEmpty();
  for (let number = 0; number < DOCUMENTS; number++) {
    readModels.put('policies', {
      key: `p${number}`,
      body: String(number),
      stream: `policy-p${number}`,
      revision: 0,
      position: BigInt(number),
      order: BigInt(number),
      indexes: { owner: 'm-live' },
      parked: undefined,
    });
  }
  let read = 0;
  let turns = 0;
  const context = {
    reader: { role: 'admin' },
    readModels: {
      get: readModels.get,
      find: async (...parameters: Parameters<TestReadModels['find']>) => {
        const found = await readModels.find(...parameters);
        read += found.documents.length;
        return found;
      },
    },
    nextTurn: async () => void turns++,
  } as unknown as QueryContext;
  const wanted = ['2400', '2399', '1200', '3'];
  const list: CursorList = {
    list: 'ListMerchantPolicies',
    owner: 'm-live',
    filters: {},
    collection: 'policies',
    where: { owner: 'm-live' },
    filter: (documents) => documents.filter(({ body = '' }) => wanted.includes(body)),
    items: (documents) => documents.map(({ body = '' }) => body),
  };
  const pages: unknown[] = [];
  for (let after: string | undefined; ; ) {
    [read, turns] = [0, 0];
    const { next, results } = await readCursorPage(context, list, { limit: 2, after });
    expect(read).toBeLessThanOrEqual(1_003);
    expect(turns).toBeLessThanOrEqual(5);
    pages.push(JSON.parse(results));
    if (next === null) break;
    after = next;
  }
  expect(pages).toEqual([[2400, 2399], [], [1200], [3]]);
});

test.each([
  [{}, 98],
  [{ readSize: 10 }, 10],
])(
  'A list by an index is in its order, then in that of creation, within its bounds, by pages and whole, with %j',
  async (size, largest) => {
    const readModels = openTestReadModels([{ name: 'policies', version: 1, indexes: ['owner_renewal'] }]);
    await readModels.serveEmpty();
    for (let number = 0; number < 450; number++) {
      readModels.put('policies', {
        key: `p${number}`,
        body: String(number),
        stream: `policy-p${number}`,
        revision: 0,
        position: BigInt(number),
        order: BigInt(number),
        indexes: { owner_renewal: number % 50 === 7 ? null : `m-live 2026-0${9 - (number % 9)}-01` },
        parked: undefined,
      });
    }
    const sizes: number[] = [];
    const context = {
      reader: { role: 'admin' },
      readModels: {
        get: readModels.get,
        scanIndex: async (...parameters: Parameters<TestReadModels['scanIndex']>) => {
          const found = await readModels.scanIndex(...parameters);
          sizes.push(found.length);
          return found;
        },
      },
      nextTurn: async () => {},
    } as unknown as QueryContext;
    const list: CursorList = {
      ...size,
      list: 'ListMerchantPolicies',
      owner: 'm-live',
      filters: {},
      collection: 'policies',
      range: ownedRange('owner_renewal', 'm-live', { from: '2026-02-01', through: '2026-08-01' }),
      items: (documents) => documents.map(({ body = '' }) => body),
    };
    const expected = Array.from({ length: 450 }, (_, number) => number)
      .filter((number) => number % 50 !== 7 && number % 9 !== 0 && number % 9 !== 8)
      .sort((a, b) => (b % 9) - (a % 9) || a - b);
    const walked: number[] = [];
    for (let after: string | undefined; ; ) {
      const { next, results } = await readCursorPage(context, list, { limit: 97, after });
      walked.push(...(JSON.parse(results) as number[]));
      if (next === null) break;
      after = next;
    }
    expect(walked).toEqual(expected);
    expect(Math.max(...sizes)).toBeLessThanOrEqual(largest);
    const all: number[] = [];
    for await (const items of readAllItems(context, list)) all.push(...items.map(Number));
    expect(all).toEqual(expected);
  },
);
