import { once } from 'node:events';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { cancelPolicy } from '#commands/policy/cancel-policy.ts';
import { CommandHarness, LIVE } from '#test/support/command-harness.ts';
import { sampleId, policyPurchased, term } from '#test/support/sample-events.ts';
import type { TestReadModels } from '#test/support/test-read-models.ts';
import { metricValue, type SchedulerHarness, startSchedulerHarness } from '#test/support/scheduler-harness.ts';
import { policyStream } from '#domain/policy/policy.ts';
import { StoreUnavailable } from '#stores/shared/store-unavailable.ts';
import type { ProcessParts, RunningProcess } from '../runtime/process.ts';
import { schedulerStarter } from './scheduler.ts';
import { createScheduler } from '#test/support/run-scheduler.ts';

let harness: CommandHarness;
let scheduler: SchedulerHarness;

beforeEach(async () => {
  harness = new CommandHarness();
  scheduler = await startSchedulerHarness(harness);
});
afterEach(async () => await scheduler.stopProjector());

const streamOf = (policy: number) => policyStream(sampleId('policy', policy));

/** A policy bought for the days from 2026-03-10 through 2027-03-09, renewing automatically by default. */
async function purchased(policy: number, changes: object = {}): Promise<void> {
  const first = term('2026-03-10', '2027-03-09', '365.00');
  const bought = {
    status: 'accepted',
    autoRenew: true,
    environmentId: LIVE.environmentId,
    merchantId: LIVE.merchantId,
  };
  await harness.given(streamOf(policy), policyPurchased(policy, policy, first, { ...bought, ...changes }));
}

/** What happened to a policy since it was bought: the type of each event, with the start of its term. */
async function happened(policy: number): Promise<string[]> {
  return (await harness.events(streamOf(policy))).slice(1).map(({ type, data }) => {
    const { term: added } = data as { term?: { from: string } };
    return added === undefined ? type : `${type} ${added.from}`;
  });
}

/** A new scheduler, as after a restart. */
const runOnce = async () => await createScheduler(scheduler.parts()).runOnce();

/** `PolicyActivated`, then the renewals that were due by 2030-06-01. */
const BY_2030 = [
  'PolicyActivated',
  'PolicyRenewed 2027-03-10',
  'PolicyRenewed 2028-03-10',
  'PolicyRenewed 2029-03-10',
  'PolicyRenewed 2030-03-10',
];

describe('Given policies that start later', () => {
  beforeEach(async () => {
    await purchased(1);
    await purchased(2, { autoRenew: false });
    await purchased(3, { waits: true });
  });

  test('activates and adds every due term in one run after years', async () => {
    harness.now = '2030-06-01T12:00:00.000Z';
    const parts = scheduler.parts();
    await createScheduler(parts).runOnce();
    expect(await happened(1)).toEqual(BY_2030);
    expect(await happened(2)).toEqual(['PolicyActivated']);
    expect(await metricValue(parts.metrics, 'surety_scheduler_due')).toBe(0);
    expect(await metricValue(parts.metrics, 'surety_scheduler_actions_total', { kind: 'activation' })).toBe(2);
    expect(await metricValue(parts.metrics, 'surety_scheduler_actions_total', { kind: 'renewal' })).toBe(4);
    expect(await metricValue(parts.metrics, 'surety_scheduler_failures_total')).toBe(0);
  });

  test.each(['before', 'after'].flatMap((when) => [1, 2, 3, 4, 5, 6].map((append) => [when, append] as const)))(
    'continues without repeating anything after a kill %s append %d',
    async (when, append) => {
      harness.now = '2030-06-01T12:00:00.000Z';
      const intact = harness.eventStore.append.bind(harness.eventStore);
      let appends = 0;
      harness.eventStore.append = async (...args) => {
        appends += 1;
        if (appends < append) return await intact(...args);
        if (appends === append && when === 'after') await intact(...args);
        // A dead process appends no more.
        throw new StoreUnavailable('killed');
      };
      await expect(runOnce()).rejects.toThrow('killed');
      harness.eventStore.append = intact;
      await runOnce();
      expect(await happened(1)).toEqual(BY_2030);
      expect(await happened(2)).toEqual(['PolicyActivated']);
    },
  );

  test('finds what is done after a kill between append and read model', async () => {
    harness.now = '2028-06-01T12:00:00.000Z';
    await scheduler.waitUntilCaughtUp();
    await scheduler.stopProjector();
    // The read model still lists the policy as due.
    const dying = createScheduler(
      scheduler.parts({ projector: { ...scheduler.parts().projector, waitFor: async () => true } }),
    );
    await dying.runOnce();
    const done = BY_2030.slice(0, 1);
    expect(await happened(1)).toEqual(done);
    await dying.runOnce();
    expect(await happened(1)).toEqual(done);
    await scheduler.startProjector();
    await runOnce();
    expect(await happened(1)).toEqual(BY_2030.slice(0, 3));
  });

  test('skips a policy that was cancelled or renewed manually meanwhile', async () => {
    harness.now = '2026-03-10T00:00:00.000Z';
    await runOnce();
    harness.now = '2027-03-09T00:00:00.000Z';
    await scheduler.waitUntilCaughtUp();
    await scheduler.stopProjector();
    await harness.run(cancelPolicy, { policy_id: sampleId('policy', 1), cancellation_reason: 'sold' });
    harness.now = '2027-03-10T00:00:00.000Z';
    const parts = scheduler.parts({ projector: { ...scheduler.parts().projector, waitFor: async () => true } });
    await createScheduler(parts).runOnce();
    expect(await happened(1)).toEqual(['PolicyActivated', 'PolicyCancelled']);
    expect(await metricValue(parts.metrics, 'surety_scheduler_failures_total')).toBe(0);
    expect(scheduler.logged.filter((line) => line.includes('"level":50'))).toEqual([]);
    await scheduler.startProjector();
  });
});

