import { expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { earlierName, VERIFICATION, type VerificationReport } from '#queries/verifications.ts';
import { type Step, anyStep, performStep } from '#test/support/any-log.ts';
import { withPositionGaps } from '#test/support/sparse-event-store.ts';
import { policyImported, policyRenewed, term, toEventToAppend, valueReserved } from '#test/support/sample-events.ts';
import { MemoryEventStore } from '#test/support/memory-event-store.ts';
import { dyingRecords } from '#test/support/dying-records.ts';
import type { Records } from '#stores/records/records.ts';
import { openTemporaryRecords } from '#stores/records/sqlite/sqlite-records.ts';
import { appendTo, bytesOf, type EventStore, MAX_APPEND_BYTES } from '#stores/event-log/event-log.ts';
import { StoreUnavailable } from '#stores/shared/store-unavailable.ts';
import { SCHEDULER_CLOCK } from '#processes/scheduler/clock.ts';
import { readInstallation, updateInstallation } from '#stores/records/installation.ts';
import {
  MIGRATION,
  type MigrationOptions,
  type MigrationReport,
  migrate,
  refuseUnfinishedMigration,
} from './migrate.ts';

const SECRET = 'hash of the secret of the folder';
const SOME_STEPS = fc.sample(fc.array(anyStep, { minLength: 25, maxLength: 40 }), { numRuns: 1, seed: 6 })[0] ?? [];

interface Side {
  readonly log: MemoryEventStore;
  readonly eventStore: EventStore;
  readonly records: Records;
}

/**
 * A folder in which these steps were taken, one append of several events among them, with everything that records can
 * hold.
 */
async function folderAfter(steps: readonly Step[]): Promise<Side> {
  const log = new MemoryEventStore();
  const records = openTemporaryRecords();
  for (const each of steps) await performStep(log, each);
  const [first, next] = [policyImported(9, 9), policyRenewed(9, 9, term('2026-01-01', '2026-12-31'))];
  await appendTo(log, first.stream, 'no_stream', [toEventToAppend(first, 0), toEventToAppend(next, 1)]);
  await records.putBlob(Uint8Array.of(1, 2, 3));
  await records.revokeKey('key-1');
  await records.setValue('sample', 'done');
  await records.setValue(SCHEDULER_CLOCK, '{"time":"2026-03-01T10:00:00.000Z"}');
  await updateInstallation(records, (current) => current);
  return { log, eventStore: log, records };
}

function emptyServers(): Side {
  const log = new MemoryEventStore();
  return { log, eventStore: withPositionGaps(log), records: openTemporaryRecords() };
}

/** The report of a verification that found so many differing documents. */
function verification(differing: number): VerificationReport {
  const documents = { up_to: null, compared: 9, moved_on: 0, differing, missing: 0, surplus: 0, differences: [] };
  const contents = { compared: 0, differences: [] };
  return {
    log: { events: 9, up_to: null, faults: 0, first_faults: [] },
    read_models: { ...documents, parked: 0, parked_documents: [], contents },
  };
}

async function move(
  source: Pick<Side, 'eventStore' | 'records'>,
  target: Pick<Side, 'eventStore' | 'records'>,
  options: Partial<MigrationOptions> = {},
): Promise<MigrationReport> {
  return await migrate({
    source,
    target,
    secret: SECRET,
    findLeaders: async () => await Promise.resolve([]),
    verify: async () => await Promise.resolve(verification(0)),
    markMoved: () => {},
    onProgress: () => {},
    ...options,
  });
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

/**
 * Kills the process at an append to one stream, which is written before or not; the appends before it in the same call
 * are written.
 */
function killedAt({ eventStore }: Side, kill: number, isWritten: boolean): EventStore {
  let appends = 0;
  return {
    ...eventStore,
    append: async (batch) => {
      const results = [];
      for (const one of batch) {
        appends += 1;
        if (appends < kill || (appends === kill && isWritten)) results.push(...(await eventStore.append([one])));
        if (appends >= kill) throw new StoreUnavailable('killed');
      }
      return results;
    },
  };
}

const UNFINISHED = 'is not finished: run surety migrate again';

test('moves log and records of a folder to empty servers', async () => {
  const folder = await folderAfter(SOME_STEPS);
  const servers = emptyServers();
  const report = await move(folder, servers);
  const events = await eventsOf(folder.log);
  const sha256 = expect.stringMatching(/^[0-9a-f]{64}$/);
  expect(report).toMatchObject({ events: events.length, sha256, contents: 1, revoked_keys: 1, values: 2 });
  expect(report.is_moved).toBe(true);
  expect(await eventsOf(servers.log)).toEqual(events);
  expect(await servers.records.isKeyRevoked('key-1')).toBe(true);
  for (const name of ['sample', SCHEDULER_CLOCK])
    expect(await servers.records.getValue(name)).toBe(await folder.records.getValue(name));
  const blobs = { after: undefined, limit: 9 };
  expect(await servers.records.list('blobs', blobs)).toEqual(await folder.records.list('blobs', blobs));
  await expect(refuseUnfinishedMigration(servers.records)).resolves.toBeUndefined();
});

test('gives the same result when it is repeated after a kill at any append, acknowledged or not', async () => {
  const folder = await folderAfter(SOME_STEPS);
  const events = await eventsOf(folder.log);
  let killed = true;
  for (let kill = 1; killed; kill += 1) {
    for (const isWritten of [true, false]) {
      const servers = emptyServers();
      killed = await isKilled(move(folder, { ...servers, eventStore: killedAt(servers, kill, isWritten) }));
      if (killed) {
        await expect(refuseUnfinishedMigration(servers.records)).rejects.toThrow(UNFINISHED);
        await move(folder, servers);
      }
      expect(await eventsOf(servers.log)).toEqual(events);
    }
  }
});

test('can be repeated after a kill between any two writes to the records', async () => {
  const folder = await folderAfter(SOME_STEPS);
  const servers = emptyServers();
  for (let allowed = 0; ; allowed += 1) {
    if (!(await isKilled(move(folder, { ...servers, records: dyingRecords(servers.records, allowed) })))) break;
    await expect(servers.records.getValue(MIGRATION)).resolves.not.toBe('done');
  }
  expect(await servers.records.getValue('sample')).toBe('done');
  expect(await servers.records.getValue(MIGRATION)).toBe('done');
});

test('moves checkpoints to the copies of their events, and leaves out verifications', async () => {
  const folder = await folderAfter(SOME_STEPS);
  const ids = (await folder.log.readAll({ after: undefined, limit: 9 })).map(({ id }) => id);
  await folder.records.setValue('checkpoint mail-jobs', `5 ${ids[4]}`);
  await folder.records.setValue('checkpoint none', '');
  for (const name of [VERIFICATION, earlierName({ number: 3 })]) await folder.records.setValue(name, '{}');
  const completion = { after: `4 ${ids[3]}`, givenUp: ['2', '3'] };
  await folder.records.setValue('completion-checkpoint', JSON.stringify(completion));
  const { eventStore, records } = emptyServers();
  await move(folder, { eventStore, records });
  expect(await records.getValue('checkpoint mail-jobs')).toBe(`5007 ${ids[4]}`);
  expect(await records.getValue('checkpoint none')).toBe('');
  for (const name of [VERIFICATION, earlierName({ number: 3 })]) expect(await records.getValue(name)).toBeUndefined();
  const copied = { after: `4007 ${ids[3]}`, givenUp: ['2007', '3007'] };
  expect(JSON.parse((await records.getValue('completion-checkpoint')) ?? '')).toEqual(copied);
});

test.each([
  ['checkpoint mail-jobs', '5 id-of-another-log', 'checkpoint mail-jobs in the records is 5, but the log'],
  ['checkpoint mail-jobs', '5000 beyond-the-end', 'checkpoint mail-jobs in the records is 5000, but the log'],
  ['something new', '17', '"something new" that this version cannot migrate'],
])('refuses the value %j with the text %j', async (name, text, message) => {
  const folder = await folderAfter(SOME_STEPS);
  await folder.records.setValue(name, text);
  const servers = emptyServers();
  await expect(move(folder, servers)).rejects.toThrow(message);
  await expect(refuseUnfinishedMigration(servers.records)).rejects.toThrow(UNFINISHED);
});

test('refuses a damaged content', async () => {
  const folder = await folderAfter([]);
  folder.records.getBlobRow = async () => await Promise.resolve(Uint8Array.of(1, 2, 4));
  await expect(move(folder, emptyServers())).rejects.toThrow(/^The content [0-9a-f]{64} of the folder is damaged/);
});

test('refuses servers with events and leaves them usable', async () => {
  const folder = await folderAfter(SOME_STEPS);
  const servers = emptyServers();
  await performStep(servers.log, ['noise', 11]);
  await expect(move(folder, servers)).rejects.toThrow('surety migrate needs empty ones');
  expect(await eventsOf(servers.log)).toHaveLength(1);
  await expect(refuseUnfinishedMigration(servers.records)).resolves.toBeUndefined();
});

test('keeps the servers closed when another process wrote to them after a part was copied', async () => {
  const folder = await folderAfter(SOME_STEPS);
  const servers = emptyServers();
  expect(await isKilled(move(folder, { ...servers, eventStore: killedAt(servers, 2, true) }))).toBe(true);
  const other = policyImported(8, 8);
  await appendTo(servers.log, other.stream, 'no_stream', [toEventToAppend(other, 0)]);
  await expect(move(folder, servers)).rejects.toThrow('The folder does not have the last event of the servers');
  await expect(refuseUnfinishedMigration(servers.records)).rejects.toThrow(UNFINISHED);
});

test('refuses a copy in which one event is another', async () => {
  const folder = await folderAfter(SOME_STEPS);
  const servers = emptyServers();
  const append: EventStore['append'] = async (appends) => {
    const altered = appends.map((one) => ({ ...one, events: one.events.map((event) => ({ ...event, data: {} })) }));
    return await servers.eventStore.append(altered);
  };
  const moving = move(folder, { ...servers, eventStore: { ...servers.eventStore, append } });
  await expect(moving).rejects.toThrow(/^The (\d+) events on the servers are not the \1 events of the folder: /);
  await expect(refuseUnfinishedMigration(servers.records)).rejects.toThrow(UNFINISHED);
});

test('writes nothing but the mark, and takes it back, when a role has a leader on the servers', async () => {
  const folder = await folderAfter(SOME_STEPS);
  const servers = emptyServers();
  const seen: (string | undefined)[] = [];
  const findLeaders = async (): Promise<readonly string[]> => {
    seen.push(await servers.records.getValue(MIGRATION));
    return ['relay', 'scheduler'];
  };
  const refusal = 'Services run on the servers (roles with a leader: relay, scheduler): stop all of them first.';
  await expect(move(folder, servers, { findLeaders })).rejects.toThrow(refusal);
  expect(seen).toEqual(['under way']);
  expect(await eventsOf(servers.log)).toEqual([]);
  await expect(refuseUnfinishedMigration(servers.records)).resolves.toBeUndefined();
  await move(folder, servers);
});

test('keeps every append below the limit of the servers, also for multi-byte characters', async () => {
  const folder = await folderAfter([]);
  const servers = emptyServers();
  // In characters ten of them go into one append.
  for (let revision = 0; revision < 12; revision += 1) {
    const expected = revision === 0 ? 'no_stream' : revision - 1;
    const event = { ...toEventToAppend(valueReserved(1), revision), data: { text: '€'.repeat(39_000) } };
    await appendTo(folder.log, 'noise-1', expected, [event]);
  }
  const sizes: number[] = [];
  const append: EventStore['append'] = async (appends) => {
    for (const { events } of appends) sizes.push(events.reduce((sum, event) => sum + bytesOf(event), 0));
    return await servers.eventStore.append(appends);
  };
  await move(folder, { ...servers, eventStore: { ...servers.eventStore, append } });
  expect(Math.max(...sizes)).toBeLessThan(MAX_APPEND_BYTES);
  expect(sizes.length).toBeLessThan(12);
  expect(await eventsOf(servers.log)).toEqual(await eventsOf(folder.log));
});

test('replaces the secret of the servers by that of the folder', async () => {
  const servers = emptyServers();
  const relayStart = { 'checkpoint x': '' };
  await updateInstallation(servers.records, (current) => ({ ...current, secret: 'another', relayStart }));
  await move(await folderAfter([]), servers);
  expect(await readInstallation(servers.records)).toEqual({ format: 1, secret: SECRET, relayStart });
});

test('refuses servers whose migration was finished before', async () => {
  const folder = await folderAfter(SOME_STEPS);
  const servers = emptyServers();
  await move(folder, servers);
  await expect(move(folder, servers)).rejects.toThrow('If this folder was moved there, start the services on them');
});

test('marks the folder after everything was verified and before services may start on the servers', async () => {
  const folder = await folderAfter(SOME_STEPS);
  const servers = emptyServers();
  const failToMark = (): never => {
    throw new Error('no space left');
  };
  await expect(move(folder, servers, { markMoved: failToMark })).rejects.toThrow('no space left');
  await expect(refuseUnfinishedMigration(servers.records)).rejects.toThrow(UNFINISHED);
  const steps: string[] = [];
  const verify = async () => await Promise.resolve(steps.push('verify')).then(() => verification(0));
  await move(folder, servers, { verify, markMoved: () => void steps.push('mark') });
  expect(steps).toEqual(['verify', 'mark']);
});

test('does not finish when a document differs', async () => {
  const servers = emptyServers();
  const verify = async () => await Promise.resolve(verification(1));
  const report = await move(await folderAfter(SOME_STEPS), servers, {
    verify,
    markMoved: () => {
      throw new Error('The folder is marked though a document differs');
    },
  });
  expect(report.is_moved).toBe(false);
  await expect(refuseUnfinishedMigration(servers.records)).rejects.toThrow(UNFINISHED);
});
