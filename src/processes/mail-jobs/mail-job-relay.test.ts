import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { registerMerchant } from '../../../commands/merchant/register-merchant.ts';
import { CommandHarness } from '../../../test/support/command-harness.ts';
import { happen, valueReserved } from '../../../test/support/happenings.ts';
import { schedulerWorld } from '../../../test/support/scheduler-world.ts';
import { StoreUnavailable, type SubscribeOptions } from '../../event-store/event-store.ts';
import type { Job } from '../../messaging/messaging.ts';
import { Checkpoint } from '../checkpoint.ts';
import { mailJobsCheckpoint, startMailJobRelay } from './mail-job-relay.ts';

const LOOK_AGAIN_MS = 5;

async function until(met: () => boolean): Promise<void> {
  while (!met()) await pause(LOOK_AGAIN_MS);
}

test('given job queues that were away, when they answer again, then the job is there and the relay says that it works', async () => {
  const harness = new CommandHarness();
  const { eventStore, ports } = harness;
  const world = await schedulerWorld(harness);
  const checkpoint = mailJobsCheckpoint(ports.records);
  await checkpoint.begin(eventStore);
  const published: Job[] = [];
  let away = true;
  let tries = 0;
  const publish = async (_: string, jobs: readonly Job[]): Promise<void> => {
    tries += 1;
    if (away) throw new StoreUnavailable('away');
    published.push(...(await Promise.resolve(jobs)));
  };
  const relay = startMailJobRelay({ ...world.parts(), eventStore, checkpoint, queues: { publish }, now: ports.now });
  await harness.run(registerMerchant, { name: 'Acme Bank', business_email: 'office@acme.example' });
  await until(() => tries > 2);
  expect(relay.check()).toMatch(/^fails since /);

  away = false;
  await until(() => published.length > 0);
  await until(() => relay.check() === undefined);
  await relay.stop();
  await world.stopProjector();
  expect(published).toHaveLength(1);
  expect(world.logged.filter((line) => line.includes('The process works again'))).toHaveLength(1);
});

test('given a log that ends before the checkpoint, then it says so, and jobs that come meanwhile are not passed over', async () => {
  const harness = new CommandHarness();
  const { eventStore, ports } = harness;
  const world = await schedulerWorld(harness);
  const checkpoint = mailJobsCheckpoint(ports.records);
  await checkpoint.save(1_000n);
  const published: Job[] = [];
  const publish = async (_: string, jobs: readonly Job[]): Promise<void> => {
    published.push(...(await Promise.resolve(jobs)));
  };
  const relay = startMailJobRelay({ ...world.parts(), eventStore, checkpoint, queues: { publish }, now: ports.now });
  await harness.run(registerMerchant, { name: 'Acme Bank', business_email: 'office@acme.example' });
  await until(() => relay.check() !== undefined);
  expect(relay.check()).toMatch(/^checkpoint mail-jobs is 1000 and lies behind the end of the log/);
  expect(world.logged.join()).toContain('checkpoint mail-jobs is 1000 and lies behind the end of the log');
  await relay.stop();
  expect(await checkpoint.read()).toBe(1_000n);

  // As the runbook says.
  await checkpoint.save(undefined);
  const again = startMailJobRelay({ ...world.parts(), eventStore, checkpoint, queues: { publish }, now: ports.now });
  await until(() => published.length > 0);
  await again.stop();
  await world.stopProjector();
});

test('given records that fail when it stops, then it ends all the same, and repeats at the next start', async () => {
  const harness = new CommandHarness();
  const { eventStore, ports } = harness;
  const world = await schedulerWorld(harness);
  await happen(eventStore, valueReserved(1));
  const checkpoint = mailJobsCheckpoint(ports.records);
  await checkpoint.save(undefined);
  let saves = 0;
  const failing = new Checkpoint('mail-jobs', {
    getValue: async (name) => await ports.records.getValue(name),
    fenceValue: async (name, fence) => await ports.records.fenceValue(name, fence),
    setValue: async () => {
      saves += 1;
      await Promise.reject(new StoreUnavailable('away'));
    },
  });
  const seen = Promise.withResolvers<void>();
  const watched = {
    lastPosition: async () => await eventStore.lastPosition(),
    readAll: async (options: Parameters<typeof eventStore.readAll>[0]) => await eventStore.readAll(options),
    subscribe: async function* (options: SubscribeOptions) {
      for await (const message of eventStore.subscribe(options)) {
        if (message.kind === 'caught_up') seen.resolve();
        yield message;
      }
    },
  };
  const queues = { publish: async () => {} };
  const relay = startMailJobRelay({
    ...world.parts(),
    eventStore: watched,
    checkpoint: failing,
    queues,
    now: ports.now,
  });
  await seen.promise;
  await relay.stop();
  expect(saves).toBe(1);
  await world.stopProjector();
});
