import { beforeEach, describe, expect, test } from '@jest/globals';
import type { Actor } from '#event-sourcing/event.ts';
import { derivedId } from '#event-sourcing/identifiers.ts';
import { policyStream } from '#domain/policy/policy.ts';
import { CommandHarness, LIVE } from '#test/support/command-harness.ts';
import { offeredProduct } from '#test/support/offered-products.ts';
import { ratedTerm } from '#test/support/policy-events.ts';
import { sampleId, policyActivated, policyPurchased } from '#test/support/sample-events.ts';
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

/** A policy bought with a first term from 2026-03-10 through 2026-04-08. */
async function givenPurchase(changes: object = {}): Promise<void> {
  const bought = { status: 'accepted', environmentId: LIVE.environmentId, merchantId: LIVE.merchantId, ...changes };
  await harness.given(stream, policyPurchased(1, 1, ratedTerm('2026-03-10', 30), bought));
}
const renewal = (termFrom: string) => ({ policy_id: policyId, term_from: termFrom });
const renew = async (termFrom: string) => await harness.run(renewDuePolicy, renewal(termFrom), { actor: SURETY });
const codeOfRenewal = async () => (await harness.expectRefusal(renewDuePolicy, renewal('2026-04-09'))).code;
const lastEvent = async () => (await harness.events(stream)).at(-1);

test('an activation has an id of the policy, and is of the system', async () => {
  await givenPurchase();
  harness.now = '2026-03-11T00:00:00.000Z';
  const { events } = await harness.run(activateDuePolicy, { policy_id: policyId }, { actor: SURETY });
  expect(events).toMatchObject([
    {
      type: 'PolicyActivated',
      data: { policyId, cause: 'start_day', effectiveAt: '2026-03-10' },
      metadata: {
        recordedAt: harness.now,
        actor: SURETY,
        merchant: LIVE.merchantId,
        policy: policyId,
        command: { name: 'ActivateDuePolicy', id: derivedId('command', 'ActivateDuePolicy', policyId) },
      },
    },
  ]);
});

test('an unknown policy is refused', async () => {
  const refusal = await harness.expectRefusal(activateDuePolicy, { policy_id: policyId });
  expect([refusal.code, await codeOfRenewal()]).toEqual(['policy_not_found', 'policy_not_found']);
});

describe('An active policy that renews automatically after 2026-04-08', () => {
  beforeEach(async () => {
    await givenPurchase({ autoRenew: true });
    await harness.given(stream, policyActivated(1, 1));
    harness.now = '2026-04-09T08:00:00.000Z';
  });

  test('is renewed by the system at the present rates, under an id of policy and term', async () => {
    harness.products.push(offeredProduct(1, { rating: { tax_percent: '10' } }));
    const { events } = await renew('2026-04-09');
    expect(events).toMatchObject([
      {
        type: 'PolicyRenewed',
        data: {
          effectiveAt: '2026-04-09',
          autoRenew: true,
          coverageChange: null,
          term: { from: '2026-04-09', through: '2026-05-08', premium: '33.00', net: '30.00', fee: '0.00', tax: '3.00' },
        },
        metadata: {
          actor: SURETY,
          command: { name: 'RenewDuePolicy', id: derivedId('command', 'RenewDuePolicy', policyId, '2026-04-09') },
        },
      },
    ]);
  });

  test('is renewed first by a command of its merchant after midnight, term by term', async () => {
    harness.now = '2026-06-10T00:00:00.000Z';
    await harness.run(setAutoRenew, { policy_id: policyId, auto_renew: false }, { environment: LIVE });
    const events = await harness.events(stream);
    expect(events.slice(2).map(({ type }) => type)).toEqual([
      'PolicyRenewed',
      'PolicyRenewed',
      'PolicyRenewed',
      'AutoRenewalSwitched',
    ]);
    expect(events.at(2)?.metadata.command.name).toBe('RenewDuePolicy');
  });

  test('stops to renew while its product is withdrawn, and can be switched on again', async () => {
    harness.products.push(offeredProduct(1, { status: 'withdrawn' }));
    for (const _round of [1, 2]) {
      expect(await codeOfRenewal()).toBe('policy_not_renewable');
      expect(await lastEvent()).toMatchObject({
        type: 'AutoRenewalStopped',
        data: { reason: 'product_withdrawn', effectiveAt: '2026-04-09' },
      });
      expect(await codeOfRenewal()).toBe('policy_not_renewable');
      harness.now = '2026-04-08T12:00:00.000Z';
      await harness.run(setAutoRenew, { policy_id: policyId, auto_renew: true }, { environment: LIVE });
      harness.now = '2026-04-09T08:00:00.000Z';
    }
    const byHand = { policy_id: policyId, preferred_policy_start_date: '2026-04-09', policy_duration: 30 };
    await harness.run(renewPolicy, byHand);
  });

  test('stops to renew when the next term would be too dear', async () => {
    harness.products.push(offeredProduct(1, { rating: { surcharge: '99999999.99' } }));
    expect(await codeOfRenewal()).toBe('policy_not_renewable');
    expect(await lastEvent()).toMatchObject({ type: 'AutoRenewalStopped', data: { reason: 'premium_out_of_range' } });
  });
});

test('commands of the scheduler are not in the registry, and have an identity', () => {
  const names = new Set(COMMANDS.map(({ name }) => name));
  for (const { name, roles, identity, summary } of [activateDuePolicy, renewDuePolicy, stopAutoRenewal]) {
    expect(names.has(name)).toBe(false);
    expect(roles).toEqual([]);
    expect(identity).toBeDefined();
    expect(summary).toMatch(/^[A-Z].*\.$/);
  }
});
