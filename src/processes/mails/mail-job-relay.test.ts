import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { registerMerchant } from '#commands/merchant/register-merchant.ts';
import { alterFirst } from '#test/support/altered-event.ts';
import { CommandHarness } from '#test/support/command-harness.ts';
import { appendSamples, valueReserved } from '#test/support/sample-events.ts';
import { startSchedulerHarness, type SchedulerHarness } from '#test/support/scheduler-harness.ts';
import { appendTo, type SubscribeOptions } from '#stores/event-log/event-log.ts';
import { StoreUnavailable } from '#stores/shared/store-unavailable.ts';
import { type MailJobRelayParts, startMailJobRelay, mailCheckpoint } from './mail-job-relay.ts';
import { waitUntil } from '#test/support/wait-until.ts';

let harness: CommandHarness;
let scheduler: SchedulerHarness;
let published: string[];
beforeEach(async () => {
  harness = new CommandHarness();
  scheduler = await startSchedulerHarness(harness);
  published = [];
});
afterEach(async () => await scheduler.stopProjector());

const publish = async (_: string, ids: readonly string[]): Promise<void> => {
  published.push(...(await Promise.resolve(ids)));
};
function relay(changes: Partial<MailJobRelayParts> = {}) {
  const { eventStore, ports } = harness;
  return startMailJobRelay({
    ...scheduler.parts(),
    commandPorts: ports,
    eventStore,
    checkpoint: mailCheckpoint(ports.records),
    queues: { publish },
    now: ports.now,
    ...changes,
  });
}
const register = async () =>
  await harness.run(registerMerchant, { name: 'Acme Bank', business_email: 'office@acme.example' });
/** Ids of the jobs in the log, with the types of their events. */
async function jobs(): Promise<Record<string, string[]>> {
  const found: Record<string, string[]> = {};
  for (const { stream, type } of await harness.eventStore.readAll({ after: undefined, limit: 1_000 })) {
    if (stream.startsWith('mailJob-')) (found[stream.slice('mailJob-'.length)] ??= []).push(type);
  }
  return found;
}

/** The checkpoint of a process that cannot save it. */
const failingCheckpoint = (onSave: () => void = () => {}) => {
  const checkpoint = mailCheckpoint(harness.records);
  return {
    name: checkpoint.name,
    takeOver: async () => await checkpoint.takeOver(),
    save: async () => {
      onSave();
      await Promise.reject(new StoreUnavailable('away'));
    },
  };
};

describe('a relay that was killed', () => {
  beforeEach(async () => {
    await mailCheckpoint(harness.records).save(undefined);
    await register();
  });

  test('between request and publication publishes the id at the next start and requests nothing again', async () => {
    let attempts = 0;
    const away = async (): Promise<void> => {
      attempts += 1;
      await Promise.reject(new StoreUnavailable('away'));
    };
    const killed = relay({ queues: { publish: away } });
    await waitUntil(() => attempts > 0);
    await killed.stop();
    const next = relay();
    await waitUntil(() => published.length > 0);
    await next.stop();
    expect(await jobs()).toEqual({ [String(published[0])]: ['MailRequested.v1'] });
  });

  test('between publication and checkpoint publishes the id again and requests nothing again', async () => {
    const failing = failingCheckpoint();
    const killed = relay({ checkpoint: failing });
    await waitUntil(() => published.length > 0);
    await killed.stop();
    const before = published.length;
    const next = relay();
    await waitUntil(() => published.length > before);
    await next.stop();
    expect(new Set(published).size).toBe(1);
    expect(await jobs()).toEqual({ [String(published[0])]: ['MailRequested.v1'] });
  });
});

test('first publishes the ids that an in-memory queue lost at a restart', async () => {
  await mailCheckpoint(harness.records).save(undefined);
  const running = relay({ findRequestedJobs: async () => await Promise.resolve(['lost']) });
  await register();
  await waitUntil(() => published.length > 1);
  await running.stop();
  expect(published[0]).toBe('lost');
});

test('stalls before an event whose type was altered, and requests its mail once it is restored', async () => {
  await mailCheckpoint(harness.records).save(undefined);
  await register();
  const restore = alterFirst(harness.eventStore, 'MerchantVerificationRequested.v1', {
    type: 'MerchantVerificationRequestee.v1',
  });
  const running = relay();
  await waitUntil(() => running.check() !== undefined);
  expect(scheduler.logged.join()).toMatch(/The event at position \d+ was altered in the store/);
  restore();
  await waitUntil(() => published.length > 0);
  await running.stop();
  expect(await jobs()).toEqual({ [String(published[0])]: ['MailRequested.v1'] });
});

test('skips an event whose data only another version can decode', async () => {
  await mailCheckpoint(harness.records).save(undefined);
  const metadata = { recordedAt: harness.now };
  const event = { id: '00000000-0000-4000-8000-000000000001', data: {}, metadata };
  await appendTo(harness.eventStore, 'merchant-x', 'no_stream', [{ ...event, type: 'MerchantVerified.v1' }]);
  const running = relay();
  await register();
  await waitUntil(() => published.length > 0);
  await running.stop();
  expect(scheduler.logged.filter((line) => line.includes('Skipped an event that requires a mail'))).toHaveLength(1);
});

test('stops when the records fail, and repeats messages at the next start', async () => {
  const { eventStore, records } = harness;
  await appendSamples(eventStore, valueReserved(1));
  await mailCheckpoint(records).save(undefined);
  let saves = 0;
  const failing = failingCheckpoint(() => (saves += 1));
  const seen = Promise.withResolvers<void>();
  const watched = {
    lastPosition: async () => await eventStore.lastPosition(),
    readAt: async (position: bigint) => await eventStore.readAt(position),
    subscribe: async function* (options: SubscribeOptions) {
      for await (const message of eventStore.subscribe(options)) {
        if (message.kind === 'caught_up') seen.resolve();
        yield message;
      }
    },
  };
  const running = relay({ eventStore: watched, checkpoint: failing });
  await seen.promise;
  await running.stop();
  expect(saves).toBe(1);
});
