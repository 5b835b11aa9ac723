import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { submitClaim } from '#commands/claim/submit-claim.ts';
import { importClaim } from '#commands/claim/import-claim.ts';
import type { AnyCommand } from '#event-sourcing/executor/command.ts';
import { addPerson } from '#commands/person/add-person.ts';
import { registerMerchant } from '#commands/merchant/register-merchant.ts';
import { importPolicyTerm } from '#commands/policy/import-policy-term.ts';
import { purchasePolicy } from '#commands/policy/purchase-policy.ts';
import { addProduct } from '#commands/product/add-product.ts';
import { registerProvider } from '#commands/provider/register-provider.ts';
import { updateProvider } from '#commands/provider/update-provider.ts';
import { setUpProvider, MERCHANT_INPUT, PRODUCT_INPUT, PROVIDER_INPUT } from '#test/support/admin-fixtures.ts';
import { alterFirst } from '#test/support/altered-event.ts';
import { givenMerchants, importPolicy, policyRow } from '#test/support/imports.ts';
import { CommandHarness, LIVE, MERCHANT } from '#test/support/command-harness.ts';
import { crashAfterAppends, comparableEvents } from '#test/support/crash-after-appends.ts';
import { withPositionGaps } from '#test/support/sparse-event-store.ts';
import { appendSamples, valueReserved } from '#test/support/sample-events.ts';
import { givenQuote } from '#test/support/quotes.ts';
import { metricValue, type SchedulerHarness, startSchedulerHarness } from '#test/support/scheduler-harness.ts';
import { Registry } from 'prom-client';
import { formatLogPoint, type EventReference } from '#stores/event-log/log-identity.ts';
import { StoreUnavailable } from '#stores/shared/store-unavailable.ts';
import type { ProcessParts } from '../runtime/process.ts';
import { completionStarter, Completion } from './completion.ts';
import { appendTo } from '#stores/event-log/event-log.ts';

type Prepare = (h: CommandHarness) => Promise<object>;

function checkpointAfter(event: EventReference | undefined, givenUp: readonly string[] = []): string {
  return JSON.stringify({ after: formatLogPoint(event), givenUp });
}

/** Every command that reserves a value for something new. */
const RESERVING: readonly (readonly [string, AnyCommand, Prepare])[] = [
  ['RegisterMerchant', registerMerchant, async () => MERCHANT_INPUT],
  ['RegisterProvider', registerProvider, async () => PROVIDER_INPUT],
  ['AddPerson', addPerson, async () => ({ name: 'Ada Obi', email: 'ada@surety.example', role: 'claims' })],
  ['AddProduct', addProduct, async (h) => ({ provider_id: await setUpProvider(h), ...PRODUCT_INPUT })],
  [
    'ImportPolicyTerm',
    importPolicyTerm,
    async (h) => {
      await givenMerchants(h);
      return policyRow();
    },
  ],
  [
    'ImportClaim',
    importClaim,
    async (h) => {
      await givenMerchants(h);
      await importPolicy(h);
      const claim = {
        claim_reference_number: 'C-1',
        policy_number: 'POL-1',
        claim_type: 'theft',
        claim_amount: '5.00',
      };
      return { ...claim, incident_date: '2026-02-01', filed_on: '2026-02-02', claim_status: 'paid' };
    },
  ],
  [
    'SubmitClaim',
    submitClaim,
    async (h) => {
      await givenMerchants(h);
      const { policyId } = await importPolicy(h);
      return {
        policy_id: policyId,
        claim_details: { claim_type: 'theft', incident_date: '2026-02-01', claim_amount: '12.5' },
        documents: [
          { document_name: 'report.pdf', evidence_type: 'PDF', blob: Buffer.from('what happened').toString('base64') },
          { document_name: 'photo.png', evidence_type: 'PNG', blob: Buffer.from('a picture').toString('base64') },
        ],
      };
    },
  ],
  [
    'PurchasePolicy',
    purchasePolicy,
    async (h) => {
      await givenMerchants(h);
      const { quote_code } = await givenQuote(h.eventStore, LIVE);
      return { quote_code, beneficiaries: [{ beneficiary_name: 'Ben' }] };
    },
  ],
];

const START = '2026-03-01T10:00:00.000Z';
const LATER = '2026-03-01T10:00:30.000Z';
const schedulers: SchedulerHarness[] = [];

