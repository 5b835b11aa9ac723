import { describe, expect, test } from '@jest/globals';
import type { RecordedEvent } from '../../event-sourcing/event.ts';
import { derivedId } from '../../event-sourcing/identifiers.ts';
import { dayAfter } from '../values/dates.ts';
import { type Cover, hasBegun, isInForce, lastTerm, overlap, shownTerm, termState } from './cover.ts';
import { type PolicyState, policy } from './policy.ts';
import type { PolicyEvent } from './policy-events.ts';
import type { Term } from './term.ts';
import type { PolicyResource } from '../../../projections/policies/policy-resource.ts';
import { policyResourceOf } from '../../../projections/resources.ts';

const ids = {
  policyId: derivedId('policy'),
  merchantId: derivedId('merchant'),
  environmentId: 1,
  testMode: false,
  customerId: derivedId('customer'),
};
const term = (from: string, through: string, premium = '100.00'): Term => ({
  from,
  through,
  premium,
  ...{ tax: null, surcharge: null, commission: null, annual: null },
  paymentFrequency: null,
  risk: {},
  premiumParts: {},
  coverages: [{ name: 'fire', type: null, limit: null }],
});

let revision = -1;
/** Events of a stream with only the fields that folds read. */
function eventOf(
  type: PolicyEvent['type'],
  data: object,
  recordedAt = '2026-03-01T10:00:00.000Z',
): RecordedEvent<PolicyEvent> {
  revision += 1;
  const metadata = { recordedAt };
  return {
    type,
    data: { ...ids, ...data },
    stream: `policy-${ids.policyId}`,
    revision,
    metadata,
  } as RecordedEvent<PolicyEvent>;
}
const imported = (first: Term, facts: object = {}) =>
  eventOf('PolicyImported', {
    policyNumber: 'POL-1',
    status: 'active',
    merchantName: 'Acme Bank',
    holder: { name: 'Ada Obi', email: 'ada@customers.example', phone: null, address: null },
    provider: { id: derivedId('provider'), name: 'Assurance', email: null },
    product: { id: derivedId('product'), name: 'Private Motor', type: 'Auto' },
    timeZone: 'UTC',
    currency: 'EUR',
    renewable: true,
    inspectionRequired: false,
    certificationRequired: true,
    term: first,
    effectiveAt: first.from,
    ...facts,
  });
const further = (added: Term, status = 'active') => eventOf('PolicyTermImported', { term: added, status });
const renewed = (added: Term, autoRenew = false) => eventOf('PolicyRenewed', { term: added, autoRenew, days: 365 });
const cancelled = () =>
  eventOf('PolicyCancelled', {
    cancelledAt: '2026-05-05T12:00:00.000Z',
    reason: 'sold',
    initiator: 'Acme Bank',
    returned: [],
  });

const state = (...events: readonly RecordedEvent<PolicyEvent>[]): PolicyState =>
  events.reduce<PolicyState | undefined>(policy.evolve, undefined) as PolicyState;
const view = (...events: readonly RecordedEvent<PolicyEvent>[]): PolicyResource => policyResourceOf(events);

const year = (of: number, premium?: string) => term(`${of}-01-01`, `${of}-12-31`, premium);

describe('a policy with terms', () => {
  test('has them sorted by start day', () => {
    const folded = state(imported(year(2024)), further(year(2022)), further(year(2023)), renewed(year(2025)));
    expect(folded.terms.map(({ from }) => from)).toEqual(['2022-01-01', '2023-01-01', '2024-01-01', '2025-01-01']);
    expect(lastTerm(folded).from).toBe('2025-01-01');
  });

  test('shows the term of the day: an earlier renewal changes only the renewal date', () => {
    const early = renewed(year(2027, '270.00'));
    expect(view(imported(year(2026, '260.00')), early)).toMatchObject({
      effective_from: '2026-01-01',
      effective_through: '2026-12-31',
      premium: '260.00',
      renewal_date: '2028-01-01T00:00:00.000Z',
      status: 'active',
    });
    const later = eventOf('AutoRenewalSwitched', { autoRenew: true }, '2027-01-01T00:00:00.000Z');
    expect(view(imported(year(2026)), early, later)).toMatchObject({ effective_from: '2027-01-01', premium: '270.00' });
  });

  test('renews automatically as the last renewal says', () => {
    expect(state(imported(year(2024))).autoRenew).toBe(false);
    expect(state(imported(year(2024)), renewed(year(2025), true)).autoRenew).toBe(true);
    expect(state(imported(year(2024)), renewed(year(2025), true), renewed(year(2026))).autoRenew).toBe(false);
  });

  test('is active once a term that has begun is recorded', () => {
    const events = [imported(year(2027), { status: 'accepted' }), further(year(2026))];
    expect(state(...events).status).toBe('active');
    expect(view(...events).status).toBe('active');
  });

  test('changes nothing but the cancellation fields when it is cancelled', () => {
    const before = view(imported(year(2026)));
    expect(view(imported(year(2026)), cancelled())).toEqual({
      ...before,
      renewable: false,
      renewal_date: null,
      status: 'cancelled',
      cancellation_initiator: 'Acme Bank',
      cancellation_reason: 'sold',
      cancellation_date: '2026-05-05T12:00:00.000Z',
    });
  });
});

