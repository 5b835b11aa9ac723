import { expect, test } from '@jest/globals';
import { defineProjection } from '#projections/projection.ts';
import { MemoryEventStore } from '#test/support/memory-event-store.ts';
import { definitionsOf } from './start-projector.ts';
import { openTestReadModels } from '#test/support/test-read-models.ts';
import * as sample from '#test/support/sample-events.ts';
import { runTestProjector, startTestProjector } from '#test/support/test-projector.ts';
import { verifyDocuments } from '#service/compose/verify.ts';
import { StoreUnavailable } from '#stores/shared/store-unavailable.ts';

/** A projection in which every event adds a part to the document. */
const withParts = defineProjection<number | string>({
  name: 'with_parts',
  version: 1,
  categories: ['customer'],
  indexNames: [],
  fold: (_, { revision }) => revision,
  indexes: () => ({}),
  parts: ({ position }) => [{ id: position.toString(), document: 'part' }],
});

test('writes a part once that was stored before a crash, and the part of a later event', async () => {
  const [eventStore, readModels] = [new MemoryEventStore(), openTestReadModels(definitionsOf([withParts]))];
  const position = await sample.appendSamples(eventStore, sample.customerRegistered(1));
  const key = sample.sampleId('customer', 1);
  readModels.beforeWrite = (_collection, documents) => {
    if (documents.some((document) => document.key === key)) throw new StoreUnavailable('the process was killed');
  };
  const projections = [withParts];
  const killed = await startTestProjector({ eventStore, readModels, projections });
  expect(await killed.waitFor(position, 20)).toBe(false);
  await killed.stop();
  const first = await (await readModels.takeOver(0)).get(withParts.name, `${key}/${position}`);
  expect(first).toMatchObject({ position });
  readModels.beforeWrite = () => {};
  const later = await sample.appendSamples(eventStore, sample.customerUpdated(1, { fullName: 'Other Name' }));
  await runTestProjector({ eventStore, readModels, projections }, later);
  expect(await readModels.get(withParts.name, `${key}/${position}`)).toEqual(first);
  expect(await readModels.get(withParts.name, `${key}/${later}`)).toMatchObject({ revision: 1, position: later });
  expect((await verifyDocuments({ eventStore, readModels, projections })).differences).toEqual([]);
});
