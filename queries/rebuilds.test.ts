import { expect, test } from '@jest/globals';
import { MemoryEventStore } from '#test/support/memory-event-store.ts';
import { appendSamples, rebuildRequested, sampleId } from '#test/support/sample-events.ts';
import type { QueryContext } from './query.ts';
import { listRebuilds } from './rebuilds.ts';

async function listed(
  eventStore: MemoryEventStore,
  damage?: string,
  state = { served: 21, refused: new Map([[20, 'documents would be parked']]) },
) {
  const context = {
    eventStore,
    readModels: { state: async () => await Promise.resolve(state) },
    rebuild: { number: 22, position: 3n, head: 9n, damage },
  };
  const response = await listRebuilds.respond({ path: {}, search: {} }, context as unknown as QueryContext);
  return JSON.parse((response as { readonly body: string }).body).results;
}

test('The list of rebuilds has the last 20, newest first, with their outcomes and the progress of the one that runs', async () => {
  const eventStore = new MemoryEventStore();
  expect(await listed(eventStore)).toEqual([]);
  for (let number = 1; number <= 22; number += 1) await appendSamples(eventStore, rebuildRequested(number));
  const results = await listed(eventStore);
  const ids = Array.from({ length: 20 }, (_, index) => sampleId('rebuild', 22 - index));
  expect(results.map((one: { rebuild_id: string }) => one.rebuild_id)).toEqual(ids);
  expect(results[0]).toMatchObject({ state: 'running', reason: null, progress: { position: '3', head: '9' } });
  expect(results[1]).toMatchObject({ state: 'completed', reason: null, progress: null });
  expect(results[2]).toMatchObject({ state: 'refused', reason: 'documents would be parked', progress: null });
  expect((await listed(eventStore, 'events.db is damaged'))[0]).toMatchObject({
    state: 'running',
    reason: 'events.db is damaged',
  });
});

test('A rebuild that a later request gave up ends with that one, also when that is refused', async () => {
  const eventStore = new MemoryEventStore();
  for (const number of [1, 2, 3]) await appendSamples(eventStore, rebuildRequested(number));
  const outcomes = async (served: number, refused: readonly number[]) =>
    (await listed(eventStore, undefined, { served, refused: new Map(refused.map((one) => [one, `of ${one}`])) })).map(
      ({ state, reason }: { readonly state: string; readonly reason: string | null }) => [state, reason],
    );
  const [completed, running] = [
    ['completed', null],
    ['running', null],
  ];
  expect(await outcomes(0, [2])).toEqual([running, ['refused', 'of 2'], ['refused', 'of 2']]);
  expect(await outcomes(1, [2])).toEqual([running, ['refused', 'of 2'], completed]);
  expect(await outcomes(3, [2])).toEqual([completed, ['refused', 'of 2'], completed]);
});
