import { beforeEach, expect, test } from '@jest/globals';
import { requestMail } from '#commands/mail/mail-moves.ts';
import { registerMerchant } from '#commands/merchant/register-merchant.ts';
import { CommandHarness } from '#test/support/command-harness.ts';
import type { MemoryEventStore } from '#test/support/memory-event-store.ts';
import { startSchedulerHarness, type SchedulerHarness } from '#test/support/scheduler-harness.ts';
import { instantAfter } from '#event-sourcing/time.ts';
import { derivedId } from '#event-sourcing/identifiers.ts';
import { type MailJob, mailJobStream } from '#domain/mail-job/mail-job.ts';
import type { Append, EventStore } from '#stores/event-log/event-log.ts';
import { StoreUnavailable } from '#stores/shared/store-unavailable.ts';
import type { ComposedMail } from './mail.ts';
import type { ConsumeOptions, JobMessage, JobQueues } from '#stores/messaging/messaging.ts';
import { type MailerParts, startMailer } from './mailer.ts';

let harness: CommandHarness;
let scheduler: SchedulerHarness;
let job: MailJob;
let sent: ComposedMail[];
let counted: string[];
let monotonic: number;
beforeEach(async () => {
  monotonic = 0;
  harness = new CommandHarness();
  scheduler = await startSchedulerHarness(harness);
  await scheduler.stopProjector();
  [sent, counted] = [[], []];
  const merchant = await harness.run(registerMerchant, { name: 'Acme Bank', business_email: 'office@acme.example' });
  const { tenant_id: tenantId } = merchant.result as { readonly tenant_id: string };
  job = { jobId: derivedId('test', 'mail'), kind: 'onboarding', tenantId, serial: 1 };
  await harness.run(requestMail, job);
});

/** A mailer and what delivers a message to it. */
function mailer(changes: Partial<MailerParts> = {}) {
  let handle: ConsumeOptions['handle'] | undefined;
  const queues: Pick<JobQueues, 'consume'> = {
    consume: (_, options) => {
      handle = options.handle;
      return { check: () => undefined, stop: async () => await Promise.resolve() };
    },
  };
  const started = startMailer({
    ...scheduler.parts(),
    stalls: (process) => () => counted.push(`${process} stalled`),
    commandPorts: harness.ports,
    queues,
    transport: {
      send: async (mail) => {
        sent.push(mail);
        return await Promise.resolve({ status: 'sent' });
      },
    },
    compose: async ({ jobId }) =>
      await Promise.resolve({ jobId, envelope: { from: 'a@b', to: 'c@d' }, raw: new Uint8Array() }),
    monotonic: () => monotonic,
    mailerMetrics: { attempted: (outcome) => counted.push(outcome), skipped: () => counted.push('skipped') },
    ...changes,
  });
  const deliver = async ({ jobId }: Pick<JobMessage, 'jobId'> = job): Promise<void> =>
    await handle?.({ jobId, location: { partition: 3, offset: '7' } }, new AbortController().signal);
  return { ...started, deliver };
}

const types = async (): Promise<string[]> => (await harness.events(mailJobStream(job.jobId))).map(({ type }) => type);

/** The harness's log, with an append or a read that does something else first. */
function logThat(before: { readonly append?: (type: string) => void; readonly read?: () => void }): EventStore {
  const { eventStore } = harness;
  return Object.assign(Object.create(eventStore) as MemoryEventStore, {
    readStream: async (...given: Parameters<EventStore['readStream']>) => {
      before.read?.();
      return await eventStore.readStream(...given);
    },
    append: async (appends: readonly Append[]) => {
      const results = await eventStore.append(appends);
      before.append?.(appends[0]?.events[0]?.type ?? '');
      return results;
    },
  });
}

/** A mailer whose clocks go on by that many milliseconds after the attempt is recorded. */
function heldUpMailer(wallMs: number, monotonicMs: number) {
  const eventStore = logThat({
    append: (type) => {
      if (type !== 'MailAttempted.v1') return;
      harness.now = instantAfter(harness.now, wallMs);
      monotonic += monotonicMs;
    },
  });
  return mailer({ commandPorts: { ...harness.ports, eventStore } });
}

