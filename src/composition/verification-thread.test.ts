import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { openStoresUnderTest, type StoresUnderTest } from '../../test/support/stores-under-test.ts';
import { appendSamples, customerRegistered, policyImported } from '../../test/support/sample-events.ts';
import { startTestProjector, waitForPosition } from '../../test/support/test-projector.ts';
import type { Position } from '../event-store/event-store.ts';
import type { Projector } from '../projector/projector.ts';
import { countFindings } from '../projector/verification.ts';
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

/** Changes the log behind the store. */
function damage(sql: string): void {
  const { log } = stores.locations;
  const database = new DatabaseSync('file' in log ? log.file : '', { timeout: 5_000 });
  database.exec(sql);
  database.close();
}

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
    expect(report).toMatchObject({ log: { faults: 0 }, readModels: { documents: { upTo, differences: [] } } });
    expect(report.readModels?.documents.advancedCount).toBeGreaterThan(0);
    expect(countFindings(report)).toBe(0);
  });

  test('compares nothing with a log of which an event was altered, or of which the end is missing', async () => {
    const position = await addPolicy(1);
    const [event] = await stores.eventStore.readAll({ after: undefined, limit: 1 });
    const thread = new VerificationThread(stores.locations, () => position);
    damage("UPDATE events SET data = replace(data, '100.00', '900.00')");
    const altered = { what: 'unreadable', reason: 'PolicyImported.v1 was altered in the store', position };
    expect(await thread.run(ANY_TIME, () => {})).toMatchObject({
      log: { events: 1, faults: 1, named: [{ ...altered, event: { id: event?.id } }] },
      readModels: undefined,
    });
    damage('DELETE FROM events');
    expect(await thread.run(ANY_TIME, () => {})).toMatchObject({
      log: {
        events: 0,
        faults: 1,
        named: [{ what: 'missing', position, reason: expect.stringContaining(`${event?.id}`) }],
      },
      readModels: undefined,
    });
  });

  test('stops between two steps when the request is aborted', async () => {
    await addPolicy(1);
    const thread = new VerificationThread(stores.locations, () => projector.status().position);
    const controller = new AbortController();
    const running = thread.run(controller.signal, () => controller.abort(new Error('the client left')));
    await expect(running).rejects.toThrow('the client left');
    expect((await thread.run(ANY_TIME, () => {})).readModels?.documents.compared).toBeGreaterThan(0);
  });

  test('reports stores that cannot be read as an outage', async () => {
    const documents = { readModelsFile: '/nowhere/read-models.db', recordsFile: '/nowhere/records.db' };
    const thread = new VerificationThread({ log: { file: '/nowhere/events.db' }, documents }, () => 1n);
    await expect(thread.run(ANY_TIME, () => {})).rejects.toMatchObject({ name: 'StoreUnavailable', store: 'SQLite' });
  });
});
