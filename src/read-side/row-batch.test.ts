import { expect, test } from '@jest/globals';
import { FoldError, type RowProjection } from '#projections/projection.ts';
import { MemoryEventStore } from '#test/support/memory-event-store.ts';
import { definitionsOf } from './start-projector.ts';
import { openTestReadModels } from '#test/support/test-read-models.ts';
import * as sample from '#test/support/sample-events.ts';
import { readAllDocuments, runTestProjector, startTestProjector } from '#test/support/test-projector.ts';
import { verifyDocuments } from '#service/compose/verify.ts';
import { StoreUnavailable } from '#stores/shared/store-unavailable.ts';

const CUSTOMER = sample.sampleId('customer', 1);
const updated = (fullName: string) => sample.customerUpdated(1, { fullName });

/** Two rows an event. Those of the event at a position of `broken` cannot be made. */
function fixtureOf(...broken: bigint[]) {
  const twoRows: RowProjection = {
    name: 'two_rows',
    version: 1,
    categories: ['customer'],
    indexNames: ['place'],
    rows: ({ id, position }) => {
      if (broken.includes(position)) throw new FoldError('the event is broken');
      return ['a', 'b'].map((place) => ({
        key: `${id}-${place}`,
        document: { position: `${position}` },
        indexes: { place },
      }));
    },
  };
  const projections = [twoRows];
  const readModels = openTestReadModels(definitionsOf(projections));
  const options = { eventStore: new MemoryEventStore(), readModels, projections };
  return {
    ...options,
    broken,
    run: async () => await runTestProjector(options),
    /** Returns position and place of the rows in the order of lists. */
    listed: async () => {
      const { documents } = await readModels.find('two_rows', { limit: 100, offset: 0 });
      return documents.map(({ position, indexes }) => `${position} ${String(indexes['place'])}`);
    },
    differences: async () => (await verifyDocuments(options)).differences,
  };
}

test('adds the rows of an event once, also when the process was killed before it saved its checkpoint', async () => {
  const { eventStore, readModels, projections, run, listed, differences } = fixtureOf();
  await sample.appendSamples(eventStore, sample.customerRegistered(1));
  await run();
  const before = await readAllDocuments(readModels, projections);
  await sample.appendSamples(eventStore, updated('Other Name'));
  const written: string[] = [];
  readModels.beforeWrite = (_, documents) => {
    written.push(...documents.map(({ key }) => key));
    throw new StoreUnavailable('the process was killed');
  };
  const killed = await startTestProjector({ eventStore, readModels, projections });
  expect(await killed.waitFor(2n, 20)).toBe(false);
  await killed.stop();
  readModels.beforeWrite = () => {};
  expect(await readAllDocuments(readModels, projections)).toEqual(before);
  await run();
  expect(await listed()).toEqual(['1 a', '1 b', '2 a', '2 b']);
  expect(new Set(written).size).toBe(2);
  expect(await differences()).toEqual([]);
});

test('parks the stream of an event without rows, adds those of later events, and all that are missing on a retry', async () => {
  const { eventStore, readModels, broken, run, listed, differences } = fixtureOf(2n, 3n);
  await sample.appendSamples(eventStore, sample.customerRegistered(1), updated('A'), updated('B'), updated('C'));
  await run();
  expect(await listed()).toEqual(['1 a', '1 b', '4 a', '4 b']);
  const parked = { reason: 'CustomerUpdated.v1 cannot be folded: the event is broken', position: 2n };
  expect(await readModels.parked('two_rows', { limit: 9, offset: 0 })).toMatchObject([{ key: CUSTOMER, parked }]);
  expect(await differences()).toEqual([]);
  broken.splice(0, 2, 3n);
  await sample.appendSamples(eventStore, sample.retryRequested('two_rows', CUSTOMER));
  await run();
  expect(await listed()).toEqual(['1 a', '1 b', '2 a', '2 b', '4 a', '4 b']);
  expect((await readModels.get('two_rows', CUSTOMER))?.parked?.position).toBe(3n);
  expect(await differences()).toEqual([]);
  broken.length = 0;
  await sample.appendSamples(eventStore, sample.retryRequested('two_rows', CUSTOMER));
  await run();
  expect(await listed()).toEqual(['1 a', '1 b', '2 a', '2 b', '3 a', '3 b', '4 a', '4 b']);
  expect(await readModels.countParked('two_rows')).toBe(0);
  expect(await differences()).toEqual([]);
});

test('parks a repaired stream again at a later event', async () => {
  const { eventStore, readModels, broken, run, differences } = fixtureOf(1n);
  await sample.appendSamples(eventStore, sample.customerRegistered(1));
  await run();
  broken.splice(0, 1, 3n);
  await sample.appendSamples(eventStore, sample.retryRequested('two_rows', CUSTOMER), updated('A'));
  await run();
  expect((await readModels.get('two_rows', CUSTOMER))?.parked?.position).toBe(3n);
  expect(await differences()).toEqual([]);
});
