import { describe, expect, test } from '@jest/globals';
import { PROJECTIONS } from '#projections/registry.ts';
import { MemoryEventStore } from '#test/support/memory-event-store.ts';
import { openTestReadModels } from '#test/support/test-read-models.ts';
import { MemoryLeases } from '#test/support/memory-leases.ts';
import { openTemporaryRecords } from '#stores/records/sqlite/sqlite-records.ts';
import { pointAt } from '#test/support/log-points.ts';
import { appendSamples, customerRegistered, policyImported, RECORDED_AT } from '#test/support/sample-events.ts';
import { startTestProjector, waitForPosition, waitUntilCaughtUp } from '#test/support/test-projector.ts';
import { publicEventsCheckpoint } from '#processes/relay/relay.ts';
import { projectorLease } from '#processes/lease/shared-projector.ts';
import { temporaryFolder } from '#test/ports/support/temporary-folder.ts';
import { diskReader, relayReader, roleReader } from './service-status.ts';

const thisProcess = { name: 'host 1', startedAt: '2026-03-01T09:00:00.000Z' };

describe('The leaders of the status', () => {
  test('are this process on a data folder, since its start', async () => {
    const roles = await roleReader({ lease: undefined, ledRoles: new Map(), thisProcess })();
    const leader = { leader: thisProcess.name, since: thisProcess.startedAt };
    expect(roles).toEqual(['projector', 'relay', 'scheduler'].map((name) => ({ name, ...leader })));
  });

  test('are the holders of the leases on servers; only of its own roles a process knows since when', async () => {
    let ms = 0;
    const leases = new MemoryLeases(() => ms);
    const read = roleReader({
      lease: { holder: 'this', leases },
      ledRoles: new Map<string, () => string | undefined>([
        ['relay', () => '2026-03-01T10:00:00.000Z'],
        ['scheduler', () => undefined],
      ]),
      thisProcess,
    });
    const unknown = { leader: null, since: null };
    expect(await read()).toEqual(['projector', 'relay', 'scheduler'].map((name) => ({ name, ...unknown })));
    await leases.acquireLease(projectorLease(PROJECTIONS), 'another', 8_000);
    await leases.acquireLease('relay', 'this', 8_000);
    await leases.acquireLease('scheduler', 'another', 8_000);
    await leases.releaseLease('scheduler', 'another');
    expect(await read()).toEqual([
      { name: 'projector', leader: 'another', since: null },
      { name: 'relay', leader: 'this', since: '2026-03-01T10:00:00.000Z' },
      { name: 'scheduler', ...unknown },
    ]);
    // Nothing renews them.
    ms += 8_001;
    expect(await read()).toEqual(['projector', 'relay', 'scheduler'].map((name) => ({ name, ...unknown })));
  });
});

describe('The relay of the status', () => {
  test('is as late as the oldest public event after its checkpoint, whatever else was recorded', async () => {
    const [eventStore, readModels, records] = [new MemoryEventStore(), openTestReadModels(), openTemporaryRecords()];
    const projector = await startTestProjector({ eventStore, readModels });
    await waitUntilCaughtUp(projector);
    const now = () => new Date(Date.parse(RECORDED_AT) + 90_000).toISOString();
    const read = relayReader({ records, readModels, eventStore, now });
    expect(await read()).toBeUndefined();
    const checkpoint = publicEventsCheckpoint(records);
    await checkpoint.save(undefined);
    expect(await read()).toEqual({ position: 0n, lagSeconds: 0 });
    await waitForPosition(projector, await appendSamples(eventStore, customerRegistered(1)));
    // No event of a customer is public.
    expect(await read()).toEqual({ position: 0n, lagSeconds: 0 });
    const purchased = await appendSamples(eventStore, policyImported(1, 1));
    await waitForPosition(projector, await appendSamples(eventStore, customerRegistered(2)));
    expect(await read()).toEqual({ position: 0n, lagSeconds: 90 });
    await checkpoint.save(pointAt(purchased));
    expect(await read()).toEqual({ position: purchased, lagSeconds: 0 });
    await projector.stop();
  });
});

test('The disk of the status is that of the folder to which the process writes', async () => {
  expect(await diskReader(undefined)()).toBeUndefined();
  const { folder, remove } = temporaryFolder();
  const space = await diskReader(folder)();
  expect(space?.total).toBeGreaterThan(space?.free ?? Infinity);
  remove();
});