describe('a cancelled policy', () => {
  const events = [imported(year(2026)), cancelled()];

  test.each([further(year(2025)), eventOf('PolicyActivated', { cause: 'start_day', movedTerm: null })])(
    'stays cancelled after an event that would activate it',
    (event) => {
      expect(state(...events, event)).toMatchObject({
        status: 'cancelled',
        cancellation: { at: '2026-05-05T12:00:00.000Z' },
      });
      expect(view(...events, event).status).toBe('cancelled');
    },
  );
});

describe('an imported policy', () => {
  test('has every field of the resource', () => {
    expect(view(imported(year(2026)))).toEqual({
      policy_id: ids.policyId,
      policy_number: 'POL-1',
      effective_from: '2026-01-01',
      effective_through: '2026-12-31',
      premium: '100.00',
      policy_holder: {
        customer_id: ids.customerId,
        customer_name: 'Ada Obi',
        customer_email: 'ada@customers.example',
        customer_phone: null,
      },
      merchant: 'Acme Bank',
      provider: { provider_id: derivedId('provider'), provider_name: 'Assurance', email: null },
      coverage: 'fire',
      policy_type: 'Auto',
      renewable: true,
      renewal_date: '2027-01-01T00:00:00.000Z',
      inspection_required: false,
      cerfication_required: true,
      status: 'active',
      cancellation_initiator: null,
      cancellation_reason: null,
      cancellation_date: null,
      beneficiaries: [],
    });
  });

  test('has no renewal date when it is not renewable or has no end', () => {
    expect(view(imported(year(2026), { renewable: false })).renewal_date).toBeNull();
    expect(view(imported(term('2026-01-01', '9999-12-31'))).renewal_date).toBeNull();
  });
});

describe('a stream without a first term', () => {
  test.each([further(year(2026)), renewed(year(2026)), cancelled()])('cannot be folded', (event) => {
    expect(() => state(event)).toThrow('before the policy exists');
    expect(() => view(event)).toThrow('before the policy exists');
  });
});