async function schedulerOf(harness: CommandHarness): Promise<SchedulerHarness> {
  const scheduler = await startSchedulerHarness(harness);
  schedulers.push(scheduler);
  return scheduler;
}

afterEach(async () => {
  for (const scheduler of schedulers.splice(0)) await scheduler.stopProjector();
});

const hasReserved = async (h: CommandHarness, since: number): Promise<boolean> =>
  (await h.log()).slice(since).some(({ type }) => type === 'ValueReserved');

describe.each(RESERVING)('Given %s that is interrupted', (_name, command, prepare) => {
  const sent = { actor: command.roles.includes('merchant') ? MERCHANT : undefined };
  const how = { ...(sent.actor && { actor: sent.actor }), requestId: 'request-1' };

  /** Every way to die: the harness as the process left it, and how many appends it had made. */
  async function* deaths(key: string | undefined) {
    for (let append = 1; ; append++) {
      const h = new CommandHarness();
      const input = await prepare(h);
      const before = (await h.log()).length;
      const request = { ...how, ...(key !== undefined && { key }) };
      const { crashed, result } = await crashAfterAppends(h, append, async () => await h.run(command, input, request));
      if (!crashed) return;
      expect(result).toBeInstanceOf(StoreUnavailable);
      yield { h, input, append, open: await hasReserved(h, before) };
    }
  }

  test.each([undefined, 'k'])(
    'finishes it 30 s after a value was reserved, with the same result (key %s)',
    async (key) => {
      const undisturbed = new CommandHarness();
      await undisturbed.run(command, await prepare(undisturbed), { ...how, ...(key !== undefined && { key }) });
      const expected = comparableEvents(await undisturbed.log());
      let finished = 0;
      for await (const { h, open } of deaths(key)) {
        const log = comparableEvents(await h.log());
        const completion = new Completion((await schedulerOf(h)).parts());
        h.now = '2026-03-01T10:00:29.999Z';
        await completion.run();
        expect(comparableEvents(await h.log())).toEqual(log);
        h.now = LATER;
        await completion.run();
        expect(comparableEvents(await h.log())).toEqual(open ? expected : log);
        await completion.run();
        expect(await h.log()).toHaveLength(open ? expected.length : log.length);
        if (open) finished += 1;
      }
      expect(finished).toBeGreaterThan(0);
    },
  );

  test('has one effect when the client retries at the same time', async () => {
    const undisturbed = new CommandHarness();
    // Of a claim's answer, the timelines show when it was recorded.
    const {
      claim_status_timeline: _,
      timeline_utc: _utc,
      ...result
    } = (await undisturbed.run(command, await prepare(undisturbed), { ...how, key: 'k' })).result;
    const expected = comparableEvents(await undisturbed.log());
    for await (const { h, input } of deaths('k')) {
      const completion = new Completion((await schedulerOf(h)).parts());
      h.now = LATER;
      const [retried] = await Promise.all([h.run(command, input, { ...how, key: 'k' }), completion.run()]);
      expect(retried.result).toMatchObject(result);
      expect(comparableEvents(await h.log())).toEqual(expected);
    }
  });
});

