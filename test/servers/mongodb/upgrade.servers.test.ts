import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { PROJECTIONS } from '../../../projections/registry.ts';
import { type SharedProjector, startSharedProjector } from '../../../src/processes/leader-election/shared-projector.ts';
import { verifyDocuments } from '../../../src/composition/verify-documents.ts';
import { openMongoReadModels } from '../../../src/read-models/mongodb/mongo-read-models.ts';
import type { ReadModels } from '../../../src/read-models/read-models.ts';
import { openMongoRecords } from '../../../src/records/mongodb/mongo-records.ts';
import { customerRegistered, appendSamples, policyImported, RECORDED_AT } from '../../support/sample-events.ts';
import { MemoryEventStore } from '../../support/memory-event-store.ts';
import { LONG_MS, recordLogInto } from '../../support/test-projector.ts';
import { describeOnMongodb, type TestDatabase, testDatabase } from '../support/mongodb.ts';
import { lagFailure } from '../../../src/projector/projector.ts';

/** The same program with one projection in its next version. */
const NEXT = PROJECTIONS.map((one) => (one.name === 'policies' ? { ...one, version: one.version + 1 } : one));

interface Process {
  readonly projector: SharedProjector;
  readonly readModels: ReadModels;
  readonly projections: typeof PROJECTIONS;
}

describeOnMongodb('An upgrade with a new projection version', (server) => {
  let database: TestDatabase;
  let eventStore: MemoryEventStore;
  let cleanups: (() => Promise<void>)[];
  let customers: number;
  beforeEach(() => {
    database = testDatabase(server);
    eventStore = new MemoryEventStore();
    cleanups = [];
    customers = 0;
  });
  afterEach(async () => {
    for (const cleanUp of cleanups.toReversed()) await cleanUp();
    await database.drop();
  });

  async function start(projections: typeof PROJECTIONS, holder: string | undefined): Promise<Process> {
    const [readModels, records] = [openMongoReadModels(database), openMongoRecords(database)];
    cleanups.push(
      async () => await readModels.close(),
      async () => await records.close(),
    );
    const log = recordLogInto([]);
    const monotonic = (): number => performance.now();
    const pauseUnlessAborted = async (milliseconds: number, signal: AbortSignal): Promise<void> => {
      await pause(milliseconds, undefined, { signal }).catch(() => undefined);
    };
    const lease =
      holder === undefined ? undefined : { holder, leases: records, monotonic, pause: pauseUnlessAborted, log };
    const now = (): string => RECORDED_AT;
    const projector = await startSharedProjector({
      ...{ eventStore, readModels, projections, log, now, monotonic, pause: pauseUnlessAborted, lease },
    });
    cleanups.push(async () => await projector.stop());
    return { projector, readModels, projections };
  }

  async function appendMore(): Promise<bigint> {
    customers += 1;
    return await appendSamples(eventStore, customerRegistered(customers), policyImported(customers, customers));
  }

  async function expectCaughtUp(processes: readonly Process[], position: bigint): Promise<void> {
    for (const { projector } of processes) expect(await projector.waitFor(position, LONG_MS)).toBe(true);
    for (const { readModels, projections } of processes)
      expect(
        (await verifyDocuments({ eventStore, readModels, projections, publishedPosition: position })).differences,
      ).toEqual([]);
  }

  test('processes of both versions use separate read models that keep up with the log until they stop', async () => {
    const old = await start(PROJECTIONS, 'old');
    const oldApi = await start(PROJECTIONS, undefined);
    for (let n = 0; n < 20; n += 1) await appendMore();
    await expectCaughtUp([old, oldApi], await appendMore());
    const next = await start(NEXT, 'next');
    const nextApi = await start(NEXT, undefined);
    // The new version is built while the old one continues.
    for (let n = 0; n < 20; n += 1) expect(await oldApi.projector.waitFor(await appendMore(), LONG_MS)).toBe(true);
    await expectCaughtUp([old, oldApi, next, nextApi], await appendMore());
    expect([old, next].map(({ projector }) => projector.isLeading())).toEqual([true, true]);
    for (const { projector } of [oldApi, nextApi]) expect(lagFailure(projector.status())).toBeUndefined();
    await old.projector.stop();
    await next.readModels.dropOtherVersions();
    expect(await old.readModels.checkpoint('customers')).toBeUndefined();
    await expectCaughtUp([next, nextApi], await appendMore());
  });
});
