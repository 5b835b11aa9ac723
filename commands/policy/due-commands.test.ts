import { beforeEach, describe, expect, test } from '@jest/globals';
import { addDays, dayAfter } from '../../src/domain/values/dates.ts';
import type { Actor, RecordedEvent } from '../../src/event-sourcing/event.ts';
import { derivedId } from '../../src/event-sourcing/identifiers.ts';
import { dueChangeOf } from '../../src/domain/policy/due.ts';
import { policy, policyStream } from '../../src/domain/policy/policy.ts';
import type { PolicyEvent } from '../../src/domain/policy/policy-events.ts';
import { CommandHarness, LIVE } from '../../test/support/command-harness.ts';
import { sampleId, policyActivated, policyPurchased, toRecorded, term } from '../../test/support/sample-events.ts';
import { setUpProduct, setUpProvider } from '../../test/support/admin-fixtures.ts';
import { withdrawProduct } from '../product/withdraw-product.ts';
import { COMMANDS } from '../registry.ts';
import { activateDuePolicy, renewDuePolicy, stopAutoRenewal } from './due-commands.ts';
import { setAutoRenew } from './set-auto-renew.ts';
import { renewPolicy } from './renew-policy.ts';

const SURETY: Actor = { role: 'system', keyId: null };
const policyId = sampleId('policy', 1);
const stream = policyStream(policyId);
let harness: CommandHarness;

beforeEach(() => {
  harness = new CommandHarness();
});

/** A policy bought with a first term from 2026-03-10 through 2026-04-08, for 30 days. */
async function givenPurchase(changes: object = {}): Promise<void> {
  const priced = term('2026-03-10', '2026-04-08', '30.00');
  const first = { ...priced, annual: { ...priced.annual, premium: '365.00' } };
  const bought = { status: 'accepted', days: 30, environmentId: LIVE.environmentId, merchantId: LIVE.merchantId };
  await harness.given(stream, policyPurchased(1, 1, first, { ...bought, ...changes }));
}
const activate = async () => await harness.run(activateDuePolicy, { policy_id: policyId }, { actor: SURETY });
const activationRefused = async () => await harness.expectRefusal(activateDuePolicy, { policy_id: policyId });
const renewal = (termFrom: string) => ({ policy_id: policyId, term_from: termFrom });
const renew = async (termFrom: string) => await harness.run(renewDuePolicy, renewal(termFrom), { actor: SURETY });
const types = async () => (await harness.events(stream)).map(({ type }) => type);

describe('An accepted policy that starts on 2026-03-10', () => {
  beforeEach(async () => await givenPurchase());

  test.each(['2026-03-10T00:00:00.000Z', '2027-08-01T12:00:00.000Z'])(
    'is activated at %s as of its start day by the system',
    async (now) => {
      harness.now = now;
      const { events, replayed } = await activate();
      expect(replayed).toBe(false);
      expect(events).toHaveLength(1);
      expect(events[0]).toMatchObject({
        type: 'PolicyActivated',
        data: { policyId, cause: 'start_day', effectiveAt: '2026-03-10' },
        metadata: {
          recordedAt: now,
          actor: SURETY,
          merchant: LIVE.merchantId,
          policy: policyId,
          command: { name: 'ActivateDuePolicy', id: derivedId('command', 'ActivateDuePolicy', policyId) },
        },
      });
    },
  );

  test('is not activated before its start day', async () => {
    harness.now = '2026-03-09T23:59:59.999Z';
    expect((await activationRefused()).code).toBe('policy_not_begun');
    expect(await types()).toHaveLength(1);
  });
});

test('does not activate a policy that waits for an inspection', async () => {
  await givenPurchase({ inspectionRequired: true, autoRenew: true });
  harness.now = '2026-06-01T00:00:00.000Z';
  expect((await activationRefused()).code).toBe('policy_not_active');
  expect((await harness.expectRefusal(renewDuePolicy, renewal('2026-04-09'))).code).toBe('policy_not_renewable');
  expect(await types()).toHaveLength(1);
});

test('rejects an unknown policy', async () => {
  expect((await activationRefused()).code).toBe('policy_not_found');
  expect((await harness.expectRefusal(renewDuePolicy, renewal('2026-04-09'))).code).toBe('policy_not_found');
});

