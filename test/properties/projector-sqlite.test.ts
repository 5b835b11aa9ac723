import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { PROJECTIONS } from '../../projections/registry.ts';
import { openSqliteEventStore } from '../../src/event-store/sqlite/sqlite-event-store.ts';
import { verifyReadModels } from '../../src/projector/verify.ts';
import { openSqliteReadModels } from '../../src/read-models/sqlite/sqlite-read-models.ts';
import * as happening from '../support/happenings.ts';
import { allDocuments, waitForPosition, projecting } from '../support/projector-world.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'surety-projector-'));
});
afterEach(() => {
  rmSync(folder, { recursive: true });
});

test('when the read models are deleted and made again, then the documents are the same, byte for byte', async () => {
  const eventStore = openSqliteEventStore({ file: join(folder, 'events.db') });
  const live = openSqliteReadModels({ file: join(folder, 'live.db') });
  const projector = await projecting({ eventStore, readModels: live });
  for (let customer = 0; customer < 40; customer++) {
    const position = await happening.happen(
      eventStore,
      happening.customerRegistered(customer),
      happening.valueReserved(customer),
      happening.policyImported(customer, customer),
      happening.claimImported(customer, customer, customer),
      happening.policyRenewed(customer, customer, happening.term('2026-01-01', '2026-12-31')),
      happening.claimSettled(customer, customer, customer),
    );
    await waitForPosition(projector, position);
  }
  const cancelled = happening.policyCancelled(1, 1);
  const unknown = { ...happening.toAppend(cancelled, 2), type: 'PolicyPainted.v1' };
  const { position } = await eventStore.append(cancelled.stream, 1, [unknown]);
  await waitForPosition(projector, position);
  await projector.stop();

  const again = openSqliteReadModels({ file: join(folder, 'again.db') });
  const rebuilding = await projecting({ eventStore, readModels: again, batchSize: 7 });
  await waitForPosition(rebuilding, position);
  await rebuilding.stop();

  const documents = await allDocuments(live);
  expect(documents.size).toBe(120);
  expect([...documents.values()].filter(({ parked }) => parked !== undefined)).toHaveLength(2);
  expect(await allDocuments(again)).toEqual(documents);
  const verified = await verifyReadModels({ eventStore, readModels: again, projections: PROJECTIONS });
  expect(verified).toEqual({ upTo: position, compared: 120, advancedCount: 0, differences: [] });
  await live.close();
  await again.close();
  await eventStore.close();
});