describe('Given more policies than a page holds, some of which cannot be renewed', () => {
  test('renews the others, counts and logs each failure once, and retries in the next run', async () => {
    for (let policy = 1; policy <= 30; policy++) await purchased(policy, { status: 'active' });
    harness.now = '2027-03-10T00:00:00.000Z';
    const broken = new Set([streamOf(2), streamOf(3), streamOf(17)]);
    const intact = harness.eventStore.readStream.bind(harness.eventStore);
    harness.eventStore.readStream = async (stream, options) => {
      if (broken.has(stream)) throw new Error('the stream cannot be read');
      return await intact(stream, options);
    };
    const parts = scheduler.parts();
    const { readModels, read } = smallPages(4);
    const paged = createScheduler({ ...parts, readModels });
    await paged.runOnce();
    // Each policy once, and those that are still due again.
    expect(read()).toBe(30 + broken.size);
    for (let policy = 1; policy <= 30; policy++) {
      if (!broken.has(streamOf(policy))) expect(await happened(policy)).toEqual(['PolicyRenewed 2027-03-10']);
    }
    expect(await metricValue(parts.metrics, 'surety_scheduler_failures_total')).toBe(3);
    expect(await metricValue(parts.metrics, 'surety_scheduler_due')).toBe(3);
    expect(scheduler.logged.filter((line) => line.includes('Could not activate or renew a policy'))).toHaveLength(3);
    expect(scheduler.logged.join('')).not.toContain('the stream cannot be read');
    harness.eventStore.readStream = intact;
    await paged.runOnce();
    expect(await happened(17)).toEqual(['PolicyRenewed 2027-03-10']);
    expect(await metricValue(parts.metrics, 'surety_scheduler_due')).toBe(0);
  });

  /** The read models with short pages, and the number of documents that were read. */
  function smallPages(limit: number) {
    let read = 0;
    const scanIndex: TestReadModels['scanIndex'] = async (name, options) => {
      const page = await scheduler.readModels.scanIndex(name, { ...options, limit });
      read += page.length;
      return page;
    };
    const readModels = Object.assign(Object.create(scheduler.readModels) as TestReadModels, { scanIndex });
    return { readModels, read: () => read };
  }
});

