import { expect, test } from '@jest/globals';
import { openTestReadModels, type TestReadModels } from '#test/support/test-read-models.ts';
import { listParked } from './operator-lists.ts';
import type { PageResponse, QueryContext } from './query.ts';

const PARKED = { claims: 3, customers: 0, policies: 4 };
const ALL = ['claims 0', 'claims 1', 'claims 2', 'policies 0', 'policies 1', 'policies 2', 'policies 3'];

async function givenParked() {
  const names = Object.keys(PARKED);
  const readModels = openTestReadModels(names.map((name) => ({ name, version: 1, indexes: [] })));
  await readModels.serveEmpty();
  for (const [name, number] of Object.entries(PARKED)) {
    for (let index = 0; index < number; index++) {
      const [key, position] = [String(index), BigInt(index + 1)];
      const parked = { reason: 'cannot be folded', eventId: key, eventType: 'X.v1', position };
      readModels.put(name, {
        key,
        body: undefined,
        stream: `policy-${key}`,
        revision: -1,
        position,
        order: position,
        indexes: {},
        parked,
      });
    }
  }
  return { readModels, collections: new Map(names.map((name) => [name, undefined])) };
}

test('the pages of all parked documents overlap nowhere, each with the count of all, and read no other document', async () => {
  const { readModels, collections } = await givenParked();
  let read = 0;
  const parked: TestReadModels['parked'] = async (...parameters) => {
    const page = await readModels.parked(...parameters);
    read += page.length;
    return page;
  };
  const countParked: TestReadModels['countParked'] = async (name) => await readModels.countParked(name);
  const context = { readModels: { parked, countParked }, collections } as unknown as QueryContext;
  for (const limit of [1, 2, 3, 5, 100]) {
    const listed: string[] = [];
    for (let offset = 0; offset < ALL.length + limit; offset += limit) {
      read = 0;
      const request = { search: { limit, offset } } as Parameters<typeof listParked.respond>[0];
      const { count, results } = (await listParked.respond(request, context)) as PageResponse;
      const items = JSON.parse(results) as { collection: string; key: string }[];
      expect([count, read]).toEqual([ALL.length, items.length]);
      expect(items.length).toBe(Math.max(0, Math.min(limit, ALL.length - offset)));
      listed.push(...items.map(({ collection, key }) => `${collection} ${key}`));
    }
    expect(listed).toEqual(ALL);
  }
});
