import { expect, test } from '@jest/globals';
import { z } from 'zod';
import { openTestReadModels } from '#test/support/test-read-models.ts';
import type { CursorList } from './cursor-lists.ts';
import { downloadOf } from './list-downloads.ts';
import type { DownloadRow, QueryContext } from './query.ts';

const item = z.strictObject({
  id: z.string(),
  test_mode: z.boolean(),
  holder: z.strictObject({ name: z.string() }),
  term: z.strictObject({ from: z.string(), through: z.string() }).nullable(),
  coverages: z.array(z.strictObject({ name: z.string() })),
  count: z.int(),
});

async function rowsOf(list: Partial<CursorList>, documents: readonly object[]): Promise<readonly DownloadRow[]> {
  const readModels = openTestReadModels([{ name: 'policies', version: 1, indexes: ['owner'] }]);
  await readModels.serveEmpty();
  for (const [number, document] of documents.entries())
    readModels.put('policies', {
      key: `p${number}`,
      body: JSON.stringify(document),
      stream: `policy-p${number}`,
      revision: 0,
      position: BigInt(number),
      order: BigInt(number),
      indexes: { owner: 'm' },
      parked: undefined,
    });
  const { rows } = downloadOf(z.strictObject({}), item, async () => ({
    list: 'Policies',
    owner: 'm',
    filters: {},
    collection: 'policies',
    where: { owner: 'm' },
    items: (stored) => stored.map(({ body = '' }) => body),
    ...(list as object),
  }));
  const context = { readModels, nextTurn: async () => {} } as unknown as QueryContext;
  return await Array.fromAsync(await rows({ path: {}, search: {} }, context));
}

test('A download has a column for each field, also of objects, and other values as JSON', async () => {
  const { headings } = downloadOf(z.strictObject({}), item, async () => await Promise.reject(new Error('not called')));
  expect(headings).toEqual(['id', 'test_mode', 'holder_name', 'term_from', 'term_through', 'coverages', 'count']);
  const first = { id: 'a', test_mode: false, holder: { name: 'Ada' }, term: null, coverages: [], count: 0 };
  const term = { from: '2026-01-01', through: '2026-12-31' };
  const second = { ...first, id: 'b', term, coverages: [{ name: 'Glass' }] };
  expect(await rowsOf({}, [first, second])).toEqual([
    { item: second, cells: ['b', 'false', 'Ada', term.from, term.through, '[{"name":"Glass"}]', 0] },
    { item: first, cells: ['a', 'false', 'Ada', null, null, '[]', 0] },
  ]);
});

test('A download has all documents of a list that belong to it, beyond one read of the store', async () => {
  const documents = Array.from({ length: 450 }, (_, number) => ({ id: String(number) }));
  const filter: CursorList['filter'] = (stored) => stored.filter(({ body }) => body !== '{"id":"0"}');
  const rows = await rowsOf({ filter }, documents);
  expect(rows.map((row) => row.item)).toEqual(documents.toReversed().slice(0, -1));
});

test('A download of a list that is known to be empty reads nothing', async () => {
  expect(await rowsOf({ isEmpty: true }, [{ id: 'a' }])).toEqual([]);
});
