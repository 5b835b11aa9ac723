import { expect, test } from '@jest/globals';
import { CommandHarness } from '../../../test/support/command-harness.ts';
import { MemoryEventStore } from '../../../test/support/memory-event-store.ts';
import { schedulerWorld } from '../../../test/support/scheduler-world.ts';
import { momentAfter } from '../../domain/dates.ts';
import { derivedId } from '../../domain/identifiers.ts';
import { StoreUnavailable } from '../../event-store/event-store.ts';
import type { ConsumeOptions, JobQueues } from '../../messaging/messaging.ts';
import { startMailer } from './mailer.ts';

const jobId = derivedId('test', 'mail');
const job = { id: jobId, body: { jobId, kind: 'onboarding', tenantId: derivedId('test', 'merchant'), serial: 1 } };

/** A mailer whose log fails so, and what it is given its jobs by. */
async function mailerThatMeets(fault: Error) {
  const harness = new CommandHarness();
  const world = await schedulerWorld(harness);
  await world.stopProjector();
  const eventStore = Object.assign(new MemoryEventStore(), { readStream: async () => await Promise.reject(fault) });
  let handle: ConsumeOptions['handle'] | undefined;
  const queues: Pick<JobQueues, 'consume'> = {
    consume: (_, options) => {
      handle = options.handle;
      return { check: () => undefined, open: () => 0, overdueMs: () => 0, stop: async () => await Promise.resolve() };
    },
  };
  const stoodStill: string[] = [];
  const mailer = startMailer({
    ...world.parts(),
    standstills: (process) => () => stoodStill.push(process),
    commandPorts: { ...harness.ports, eventStore },
    queues,
    transport: { handOver: async () => await Promise.resolve({ is: 'sent' }) },
    letters: async () => await Promise.reject(new Error('not asked for')),
  });
  const outcome = await handle?.(job, new AbortController().signal);
  return { mailer, outcome, logged: world.logged, harness, stoodStill };
}

test('given a log that is away, when a mail is worked on, then it comes again and the mailer says that it cannot work', async () => {
  const { mailer, outcome, stoodStill } = await mailerThatMeets(new StoreUnavailable('away'));
  expect(outcome).toMatchObject({ kind: 'again' });
  expect(mailer.check()).toBe('a mail could not be worked on and is tried again; the log says why');
  expect(stoodStill).toEqual(['mailer']);
});

test('given a log that was away, when the mail is not given to this process again, then the mailer is well after a while', async () => {
  const { mailer, harness } = await mailerThatMeets(new StoreUnavailable('away'));
  harness.now = momentAfter(harness.now, 14_999);
  expect(mailer.check()).toBeDefined();
  harness.now = momentAfter(harness.now, 1);
  expect(mailer.check()).toBeUndefined();
});

test('given one mail that cannot be made, then it is logged and comes again, and the mailer is as well as before', async () => {
  const { mailer, outcome, logged, stoodStill } = await mailerThatMeets(new TypeError('of office@acme.example'));
  expect(outcome).toMatchObject({ kind: 'again' });
  expect([mailer.check(), stoodStill]).toEqual([undefined, []]);
  expect(logged.join('')).toContain(jobId);
  expect(logged.join('')).not.toContain('@');
});