describe('An active policy that renews automatically after 2026-04-08', () => {
  beforeEach(async () => {
    await givenPurchase({ autoRenew: true });
    await harness.given(stream, policyActivated(1, 1));
    harness.now = '2026-04-09T08:00:00.000Z';
  });

  test('gets a term of the same duration at the annual premium by days', async () => {
    const { events } = await renew('2026-04-09');
    expect(events).toHaveLength(1);
    expect(events[0]).toMatchObject({
      type: 'PolicyRenewed',
      data: {
        effectiveAt: '2026-04-09',
        term: { from: '2026-04-09', through: '2026-05-08', premium: '30.00', annual: { premium: '365.00' } },
        days: 30,
        autoRenew: true,
        coverageChange: null,
      },
      metadata: {
        actor: SURETY,
        command: { name: 'RenewDuePolicy', id: derivedId('command', 'RenewDuePolicy', policyId, '2026-04-09') },
      },
    });
  });

  test.each([
    ['of one day', '2026-03-10', '2026-03-10', 1],
    ['of 365 days', '2026-03-10', '2027-03-09', 365],
    ['of 365 days, recorded with one day more by an older rule', '2026-03-10', '2027-03-10', 365],
  ])('gets a term of as many days as were agreed after a term %s', async (_case, from, through, days) => {
    harness = new CommandHarness();
    const bought = { status: 'active', autoRenew: true, days };
    await harness.given(stream, policyPurchased(1, 1, term(from, through), bought));
    harness.now = '2027-06-01T00:00:00.000Z';
    const start = dayAfter(through) ?? '';
    expect((await renew(start)).events[0]?.data).toMatchObject({
      days,
      term: { from: start, through: addDays(start, days - 1) },
    });
  });

  test.each([
    ['9999-12-28', 2],
    ['9999-12-29', undefined],
    ['9999-12-31', undefined],
  ])('with a last term through %s renews only within the calendar', (through, days) => {
    const bought = { status: 'active', autoRenew: true, days: 2 };
    const [event] = toRecorded(policyPurchased(1, 1, term(addDays(through, -1), through), bought));
    const due = dueChangeOf(policy.evolve(undefined, event as RecordedEvent<PolicyEvent>));
    expect(due?.kind === 'renewal' ? due.days : undefined).toBe(days);
  });

  test('is not renewed before its day or for another term', async () => {
    harness.now = '2026-04-08T23:00:00.000Z';
    expect((await harness.expectRefusal(renewDuePolicy, renewal('2026-04-09'))).code).toBe('policy_not_renewable');
    harness.now = '2028-01-01T00:00:00.000Z';
    expect((await harness.expectRefusal(renewDuePolicy, renewal('2026-05-09'))).code).toBe('policy_not_renewable');
    expect(await types()).toHaveLength(2);
  });

  test('is renewed first by a command of its merchant after midnight, term by term', async () => {
    harness.now = '2026-06-10T00:00:00.000Z';
    await harness.run(setAutoRenew, { policy_id: policyId, auto_renew: false }, { environment: LIVE });
    const events = await harness.events(stream);
    expect(events.slice(2).map(({ type }) => type)).toEqual([
      ...['PolicyRenewed', 'PolicyRenewed', 'PolicyRenewed'],
      'AutoRenewalSwitched',
    ]);
    expect(events.at(2)?.metadata.command.name).toBe('RenewDuePolicy');
  });

  test('stops to renew while its product is withdrawn, and can be switched on again', async () => {
    harness = new CommandHarness();
    const productId = await setUpProduct(harness, await setUpProvider(harness));
    await givenPurchase({ autoRenew: true, product: { id: productId, name: 'Private Motor', type: 'Auto' } });
    await harness.given(stream, policyActivated(1, 1));
    await harness.run(withdrawProduct, { product_id: productId });
    harness.now = '2026-04-09T08:00:00.000Z';
    for (const _round of [1, 2]) {
      expect((await harness.expectRefusal(renewDuePolicy, renewal('2026-04-09'))).code).toBe('policy_not_renewable');
      expect((await harness.events(stream)).at(-1)).toMatchObject({
        type: 'AutoRenewalStopped',
        data: { reason: 'product_withdrawn', effectiveAt: '2026-04-09' },
      });
      expect((await harness.expectRefusal(renewDuePolicy, renewal('2026-04-09'))).code).toBe('policy_not_renewable');
      harness.now = '2026-04-08T12:00:00.000Z';
      await harness.run(setAutoRenew, { policy_id: policyId, auto_renew: true }, { environment: LIVE });
      harness.now = '2026-04-09T08:00:00.000Z';
    }
    await harness.run(renewPolicy, {
      policy_id: policyId,
      preferred_policy_start_date: '2026-04-09',
      policy_duration: 30,
    });
  });
});

describe('Commands of the scheduler', () => {
  test('are not in the registry, and have an identity', () => {
    const names = new Set(COMMANDS.map(({ name }) => name));
    for (const { name, roles, identity, summary } of [activateDuePolicy, renewDuePolicy, stopAutoRenewal]) {
      expect(names.has(name)).toBe(false);
      expect(roles).toEqual([]);
      expect(identity).toBeDefined();
      expect(summary).toMatch(/^[A-Z].*\.$/);
    }
  });
});
