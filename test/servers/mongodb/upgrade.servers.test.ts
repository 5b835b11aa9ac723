import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { PROJECTIONS } from '../../../projections/registry.ts';
import { type SharedProjector, startSharedProjector } from '../../../src/processes/shared-projector.ts';
import { lagFailure } from '../../../src/projector/lag.ts';
import { verifyReadModels } from '../../../src/projector/verify.ts';
import { openMongoReadModels } from '../../../src/read-models/mongodb/mongo-read-models.ts';
import type { ReadModels } from '../../../src/read-models/read-models.ts';
import { openMongoRecords } from '../../../src/records/mongodb/mongo-records.ts';
import { customerRegistered, happen, policyImported, RECORDED_AT } from '../../support/happenings.ts';
import { MemoryEventStore } from '../../support/memory-event-store.ts';
import { LONG_MS, loggedInto } from '../../support/projector-world.ts';
import { describeOnMongodb, type TestDatabase, testDatabase } from '../support/mongodb.ts';

/** The same program with one projection in its next version. */
const NEXT = PROJECTIONS.map((one) => (one.name === 'policies' ? { ...one, version: one.version + 1 } : one));

interface Process {
  readonly projector: SharedProjector;
  readonly readModels: ReadModels;
  readonly projections: typeof PROJECTIONS;
}

describeOnMongodb('an upgrade that raises the version of a projection', (server) => {
  let database: TestDatabase;
  let eventStore: MemoryEventStore;
  let ends: (() => Promise<void>)[];
  let people: number;
  beforeEach(() => {
    database = testDatabase(server);
    eventStore = new MemoryEventStore();
    ends = [];
    people = 0;
  });
  afterEach(async () => {
    for (const end of ends.toReversed()) await end();
    await database.drop();
  });

  async function start(projections: typeof PROJECTIONS, holder: string | undefined): Promise<Process> {
    const [readModels, records] = [openMongoReadModels(database), openMongoRecords(database)];
    ends.push(
      async () => await readModels.close(),
      async () => await records.close(),
    );
    const log = loggedInto([]);
    const monotonic = (): number => performance.now();
    const rest = async (milliseconds: number, signal: AbortSignal): Promise<void> => {
      await pause(milliseconds, undefined, { signal }).catch(() => undefined);
    };
    const lease = holder === undefined ? undefined : { holder, leases: records, monotonic, pause: rest, log };
    const now = (): string => RECORDED_AT;
    const projector = await startSharedProjector({
      ...{ eventStore, readModels, projections, log, now, monotonic, pause: rest, lease },
    });
    ends.push(async () => await projector.stop());
    return { projector, readModels, projections };
  }

  async function news(): Promise<bigint> {
    people += 1;
    return await happen(eventStore, customerRegistered(people), policyImported(people, people));
  }

  async function expectLevel(processes: readonly Process[], position: bigint): Promise<void> {
    for (const { projector } of processes) expect(await projector.waitFor(position, LONG_MS)).toBe(true);
    for (const { readModels, projections } of processes)
      expect(
        (await verifyReadModels({ eventStore, readModels, projections, publishedPosition: position })).differences,
      ).toEqual([]);
  }

  test('given processes of both versions, then each sees its own read models, level, until it is stopped', async () => {
    const old = await start(PROJECTIONS, 'old');
    const oldApi = await start(PROJECTIONS, undefined);
    for (let n = 0; n < 20; n += 1) await news();
    await expectLevel([old, oldApi], await news());
    const next = await start(NEXT, 'next');
    const nextApi = await start(NEXT, undefined);
    // While the one is made and the other goes on.
    for (let n = 0; n < 20; n += 1) expect(await oldApi.projector.waitFor(await news(), LONG_MS)).toBe(true);
    await expectLevel([old, oldApi, next, nextApi], await news());
    expect([old, next].map(({ projector }) => projector.isLeading())).toEqual([true, true]);
    for (const { projector } of [oldApi, nextApi]) expect(lagFailure(projector.status())).toBeUndefined();
    await old.projector.stop();
    await next.readModels.dropOtherVersions();
    expect(await old.readModels.checkpoint('customers')).toBeUndefined();
    await expectLevel([next, nextApi], await news());
  });
});
