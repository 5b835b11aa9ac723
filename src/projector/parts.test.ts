import { expect, test } from '@jest/globals';
import { defineProjection } from '../../projections/projection.ts';
import { MemoryEventStore } from '../../test/support/memory-event-store.ts';
import { MemoryReadModels } from '../../test/support/memory-read-models.ts';
import * as sample from '../../test/support/sample-events.ts';
import { runTestProjector, startTestProjector } from '../../test/support/test-projector.ts';
import { verifyDocuments } from '../composition/verify-documents.ts';
import { idOf } from '../event-sourcing/aggregate.ts';
import { StoreUnavailable } from '../store-unavailable.ts';

/** A projection whose documents have a part that every event changes. */
const withPart = defineProjection<{ readonly position: string }>({
  name: 'with_part',
  version: 1,
  categories: ['customer'],
  indexNames: [],
  key: ({ stream }) => idOf(stream),
  fold: (_document, { position }) => ({ position: position.toString() }),
  indexes: () => ({}),
  parts: (document) => [{ id: 'part', position: BigInt(document.position), createdAt: sample.RECORDED_AT, document }],
});

test('writes a part that was stored before a crash again when a later event has changed it', async () => {
  const [eventStore, readModels] = [new MemoryEventStore(), new MemoryReadModels()];
  const position = await sample.appendSamples(eventStore, sample.customerRegistered(1));
  const key = sample.sampleId('customer', 1);
  readModels.beforeWrite = (_collection, documents) => {
    if (documents.some((document) => document.key === key)) throw new StoreUnavailable('the process was killed');
  };
  const projections = [withPart];
  const killed = await startTestProjector({ eventStore, readModels, projections });
  expect(await killed.waitFor(position, 20)).toBe(false);
  await killed.stop();
  expect(await readModels.get(withPart.name, `${key}/part`)).toMatchObject({ position });
  readModels.beforeWrite = () => {};
  const changed = await sample.appendSamples(eventStore, sample.customerUpdated(1, { fullName: 'Other Name' }));
  await runTestProjector({ eventStore, readModels, projections }, changed);
  expect(await readModels.get(withPart.name, `${key}/part`)).toMatchObject({ position: changed });
  expect((await verifyDocuments({ eventStore, readModels, projections })).differences).toEqual([]);
});