describe('Given a provider whose name was reserved, and whose process died', () => {
  let h: CommandHarness;
  let scheduler: SchedulerHarness;
  beforeEach(async () => {
    h = new CommandHarness();
    scheduler = await schedulerOf(h);
    await crashAfterAppends(h, 1, async () => await h.run(registerProvider, PROVIDER_INPUT));
  });

  const registered = async () => (await h.log()).filter(({ type }) => type === 'ProviderRegistered').length;

  test('stores the original actor in the metadata, and the time of completion as recordedAt', async () => {
    h.now = '2026-03-02T00:00:00.000Z';
    await new Completion(scheduler.parts()).run();
    const [reservation, provider] = await h.log();
    expect(provider?.metadata).toEqual({ ...reservation?.metadata, recordedAt: h.now });
    expect(reservation?.metadata.recordedAt).toBe(START);
  });

  test('finishes each command once when it is restarted at any point', async () => {
    await new Completion(scheduler.parts()).run();
    for (const name of ['Other 1', 'Other 2']) await h.run(registerProvider, { ...PROVIDER_INPUT, name });
    await new Completion(scheduler.parts()).run();
    expect(await h.records.getValue('completion-checkpoint')).toBe('{"after":"","givenUp":[]}');
    h.now = LATER;
    await new Completion(scheduler.parts()).run();
    expect(await registered()).toBe(3);
    // The next one reads the event that it wrote, and is through.
    const last = new Completion(scheduler.parts());
    await last.run();
    await last.run();
    expect(await registered()).toBe(3);
    expect(await h.records.getValue('completion-checkpoint')).toBe(checkpointAfter((await h.log())[5]));
  });

  test('removes its metrics when it stops because another process leads', async () => {
    const { parts, rested } = scheduler.restingParts();
    const names = ['surety_unfinished_commands', 'surety_unfinished_commands_given_up'];
    const unfinished = async () => await Promise.all(names.map(async (name) => await metricValue(parts.metrics, name)));
    const start = completionStarter(parts);
    expect(await unfinished()).toEqual([undefined, undefined]);
    const running = start();
    await rested;
    expect(await unfinished()).toEqual([1, 0]);
    await running.stop();
    expect(await unfinished()).toEqual([undefined, undefined]);
  });

  test('counts no failure while a store is unavailable, and finishes it in the next run', async () => {
    h.now = LATER;
    const parts = scheduler.parts();
    const completion = new Completion(parts);
    const { result } = await crashAfterAppends(h, 0, async () => await completion.run());
    expect(result).toBeInstanceOf(StoreUnavailable);
    expect(await metricValue(parts.metrics, 'surety_unfinished_commands')).toBe(1);
    await completion.run();
    expect(await registered()).toBe(1);
    expect(await metricValue(parts.metrics, 'surety_completion_failures_total')).toBe(0);
    expect(await metricValue(parts.metrics, 'surety_completions_total')).toBe(1);
    expect(await metricValue(parts.metrics, 'surety_unfinished_commands')).toBe(0);
  });

  test('gives it up after the last retry, keeps it in the metric, and retries it after a restart', async () => {
    const parts = scheduler.parts();
    const completion = new Completion(parts);
    const intact = h.eventStore.append.bind(h.eventStore);
    h.eventStore.append = async (appends) => {
      if (appends.some(({ stream }) => stream.startsWith('provider-')))
        throw new Error(`${PROVIDER_INPUT.support_email} does not fit`);
      return await intact(appends);
    };
    for (let minute = 1; minute <= 120; minute++) {
      h.now = new Date(Date.parse(START) + minute * 60_000).toISOString();
      await completion.run();
    }
    expect(await metricValue(parts.metrics, 'surety_completion_failures_total')).toBe(6);
    expect(await metricValue(parts.metrics, 'surety_unfinished_commands')).toBe(0);
    expect(await metricValue(parts.metrics, 'surety_unfinished_commands_given_up')).toBe(1);
    const warned = scheduler.logged.filter((line) => line.includes('Could not finish an interrupted command'));
    expect(warned).toHaveLength(6);
    expect(warned.join('')).not.toContain(PROVIDER_INPUT.support_email);
    // The log is not read again for its sake.
    expect(await h.records.getValue('completion-checkpoint')).toBe(checkpointAfter((await h.log())[0], ['1']));

    h.eventStore.append = intact;
    await completion.run();
    expect(await registered()).toBe(0);
    const restarted = scheduler.parts();
    await new Completion(restarted).run();
    expect(await registered()).toBe(1);
    expect(await metricValue(restarted.metrics, 'surety_unfinished_commands_given_up')).toBe(0);
    expect(JSON.parse((await h.records.getValue('completion-checkpoint')) ?? '')).toMatchObject({ givenUp: [] });
  });
});

test.each([
  ['ends before the checkpoint', 2, 4107, 'beyond the end of the log'],
  ['has grown past it', 9, 4107, 'the log has no event at that position'],
  ['has grown past it with an event at its position', 9, 4007, 'the log has another event at that position'],
])('fails and saves no checkpoint on a log that was restored from an older copy and %s', async (...row) => {
  const [, events, position, why] = row;
  const h = new CommandHarness();
  const scheduler = await schedulerOf(h);
  await appendSamples(h.eventStore, ...Array.from({ length: events }, (_, number) => valueReserved(number)));
  const before = `{"after":"${position} event-of-the-newer-log","givenUp":["3107"]}`;
  await h.records.setValue('completion-checkpoint', before);
  const parts = scheduler.parts({ commandPorts: { ...h.ports, eventStore: withPositionGaps(h.eventStore) } });
  const completion = new Completion(parts);
  for (const _ of [1, 2]) await expect(completion.run()).rejects.toThrow(why);
  expect(await h.records.getValue('completion-checkpoint')).toBe(before);
});

