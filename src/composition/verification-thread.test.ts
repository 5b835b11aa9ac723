import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { openStoresUnderTest, type StoresUnderTest } from '../../test/support/stores-under-test.ts';
import { appendSamples, customerRegistered, policyImported } from '../../test/support/sample-events.ts';
import { startTestProjector, waitForPosition } from '../../test/support/test-projector.ts';
import type { Position } from '../event-store/event-store.ts';
import type { Projector } from '../projector/projector.ts';
import { countDifferences } from '../projector/verification.ts';
import { VerificationThread } from './verification-thread.ts';

const { signal: ANY_TIME } = new AbortController();

let stores: StoresUnderTest;
let projector: Projector;

beforeEach(async () => {
  stores = await openStoresUnderTest();
  projector = await startTestProjector(stores);
});

afterEach(async () => {
  await projector.stop();
  await stores.remove();
});

/** Appends a policy, and waits until the read models reflect it. */
async function addPolicy(number: number): Promise<Position> {
  const position = await appendSamples(stores.eventStore, policyImported(1, number));
  await waitForPosition(projector, position);
  return position;
}

describe('the thread of verifications', () => {
  test('compares documents that have changed since with their newest event, while the service writes', async () => {
    await appendSamples(stores.eventStore, customerRegistered(1));
    const upTo = await addPolicy(1);
    await addPolicy(2);
    const thread = new VerificationThread(stores.locations, () => upTo);
    let number = 3;
    let added = Promise.resolve();
    const report = await thread.run(ANY_TIME, () => {
      added = added.then(async () => void (await addPolicy(number++)));
    });
    await added;
    expect(report.documents).toMatchObject({ upTo, differences: [] });
    expect(report.documents.advancedCount).toBeGreaterThan(0);
    expect(countDifferences(report)).toBe(0);
  });

  test('stops between two steps when the request is aborted', async () => {
    await addPolicy(1);
    const thread = new VerificationThread(stores.locations, () => projector.status().position);
    const controller = new AbortController();
    const running = thread.run(controller.signal, () => controller.abort(new Error('the client left')));
    await expect(running).rejects.toThrow('the client left');
    expect((await thread.run(ANY_TIME, () => {})).documents.compared).toBeGreaterThan(0);
  });

  test('reports stores that cannot be read as an outage', async () => {
    const documents = { readModelsFile: '/nowhere/read-models.db', recordsFile: '/nowhere/records.db' };
    const thread = new VerificationThread({ log: { file: '/nowhere/events.db' }, documents }, () => 1n);
    await expect(thread.run(ANY_TIME, () => {})).rejects.toMatchObject({ name: 'StoreUnavailable', store: 'SQLite' });
  });
});
