import { expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { earlierName, VERIFICATION } from '#queries/verifications.ts';
import { PROJECTIONS } from '#projections/registry.ts';
import { type Step, anyStep, performStep } from '#test/support/any-log.ts';
import { withPositionGaps } from '#test/support/sparse-event-store.ts';
import { policyImported, policyRenewed, term, toEventToAppend, valueReserved } from '#test/support/sample-events.ts';
import { MemoryEventStore } from '#test/support/memory-event-store.ts';
import { MemoryReadModels } from '#test/support/memory-read-models.ts';
import { dyingRecords, MemoryRecords } from '#test/support/memory-records.ts';
import { runTestProjector } from '#test/support/test-projector.ts';
import { appendTo, bytesOf, MAX_APPEND_BYTES } from '#stores/event-log/event-log.ts';
import { StoreUnavailable } from '#stores/shared/store-unavailable.ts';
import { SCHEDULER_CLOCK } from '#processes/scheduler/clock.ts';
import { collectionsOf } from '#read-side/start-projector.ts';
import { readInstallation, updateInstallation } from '#stores/records/installation.ts';
import { secretHash } from '#service/security/start-secrets.ts';
import { MIGRATION, NOTICED_WITHIN_MS, refuseWhileMigrating } from './migration-state.ts';
import { migrate, type MigrationReport, type MigrationSource, type MigrationTarget } from './migrate.ts';
import { writeDocuments } from '#test/support/write-documents.ts';

const SECRET = 'the secret of the folder, as long as any';
const COLLECTIONS = PROJECTIONS.map(({ name }) => name);
const SOME_STEPS = fc.sample(fc.array(anyStep, { minLength: 25, maxLength: 40 }), { numRuns: 1, seed: 6 })[0] ?? [];

interface Side {
  readonly log: MemoryEventStore;
  readonly records: MemoryRecords;
  readonly readModels: MemoryReadModels;
}

async function side(): Promise<Side> {
  const readModels = new MemoryReadModels();
  await readModels.open(collectionsOf(PROJECTIONS));
  return { log: new MemoryEventStore(), records: new MemoryRecords(), readModels };
}

/** A folder in which these steps were taken, one append of several events among them, with everything that records can hold. */
async function folderAfter(steps: readonly Step[]): Promise<Side & { source: MigrationSource }> {
  const folder = await side();
  for (const each of steps) await performStep(folder.log, each);
  const [first, next] = [policyImported(9, 9), policyRenewed(9, 9, term('2026-01-01', '2026-12-31'))];
  await appendTo(folder.log, first.stream, 'no_stream', [toEventToAppend(first, 0), toEventToAppend(next, 1)]);
  await runTestProjector({ eventStore: folder.log, readModels: folder.readModels });
  await folder.records.putBlob(Uint8Array.of(1, 2, 3));
  await folder.records.revokeKey('key-1');
  await folder.records.setValue('sample', 'done');
  await folder.records.setValue(SCHEDULER_CLOCK, '{"time":"2026-03-01T10:00:00.000Z"}');
  await updateInstallation(folder.records, (current) => ({ ...current }));
  const source = {
    ...folder,
    eventStore: folder.log,
    secretHash: secretHash(SECRET),
    markMoved: () => {},
  };
  return { ...folder, source };
}

/** Empty servers. */
async function servers(): Promise<Side & { target: MigrationTarget }> {
  const empty = await side();
  const eventStore = withPositionGaps(empty.log);
  const target = {
    ...empty,
    eventStore,
    findLeaders: async () => await Promise.resolve([]),
    buildReadModels: async () => await runTestProjector({ eventStore, readModels: empty.readModels }),
  };
  return { ...empty, target };
}

async function move(source: MigrationSource, target: MigrationTarget): Promise<MigrationReport> {
  return await migrate({ source, target, collections: COLLECTIONS });
}

/** Any other failure is thrown, which ends the loop over the points at which a run can be killed. */
async function isKilled(moving: Promise<unknown>): Promise<boolean> {
  return await moving.then(
    () => false,
    (error: unknown) => {
      if (error instanceof Error && error.message.includes('killed')) return true;
      throw error;
    },
  );
}

async function eventsOf(log: MemoryEventStore): Promise<object[]> {
  return (await log.readAll({ after: undefined, limit: 10_000 })).map(({ position: _, ...event }) => event);
}

test('moves log, records and documents of a folder to empty servers', async () => {
  const folder = await folderAfter(SOME_STEPS);
  const { target, log, records } = await servers();
  const report = await move(folder.source, target);
  const events = await eventsOf(folder.log);
  expect(report).toMatchObject({ events: events.length, copied: events.length, blobs: 1, revokedKeys: 1, values: 2 });
  expect(report.readModels.compared).toBeGreaterThan(5);
  expect(report.readModels.differences).toEqual([]);
  expect(await eventsOf(log)).toEqual(events);
  expect(await records.isKeyRevoked('key-1')).toBe(true);
  for (const name of ['sample', SCHEDULER_CLOCK])
    expect(await records.getValue(name)).toBe(await folder.records.getValue(name));
  const onServers = { format: 1, secret: secretHash(SECRET), relayStart: {} };
  expect(await readInstallation(records)).toEqual(onServers);
  expect(await records.list('blobs', { after: undefined, limit: 9 })).toEqual(
    await folder.records.list('blobs', { after: undefined, limit: 9 }),
  );
  await expect(refuseWhileMigrating(records)).resolves.toBeUndefined();
});

test('gives the same result when it is repeated after a kill at any append, acknowledged or not', async () => {
  const folder = await folderAfter(SOME_STEPS);
  const events = await eventsOf(folder.log);
  let killed = true;
  for (let kill = 1; killed; kill += 1) {
    for (const isWritten of [true, false]) {
      const { target, log, records } = await servers();
      let appends = 0;
      const failingRecords: MigrationTarget['eventStore'] = {
        readAll: target.eventStore.readAll,
        append: async (...args) => {
          appends += 1;
          if (appends === kill && isWritten) await target.eventStore.append(...args);
          if (appends >= kill) throw new StoreUnavailable('killed');
          return await target.eventStore.append(...args);
        },
      };
      killed = await isKilled(move(folder.source, { ...target, eventStore: failingRecords }));
      if (killed) {
        await expect(refuseWhileMigrating(records)).rejects.toMatchObject({ name: 'MigrationInProgress' });
        await move(folder.source, target);
      }
      expect(await eventsOf(log)).toEqual(events);
    }
  }
});

test('translates checkpoints at and between events, and leaves out verifications', async () => {
  const folder = await folderAfter(SOME_STEPS);
  const last = (await folder.log.lastPosition()) ?? 0n;
  await folder.records.setValue('checkpoint mail-jobs', '5 id-5');
  await folder.records.setValue('checkpoint none', '');
  for (const name of [VERIFICATION, earlierName({ number: 3 })]) await folder.records.setValue(name, '{}');
  await folder.records.setValue('checkpoint ahead', `${last + 3n} id-of-another-log`);
  await folder.records.setValue('completion-checkpoint', JSON.stringify({ after: '4 id-4', givenUp: ['2', '3'] }));
  const { target, records } = await servers();
  await move(folder.source, target);
  expect(await records.getValue('checkpoint mail-jobs')).toBe('5007 id-5');
  expect(await records.getValue('checkpoint none')).toBe('');
  for (const name of [VERIFICATION, earlierName({ number: 3 })]) expect(await records.getValue(name)).toBeUndefined();
  expect(await records.getValue('checkpoint ahead')).toBe(`${last * 1_000n + 7n} id-of-another-log`);
  const completion = { after: '4007 id-4', givenUp: ['2007', '3007'] };
  expect(JSON.parse((await records.getValue('completion-checkpoint')) ?? '')).toEqual(completion);
});

test('refuses servers with another log and leaves them usable', async () => {
  const folder = await folderAfter(SOME_STEPS);
  const { target, log, records } = await servers();
  await performStep(log, ['noise', 11]);
  // The first run is killed while it compares: services refuse to start until the second run has found the mismatch.
  const readAll = async (): Promise<never> => await Promise.reject(new StoreUnavailable('killed'));
  const killed = move(folder.source, { ...target, eventStore: { ...target.eventStore, readAll } });
  await expect(killed).rejects.toThrow('killed');
  await expect(refuseWhileMigrating(records)).rejects.toMatchObject({ name: 'MigrationInProgress' });
  await expect(move(folder.source, target)).rejects.toMatchObject({ name: 'TargetLogMismatch' });
  expect(await eventsOf(log)).toHaveLength(1);
  await expect(refuseWhileMigrating(records)).resolves.toBeUndefined();
});

test('keeps the servers closed when another process writes to them after a part was copied', async () => {
  const folder = await folderAfter(SOME_STEPS);
  const { target, log, records } = await servers();
  const append: MigrationTarget['eventStore']['append'] = async (...args) => {
    await target.eventStore.append(...args);
    throw new StoreUnavailable('killed');
  };
  await expect(move(folder.source, { ...target, eventStore: { ...target.eventStore, append } })).rejects.toThrow(
    'killed',
  );
  await performStep(log, ['noise', 11]);
  await expect(move(folder.source, target)).rejects.toMatchObject({ name: 'TargetLogMismatch' });
  await expect(refuseWhileMigrating(records)).rejects.toMatchObject({ name: 'MigrationInProgress' });
});

test('writes nothing, also no announcement, when a role has a leader on the servers', async () => {
  const folder = await folderAfter(SOME_STEPS);
  const { target, log, records } = await servers();
  const findLeaders = async (): Promise<readonly string[]> => await Promise.resolve(['relay', 'scheduler']);
  const moving = move(folder.source, { ...target, findLeaders });
  await expect(moving).rejects.toMatchObject({ name: 'ServicesRunning', roles: ['relay', 'scheduler'] });
  expect(await eventsOf(log)).toEqual([]);
  expect(await records.list('values', { after: undefined, limit: 9 })).toEqual([]);
});

test('waits for processes that were starting, and cancels the migration when one of them leads', async () => {
  const folder = await folderAfter(SOME_STEPS);
  const { target, log, records } = await servers();
  const asked: { readonly marked: string | undefined; readonly atLeastMs: number }[] = [];
  const findLeaders: MigrationTarget['findLeaders'] = async (atLeastMs) => {
    const marked = await records.getValue(MIGRATION);
    asked.push({ marked, atLeastMs });
    return marked === undefined ? [] : ['relay'];
  };
  await expect(move(folder.source, { ...target, findLeaders })).rejects.toMatchObject({ name: 'ServicesRunning' });
  expect(asked).toEqual([
    { marked: undefined, atLeastMs: 0 },
    { marked: 'beginning', atLeastMs: NOTICED_WITHIN_MS },
  ]);
  expect(await eventsOf(log)).toEqual([]);
  await expect(refuseWhileMigrating(records)).resolves.toBeUndefined();
  await move(folder.source, target);
});

test('keeps every append below the limit of the servers, also for multi-byte characters', async () => {
  const folder = await folderAfter([]);
  const { target, log } = await servers();
  const noise = (revision: number, text: string) => ({
    ...toEventToAppend(valueReserved(1), revision),
    data: { text },
  });
  // In characters ten of them go into one append.
  for (let revision = 0; revision < 12; revision += 1) {
    const expected = revision === 0 ? 'no_stream' : revision - 1;
    await appendTo(folder.log, 'noise-1', expected, [noise(revision, '€'.repeat(39_000))]);
  }
  const sizes: number[] = [];
  const append: MigrationTarget['eventStore']['append'] = async (appends) => {
    for (const { events } of appends) sizes.push(events.reduce((sum, event) => sum + bytesOf(event), 0));
    return await target.eventStore.append(appends);
  };
  await move(folder.source, { ...target, eventStore: { ...target.eventStore, append } });
  expect(Math.max(...sizes)).toBeLessThan(MAX_APPEND_BYTES);
  expect(await eventsOf(log)).toEqual(await eventsOf(folder.log));
});

test('replaces the secret of the servers by that of the folder', async () => {
  const folder = await folderAfter([]);
  const { target, records } = await servers();
  const secret = secretHash('a secret that signs no link of this folder');
  await updateInstallation(records, (current) => ({ ...current, secret, relayStart: { 'checkpoint x': '' } }));
  await move(folder.source, target);
  expect(await readInstallation(records)).toMatchObject({
    secret: secretHash(SECRET),
    relayStart: { 'checkpoint x': '' },
  });
});

test('refuses servers whose migration was finished before', async () => {
  const folder = await folderAfter(SOME_STEPS);
  const { target } = await servers();
  await move(folder.source, target);
  await expect(move(folder.source, target)).rejects.toMatchObject({
    name: 'MigrationDone',
    message: expect.stringMatching(/was finished before: start the services .*empty the servers .*surety setup/),
  });
});

test('marks the folder after everything was compared and before services may start on the servers', async () => {
  const folder = await folderAfter(SOME_STEPS);
  const { target, records } = await servers();
  const marked: (string | undefined)[] = [];
  const failToMark = (): never => {
    throw new Error('no space left');
  };
  await expect(move({ ...folder.source, markMoved: failToMark }, target)).rejects.toThrow('no space left');
  await expect(refuseWhileMigrating(records)).rejects.toMatchObject({ name: 'MigrationInProgress' });
  const markMoved = async (): Promise<void> => void marked.push(await records.getValue(MIGRATION));
  const { readModels } = await move({ ...folder.source, markMoved }, target);
  expect(readModels.differences).toEqual([]);
  expect(marked).toEqual(['under way']);
});

test('moves nothing when the records have an unknown value', async () => {
  const folder = await folderAfter([]);
  await folder.records.setValue('something new', '17');
  const { target, log } = await servers();
  await expect(move(folder.source, target)).rejects.toThrow('something new');
  expect(await eventsOf(log)).toEqual([]);
});

test('reports a document that differs and does not finish the migration', async () => {
  const folder = await folderAfter(SOME_STEPS);
  const [policy] = await folder.readModels.scan('policies', { after: undefined, limit: 1 });
  if (policy === undefined) throw new Error('no policy');
  await writeDocuments(folder.readModels, 'policies', [{ ...policy, body: '{}' }], policy.position);
  const { target, records } = await servers();
  const markMoved = (): never => {
    throw new Error('The folder is marked though documents differ');
  };
  const { readModels } = await move({ ...folder.source, markMoved }, target);
  expect(readModels.differences).toEqual([{ collection: 'policies', key: policy.key, what: ['body'] }]);
  expect(await records.getValue(MIGRATION)).toBe('under way');
});

test('can be repeated after a kill between any two writes to the records', async () => {
  const folder = await folderAfter(SOME_STEPS);
  await folder.records.setValue('checkpoint mail-jobs', '5 id-5');
  const { target, records } = await servers();
  for (let allowed = 0; ; allowed += 1) {
    const failingRecords = dyingRecords(records, allowed);
    if (!(await isKilled(move(folder.source, { ...target, records: failingRecords })))) break;
    await expect(records.getValue(MIGRATION)).resolves.not.toBe('done');
  }
  expect(await records.getValue('checkpoint mail-jobs')).toBe('5007 id-5');
  expect(await records.getValue(MIGRATION)).toBe('done');
});