test('sends a requested mail once, however often its message is delivered', async () => {
  const { deliver } = mailer();
  await Promise.all([deliver(), deliver(), deliver()]);
  await deliver();
  expect([sent.length, counted]).toEqual([1, ['sent']]);
  expect(await types()).toEqual(['MailRequested', 'MailAttempted', 'MailSent']);
});

test.each([{ jobId: 'no uuid' }, { jobId: derivedId('test', 'of no stream') }, { jobId: undefined }])(
  'logs the message %j, which is not a mail job, with its location, counts and skips it',
  async (message) => {
    const { deliver, check } = mailer();
    await deliver(message);
    expect([sent.length, counted, check()]).toEqual([0, ['skipped'], undefined]);
    expect(scheduler.logged.join('')).toMatch(/"partition":3,"offset":"7".*it is not the id of a mail job/);
  },
);

test.each([
  ['both clocks', 15_000, 15_000, 1, ['MailRequested', 'MailAttempted', 'MailSent']],
  ['the wall clock alone', 15_001, 0, 0, ['MailRequested', 'MailAttempted', 'MailRefused']],
  ['the monotonic clock alone', 0, 15_001, 0, ['MailRequested', 'MailAttempted', 'MailRefused']],
])(
  'after a pause by %s of %i and %i ms between attempt and sending, sends %i mails',
  async (_, wallMs, monotonicMs, mails, expected) => {
    const { deliver } = heldUpMailer(wallMs, monotonicMs);
    await deliver();
    expect(sent).toHaveLength(mails);
    expect(await types()).toEqual(expected);
  },
);

test('sends no mail after a pause when the host that recorded the request has a clock that is 10 minutes ahead', async () => {
  harness.now = instantAfter(harness.now, -10 * 60_000);
  const { deliver } = heldUpMailer(90_000, 90_000);
  await deliver();
  expect(sent).toHaveLength(0);
  expect(await types()).toEqual(['MailRequested', 'MailAttempted', 'MailRefused']);
});

test('pauses longer after each mail, logs once and is not ready while the log is unavailable', async () => {
  let isAvailable = false;
  const eventStore = logThat({
    read: () => {
      if (!isAvailable) throw new StoreUnavailable('unavailable');
    },
  });
  const pauses: number[] = [];
  const pause = async (milliseconds: number): Promise<void> => {
    await Promise.resolve(pauses.push(milliseconds));
  };
  const { deliver, check } = mailer({ commandPorts: { ...harness.ports, eventStore }, pause });
  for (let message = 0; message < 8; message += 1) await deliver();
  expect(pauses).toEqual([100, 200, 400, 800, 1_600, 3_200, 5_000, 5_000]);
  expect(counted).toEqual(Array.from({ length: 8 }, () => 'mailer stalled'));
  expect(scheduler.logged).toHaveLength(1);
  expect(check()).toBe('a store is unavailable; mails that could not be processed are requested again');
  expect(await types()).toEqual(['MailRequested']);

  isAvailable = true;
  await deliver();
  await deliver();
  expect(check()).toBeUndefined();
  expect(scheduler.logged.filter((line) => line.includes('"process":"mailer"'))).toHaveLength(2);
  isAvailable = false;
  await deliver();
  expect([pauses.at(-1), scheduler.logged.filter((line) => line.includes('"process":"mailer"')).length]).toEqual([
    100, 3,
  ]);
});

test('is ready again when no mail has failed for 15 s', async () => {
  const eventStore = logThat({
    read: () => {
      throw new StoreUnavailable('unavailable');
    },
  });
  const { deliver, check } = mailer({ commandPorts: { ...harness.ports, eventStore } });
  await deliver();
  harness.now = instantAfter(harness.now, 14_999);
  expect(check()).toBeDefined();
  harness.now = instantAfter(harness.now, 1);
  expect(check()).toBeUndefined();
});

test('logs a mail that cannot be composed and stays ready', async () => {
  const { deliver, check } = mailer({
    compose: async () => await Promise.reject(new TypeError('of office@acme.example')),
  });
  await deliver();
  expect([check(), counted]).toEqual([undefined, []]);
  expect(scheduler.logged.join('')).toContain(job.jobId);
  expect(scheduler.logged.join('')).not.toContain('@');
});