describe('Given a log whose positions have gaps, and a reservation at 3007 whose process died', () => {
  let h: CommandHarness;
  let read: bigint[];
  let parts: ProcessParts;
  beforeEach(async () => {
    h = new CommandHarness();
    const scheduler = await schedulerOf(h);
    await h.run(registerProvider, { ...PROVIDER_INPUT, name: 'Other' });
    await crashAfterAppends(h, 1, async () => await h.run(registerProvider, PROVIDER_INPUT));
    read = [];
    const gappy = withPositionGaps(h.eventStore);
    const readAt = async (position: bigint) => {
      read.push(position);
      return await gappy.readAt(position);
    };
    const projector = { waitFor: async () => await Promise.resolve(true), status: scheduler.parts().projector.status };
    parts = scheduler.parts({ commandPorts: { ...h.ports, eventStore: { ...gappy, readAt } }, projector });
  });

  const stored = async (): Promise<unknown> =>
    JSON.parse((await h.records.getValue('completion-checkpoint')) ?? '') as unknown;
  const restart = async (): Promise<void> => await new Completion({ ...parts, metrics: new Registry() }).run();

  test('saves the position of the event before an open command', async () => {
    await restart();
    const { id } = (await h.log())[1] ?? {};
    expect(await stored()).toEqual({ after: `2007 ${id}`, givenUp: [] });
    await restart();
    expect(new Set(read)).toEqual(new Set([2007n]));
  });
});

describe('commands that are not finished', () => {
  test('lets an interrupted change of an existing thing lapse', async () => {
    const h = new CommandHarness();
    const scheduler = await schedulerOf(h);
    const providerId = await setUpProvider(h);
    await crashAfterAppends(h, 1, async () => await h.run(updateProvider, { provider_id: providerId, name: 'New' }));
    const log = await h.log();
    h.now = LATER;
    const parts = scheduler.parts();
    await new Completion(parts).run();
    expect(await h.log()).toEqual(log);
    expect(await metricValue(parts.metrics, 'surety_unfinished_commands')).toBe(0);
  });

  test('appends nothing when no command was interrupted', async () => {
    const h = new CommandHarness();
    const scheduler = await schedulerOf(h);
    await givenMerchants(h);
    await importPolicy(h);
    await importPolicy(h, { policy_number: 'POL-2', customer_email: 'other@customers.example' });
    await importPolicy(h, { term_from: '2027-01-01', term_through: '2027-12-31' });
    const log = await h.log();
    h.now = LATER;
    const parts = scheduler.parts();
    await new Completion(parts).run();
    expect(await h.log()).toEqual(log);
    expect(await metricValue(parts.metrics, 'surety_unfinished_commands')).toBe(0);
    expect(await h.records.getValue('completion-checkpoint')).toBe(checkpointAfter(log.at(-1)));
  });

  test('fails at an event whose type was altered, and finishes its command once it is restored', async () => {
    const h = new CommandHarness();
    const scheduler = await schedulerOf(h);
    await crashAfterAppends(h, 1, async () => await h.run(registerProvider, PROVIDER_INPUT));
    const restore = alterFirst(h.eventStore, 'ValueReserved.v1', { type: 'ValueReservee.v1' });
    h.now = LATER;
    const completion = new Completion(scheduler.parts());
    await expect(completion.run()).rejects.toThrow(/The event at position \d+ was altered in the store/);
    restore();
    await completion.run();
    expect((await h.log()).filter(({ type }) => type === 'ProviderRegistered')).toHaveLength(1);
  });

  test('logs and skips a reservation that cannot be decoded', async () => {
    const h = new CommandHarness();
    const scheduler = await schedulerOf(h);
    const event = { id: '00000000-0000-4000-8000-000000000001', type: 'ValueReserved.v1', data: {}, metadata: {} };
    await appendTo(h.eventStore, 'policyNumber-x', 'no_stream', [event]);
    await new Completion(scheduler.parts()).run();
    expect(scheduler.logged.filter((line) => line.includes('policyNumber-x'))).toHaveLength(1);
  });
});