describe('cover', () => {
  const gap = state(imported(year(2024)), further(year(2026)));
  const ended = state(imported(year(2024)), further(year(2026)), renewed(year(2027)), cancelled());
  const bought = (first: Term, facts: object = {}) => ({ ...imported(first, facts), type: 'PolicyPurchased' as const });
  const waiting = { status: 'accepted', beneficiaries: [], days: 365, autoRenew: false };
  const accepted = bought(year(2026), waiting) as RecordedEvent<PolicyEvent>;
  const activated = (effectiveAt: string, movedTerm: object | null = null) =>
    eventOf('PolicyActivated', { cause: 'back_office', movedTerm, effectiveAt });
  const declined = eventOf('PolicyDeclined', {
    declinedAt: '2026-02-01T00:00:00.000Z',
    reason: 'too old',
    returned: [],
  });

  test.each([
    ['2023-12-31', false],
    ['2024-01-01', true],
    ['2024-12-31', true],
    ['2025-06-01', false],
    ['2026-01-01', true],
    ['2027-01-01', false],
  ])('of terms of 2024 and 2026 is in force on %s: %p', (day, inForce) => {
    expect(isInForce(gap, day)).toBe(inForce);
  });

  test.each([
    ['2026-05-05', true],
    ['2026-05-06', false],
    ['2024-05-06', true],
    ['2027-05-06', false],
  ])('of a policy that was cancelled on 2026-05-05 is in force on %s: %p', (day, inForce) => {
    expect(isInForce(ended, day)).toBe(inForce);
  });

  test.each([
    ['not at all while it waits for activation', [accepted], '2026-06-01', false],
    [
      'not before the day of a later activation that moved no term',
      [accepted, activated('2026-06-02')],
      '2026-06-01',
      false,
    ],
    ['from the day of a later activation', [accepted, activated('2026-06-02')], '2026-06-02', true],
    [
      'from the first day of the moved term',
      [accepted, activated('2026-06-02', { from: '2026-06-02', through: '2027-06-01' })],
      '2027-06-01',
      true,
    ],
    ['from the first day after an earlier activation', [accepted, activated('2025-12-01')], '2026-01-01', true],
    ['not before the first day after an earlier activation', [accepted, activated('2025-12-01')], '2025-12-31', false],
    ['not at all after it was declined', [accepted, declined], '2026-01-15', false],
  ] as const)('is in force %s', (_when, events, day, inForce) => {
    expect(isInForce(state(...events), day)).toBe(inForce);
  });

  test.each([
    ['2023-06-01', ['upcoming', 'upcoming', 'upcoming']],
    ['2024-06-01', ['in_force', 'upcoming', 'upcoming']],
    ['2025-06-01', ['past', 'upcoming', 'upcoming']],
    ['2027-01-01', ['past', 'past', 'in_force']],
  ])('gives terms of 2024, 2026 and 2027 their states on %s', (day, states) => {
    const cover = state(imported(year(2024)), further(year(2026)), renewed(year(2027)));
    expect(statesOf(cover, day)).toEqual(states);
  });

  test('gives terms after the end of the policy their states', () => {
    expect(statesOf(ended, '2026-05-05')).toEqual(['past', 'in_force', 'cancelled']);
    expect(statesOf(ended, '2026-05-06')).toEqual(['past', 'past', 'cancelled']);
    expect(statesOf(state(accepted, declined), '2026-05-06')).toEqual(['cancelled']);
    expect(statesOf(state(accepted), '2026-05-06')).toEqual(['upcoming']);
    const returned = { from: '2027-01-01', through: '2027-12-31', premium: '100.00', tax: null, commission: null };
    const withdrawn = eventOf('TermWithdrawn', { reason: 'typing error', returned });
    const again = state(imported(year(2026)), renewed(year(2027)), withdrawn, renewed(year(2027)));
    expect(statesOf(again, '2026-05-06')).toEqual(['in_force', 'withdrawn', 'upcoming']);
    expect(again.terms.map((term) => hasBegun(again, term, '2027-06-01'))).toEqual([true, false, true]);
  });

  test.each([
    ['2023-06-01', 2024],
    ['2024-06-01', 2024],
    ['2025-06-01', 2024],
    ['2026-01-01', 2026],
    ['2030-01-01', 2026],
  ])('of terms of 2024 and 2026 shows on %s that of %i', (day, of) => {
    expect(shownTerm(gap, day).from).toBe(`${of}-01-01`);
  });

  test('of a policy that ended shows the last term that has begun', () => {
    expect(shownTerm(ended, '2028-01-01').from).toBe('2026-01-01');
  });
});

const statesOf = (cover: Cover, day: string) => cover.terms.map((term) => termState(cover, term, day));

describe('days', () => {
  test('in two periods make them overlap', () => {
    const first = { from: '2026-01-01', through: '2026-01-31' };
    for (const [from, through, shared] of [
      ['2026-01-31', '2026-02-28', true],
      ['2026-02-01', '2026-02-28', false],
      ['2025-12-01', '2026-01-01', true],
      ['2025-12-01', '2025-12-31', false],
      ['2026-01-10', '2026-01-10', true],
      ['2025-01-01', '2027-01-01', true],
    ] as const) {
      expect(overlap(first, { from, through })).toBe(shared);
      expect(overlap({ from, through }, first)).toBe(shared);
    }
  });

  test('end with 9999-12-31', () => {
    expect(dayAfter('2024-02-28')).toBe('2024-02-29');
    expect(dayAfter('9999-12-31')).toBeNull();
  });
});
