import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { registerMerchant } from '../../../commands/merchant/register-merchant.ts';
import { CommandHarness } from '../../../test/support/command-harness.ts';
import { schedulerWorld } from '../../../test/support/scheduler-world.ts';
import { StoreUnavailable } from '../../event-store/event-store.ts';
import type { Job } from '../../messaging/messaging.ts';
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
