import { describe, expect, test } from '@jest/globals';
import type { RecordedEvent } from '../../event-sourcing/event.ts';
import { derivedId } from '../../event-sourcing/identifiers.ts';
import {
  covers,
  dayAfter,
  lastTerm,
  overlap,
  type PolicyEvent,
  type PolicyState,
  policy,
  type Term,
} from './policy.ts';
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
  annualPremium: premium,
  paymentFrequency: null,
  risk: {},
  premiumParts: {},
});

let revision = -1;
/** Events of a stream with only the fields that folds read. */
function eventOf(type: PolicyEvent['type'], data: object): RecordedEvent<PolicyEvent> {
  revision += 1;
  return { type, data: { ...ids, ...data }, stream: `policy-${ids.policyId}`, revision } as RecordedEvent<PolicyEvent>;
}
const imported = (first: Term, facts: object = {}) =>
  eventOf('PolicyImported', {
    policyNumber: 'POL-1',
    status: 'active',
    merchantName: 'Acme Bank',
    holder: { name: 'Ada Obi', email: 'ada@customers.example', phone: null, address: null },
    provider: { id: derivedId('provider'), name: 'Assurance', email: null },
    product: { id: derivedId('product'), name: 'Private Motor', type: 'Auto' },
    coverage: 'fire',
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
  eventOf('PolicyCancelled', { cancelledAt: '2026-05-05T12:00:00.000Z', reason: 'sold', initiator: 'Acme Bank' });

const state = (...events: readonly RecordedEvent<PolicyEvent>[]): PolicyState =>
  events.reduce<PolicyState | undefined>(policy.evolve, undefined) as PolicyState;
const view = (...events: readonly RecordedEvent<PolicyEvent>[]): PolicyResource => policyResourceOf(events);

const year = (of: number, premium?: string) => term(`${of}-01-01`, `${of}-12-31`, premium);

describe('a policy with terms', () => {
  test('has them sorted by start day', () => {
    const { terms } = state(imported(year(2024)), further(year(2022)), further(year(2023)), renewed(year(2025)));
    expect(terms.map(({ from }) => from)).toEqual(['2022-01-01', '2023-01-01', '2024-01-01', '2025-01-01']);
    expect(lastTerm(terms).from).toBe('2025-01-01');
  });

  test('shows the term that ends last also when an earlier one is recorded after it', () => {
    const resource = view(imported(year(2024, '240.00')), further(year(2022, '220.00')));
    expect(resource).toMatchObject({
      effective_from: '2024-01-01',
      effective_through: '2024-12-31',
      premium: '240.00',
    });
  });

  test('shows period, premium and renewal day of a later term', () => {
    expect(view(imported(year(2024)), renewed(year(2025, '250.00')))).toMatchObject({
      effective_from: '2025-01-01',
      effective_through: '2025-12-31',
      premium: '250.00',
      renewal_date: '2026-01-01T00:00:00.000Z',
      status: 'active',
    });
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
      status: 'cancelled',
      cancellation_initiator: 'Acme Bank',
      cancellation_reason: 'sold',
      cancellation_date: '2026-05-05T12:00:00.000Z',
    });
  });
});

describe('a cancelled policy', () => {
  const events = [imported(year(2026)), cancelled()];

  test.each([further(year(2025)), eventOf('PolicyActivated', { cause: 'start_day' })])(
    'stays cancelled after an event that would activate it',
    (event) => {
      expect(state(...events, event)).toMatchObject({ status: 'cancelled', cancelledAt: '2026-05-05T12:00:00.000Z' });
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

describe('days', () => {
  const gap = state(imported(year(2024)), further(year(2026)));

  test.each([
    ['2023-12-31', false],
    ['2024-01-01', true],
    ['2024-12-31', true],
    ['2025-06-01', false],
    ['2026-01-01', true],
    ['2027-01-01', false],
  ])('%s is covered by terms of 2024 and 2026: %p', (day, covered) => {
    expect(covers(gap, day)).toBe(covered);
  });

  test.each([
    ['2026-05-05', true],
    ['2026-05-06', false],
    ['2024-05-06', true],
  ])('%s is covered by a policy that was cancelled on 2026-05-05: %p', (day, covered) => {
    expect(covers(state(imported(year(2024)), further(year(2026)), cancelled()), day)).toBe(covered);
  });

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
