import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { PROJECTIONS } from '../../projections/registry.ts';
import { openSqliteEventStore } from '../../src/event-store/sqlite/sqlite-event-store.ts';
import { verifyDocuments } from '../../src/composition/verify.ts';
import { openSqliteReadModels } from '../../src/read-models/sqlite/sqlite-read-models.ts';
import * as sample from '../support/sample-events.ts';
import { readAllDocuments, waitForPosition, startTestProjector } from '../support/test-projector.ts';
import { appendTo } from '../../src/event-store/event-store.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'surety-projector-'));
});
afterEach(() => {
  rmSync(folder, { recursive: true });
});

test('rebuilt read models have the same documents, byte for byte', async () => {
  const eventStore = openSqliteEventStore({ file: join(folder, 'events.db') });
  const live = openSqliteReadModels({ file: join(folder, 'live.db') });
  const projector = await startTestProjector({ eventStore, readModels: live });
  for (let customer = 0; customer < 40; customer++) {
    const position = await sample.appendSamples(
      eventStore,
      sample.customerRegistered(customer),
      sample.valueReserved(customer),
      sample.policyImported(customer, customer),
      sample.claimImported(customer, customer, customer),
      sample.policyRenewed(customer, customer, sample.term('2026-01-01', '2026-12-31')),
      sample.claimSettled(customer, customer, customer),
    );
    await waitForPosition(projector, position);
  }
  const cancelled = sample.policyCancelled(1, 1);
  const unknown = { ...sample.toEventToAppend(cancelled, 2), type: 'PolicyPainted.v1' };
  const { position } = await appendTo(eventStore, cancelled.stream, 1, [unknown]);
  await waitForPosition(projector, position);
  await projector.stop();

  const again = openSqliteReadModels({ file: join(folder, 'again.db') });
  const rebuilding = await startTestProjector({ eventStore, readModels: again, batchSize: 7 });
  await waitForPosition(rebuilding, position);
  await rebuilding.stop();

  const documents = await readAllDocuments(live);
  expect(documents.size).toBe(521);
  expect([...documents.values()].filter(({ parked }) => parked !== undefined)).toHaveLength(2);
  expect(await readAllDocuments(again)).toEqual(documents);
  const verified = await verifyDocuments({ eventStore, readModels: again, projections: PROJECTIONS });
  expect(verified).toMatchObject({ up_to: String(position), compared: 521, moved_on: 0, differences: [] });
  await live.close();
  await again.close();
  await eventStore.close();
});