describe('A running scheduler', () => {
  test('reports since when a store is unavailable, retries and recovers', async () => {
    await purchased(1);
    harness.now = '2026-03-10T00:00:00.000Z';
    let away = false;
    const tried = Promise.withResolvers<void>();
    const intact = harness.eventStore.lastPosition.bind(harness.eventStore);
    harness.eventStore.lastPosition = async () => {
      if (!away) return await intact();
      tried.resolve();
      throw new StoreUnavailable('the disk is full');
    };
    const pauses: number[] = [];
    const idle = Promise.withResolvers<void>();
    const parts = scheduler.parts({
      pause: async (milliseconds, signal) => {
        pauses.push(milliseconds);
        if (pauses.length === 3) away = false;
        if (milliseconds === 60_000) {
          idle.resolve();
          await once(signal, 'abort');
        }
      },
    });
    const start = await schedulerStarter(parts);
    away = true;
    const running = start();
    await tried.promise;
    expect(running.name).toBe('scheduler');
    await idle.promise;
    expect(pauses.slice(0, 3)).toEqual([100, 200, 400]);
    expect(await happened(1)).toEqual(['PolicyActivated']);
    expect(running.check()).toBeUndefined();
    expect(scheduler.logged.some((line) => line.includes('The process has recovered'))).toBe(true);
    await running.stop();
  });

  describe('whose clock jumps between two runs', () => {
    const warning = (): string | undefined => running.warning?.();
    const paused = async () => await metricValue(parts.metrics, 'surety_scheduler_paused');
    let parts: ProcessParts;
    let running: RunningProcess;
    /** Moves the clock, and waits until a run has ended after that. */
    let roundAt: (now: string) => Promise<void>;
    beforeEach(async () => {
      await purchased(1);
      let ended = Promise.withResolvers<void>();
      let next = Promise.withResolvers<void>();
      parts = scheduler.parts({
        pause: async (_milliseconds, signal) => {
          ended.resolve();
          await Promise.race([next.promise, once(signal, 'abort')]);
        },
      });
      running = (await schedulerStarter(parts))();
      await ended.promise;
      roundAt = async (now) => {
        harness.now = now;
        ended = Promise.withResolvers();
        const begin = next;
        next = Promise.withResolvers();
        begin.resolve();
        await ended.promise;
      };
    });
    afterEach(async () => await running.stop());

    test('pauses, warns once, and resumes when the clock is right again', async () => {
      expect([warning(), await paused()]).toEqual([undefined, 0]);
      for (const year of ['2036', '2037']) await roundAt(`${year}-06-01T12:00:00.000Z`);
      expect(await happened(1)).toEqual([]);
      expect(warning()).toMatch(
        /^paused: the clock shows 2037-06-01T12:00:00.000Z, more than 31 days later than 2026-/,
      );
      expect(running.check()).toBeUndefined();
      expect(await paused()).toBe(1);
      expect(scheduler.logged.filter((line) => line.includes('The scheduler is paused'))).toHaveLength(1);
      await roundAt('2026-03-10T00:00:00.000Z');
      expect([warning(), await paused()]).toEqual([undefined, 0]);
      expect(await happened(1)).toEqual(['PolicyActivated']);
      expect(scheduler.logged.filter((line) => line.includes('The scheduler resumes'))).toHaveLength(1);
      await running.stop();
      expect(await paused()).toBeUndefined();
    });
  });

  test('decides by the clock that was checked, also when the clock jumps during the run', async () => {
    await purchased(1);
    harness.now = '2026-03-10T00:00:00.000Z';
    const intact = harness.eventStore.append.bind(harness.eventStore);
    harness.eventStore.append = async (...args) => {
      harness.now = '2036-03-10T00:00:00.000Z';
      return await intact(...args);
    };
    const { parts, rested } = scheduler.restingParts();
    const running = (await schedulerStarter(parts))();
    await rested;
    await running.stop();
    expect(await happened(1)).toEqual(['PolicyActivated']);
  });

  test('runs at the start of a day and otherwise once a minute', async () => {
    const pauses: number[] = [];
    const second = Promise.withResolvers<void>();
    const parts = scheduler.parts({
      pause: async (milliseconds, signal) => {
        pauses.push(milliseconds);
        harness.now = '2026-03-01T23:59:58.500Z';
        if (pauses.length < 2) return;
        second.resolve();
        await once(signal, 'abort');
      },
    });
    const running = (await schedulerStarter(parts))();
    await second.promise;
    expect(pauses).toEqual([60_000, 1_500]);
    expect(await metricValue(parts.metrics, 'surety_scheduler_due')).toBe(0);
    await running.stop();
  });

  test('removes its metrics when it stops because another process leads', async () => {
    await purchased(1);
    harness.now = '2026-03-10T00:00:00.000Z';
    const { parts, rested } = scheduler.restingParts();
    const start = await schedulerStarter(parts);
    expect(await metricValue(parts.metrics, 'surety_scheduler_due')).toBeUndefined();
    const running = start();
    await rested;
    expect(await metricValue(parts.metrics, 'surety_scheduler_due')).toBe(0);
    await running.stop();
    expect(await metricValue(parts.metrics, 'surety_scheduler_due')).toBeUndefined();
  });
});
