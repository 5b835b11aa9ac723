import { expect, test } from '@jest/globals';
import { MemoryEventStore } from '#test/support/memory-event-store.ts';
import { appendSamples, rebuildEnded, rebuildRequested, sampleId } from '#test/support/sample-events.ts';
import type { QueryContext } from './query.ts';
import { listRebuilds } from './rebuilds.ts';

async function listed(eventStore: MemoryEventStore) {
  const rebuild = { rebuildId: sampleId('rebuild', 22), position: 3n, head: 9n };
  const response = await listRebuilds.respond({ path: {}, search: {} }, {
    eventStore,
    rebuild,
  } as unknown as QueryContext);
  return JSON.parse((response as { readonly body: string }).body).results;
}

test('The list of rebuilds has the last 20, newest first, with their outcomes and the progress of the one that runs', async () => {
  const eventStore = new MemoryEventStore();
  expect(await listed(eventStore)).toEqual([]);
  for (let number = 1; number <= 22; number += 1) {
    await appendSamples(eventStore, rebuildRequested(number, ['policies']));
    if (number < 22) await appendSamples(eventStore, rebuildEnded(sampleId('rebuild', number), 'completed'));
  }
  const results = await listed(eventStore);
  const ids = Array.from({ length: 20 }, (_, index) => sampleId('rebuild', 22 - index));
  expect(results.map((one: { rebuild_id: string }) => one.rebuild_id)).toEqual(ids);
  expect(results[0]).toMatchObject({ state: 'running', ended_at: null, progress: { position: '3', head: '9' } });
  expect(results[1]).toMatchObject({ state: 'completed', progress: null });
});
