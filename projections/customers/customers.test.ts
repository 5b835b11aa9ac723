import { describe, expect, test } from '@jest/globals';
import {
  claimImported,
  claimReviewStarted,
  claimSettled,
  customerRegistered,
  type SampleEvent,
  sampleId,
  MERCHANT_ID,
  policyActivated,
  policyCancelled,
  policyImported,
  policyPurchased,
  policyRenewed,
  policyTermImported,
  toRecorded,
  term,
} from '../../test/support/sample-events.ts';
import { toCustomerResource } from './customer-resource.ts';
import { type CustomerDocument, customers } from './customers.ts';

const foldEvents = (...events: ReturnType<typeof toRecorded>) => {
  const document = events.reduce<CustomerDocument | undefined>(
    (before, event) => customers.fold(before, event),
    undefined,
  );
  if (document === undefined) throw new Error('there is no customer');
  return document;
};
const FIRST = policyImported(1, 1, term('2025-01-01', '2025-12-31', '100.00'));
const NEXT = policyRenewed(1, 1, term('2026-01-01', '2026-12-31', '120.00'));

describe('customers', () => {
  test('route events of the customer, its policies and its claims to the customer', () => {
    const events = toRecorded(customerRegistered(1), policyImported(1, 1), claimImported(1, 1, 1));
    expect(events.map((event) => customers.key(event))).toEqual(events.map(() => sampleId('customer', 1)));
    const [registered, imported] = events;
    expect(registered && customers.key({ ...registered, metadata: {} })).toBe(sampleId('customer', 1));
    expect(imported && customers.key({ ...imported, metadata: {} })).toBeUndefined();
  });

  test('show period and premium of the last term of a renewed policy', () => {
    const view = toCustomerResource(foldEvents(...toRecorded(customerRegistered(1), FIRST, NEXT)), '2025-06-01');
    expect(view.purchased_policies).toEqual([
      {
        policy_id: sampleId('policy', 1),
        policy_type: 'Auto',
        status: 'active',
        start_date: '2026-01-01',
        end_date: '2026-12-31',
        premium_amount: '120.00',
      },
    ]);
  });

  test('reuse the summary of a policy that an event does not change', () => {
    const before = foldEvents(...toRecorded(customerRegistered(1), FIRST));
    const other = toRecorded(customerRegistered(1), FIRST, policyImported(1, 2)).at(-1);
    const after = other && customers.fold(before, other);
    const [summary] = toCustomerResource(before, '2025-06-01').purchased_policies;
    expect(after && toCustomerResource(after, '2026-06-01').purchased_policies[0]).toBe(summary);
  });

  test.each([
    ['2024-12-31', 0],
    ['2025-01-01', 1],
    ['2025-12-31', 1],
    ['2026-01-01', 0],
    ['2026-06-01', 1],
    ['2027-01-01', 0],
  ])('on %s have %i active policies: a term must cover the day', (today, active) => {
    const later = policyRenewed(1, 1, term('2026-02-01', '2026-12-31'));
    const document = foldEvents(...toRecorded(customerRegistered(1), FIRST, later));
    expect(toCustomerResource(document, today).active_policies).toHaveLength(active);
  });

  test('activate a purchased policy unless it is cancelled', () => {
    const purchased = [customerRegistered(1), policyPurchased(1, 1, undefined, { status: 'accepted' })];
    const statusAfter = (...events: readonly SampleEvent[]) =>
      toCustomerResource(foldEvents(...toRecorded(...purchased, ...events)), '2025-06-01').purchased_policies[0]
        ?.status;
    expect(statusAfter()).toBe('accepted');
    expect(statusAfter(policyActivated(1, 1))).toBe('active');
    expect(statusAfter(policyCancelled(1, 1), policyActivated(1, 1))).toBe('cancelled');
  });

  test('keep a cancelled policy inactive when another term is imported', () => {
    const importedTerm = policyTermImported(1, 1, term('2026-01-01', '2026-12-31'));
    const document = foldEvents(...toRecorded(customerRegistered(1), FIRST, policyCancelled(1, 1), importedTerm));
    const view = toCustomerResource(document, '2025-06-01');
    expect(view.purchased_policies).toMatchObject([{ status: 'cancelled', start_date: '2026-01-01' }]);
    expect(view.active_policies).toEqual([]);
  });

  test('sort terms by start day', () => {
    const earlier = policyTermImported(1, 1, term('2024-01-01', '2024-12-31', '80.00'));
    const document = foldEvents(...toRecorded(customerRegistered(1), FIRST, earlier));
    expect(document.policies[0]?.terms.map(({ start_date }) => start_date)).toEqual(['2024-01-01', '2025-01-01']);
    expect(toCustomerResource(document, '2024-06-01').active_policies).toMatchObject([{ premium_amount: '100.00' }]);
  });

  test('list open and settled claims, and only open ones as active', () => {
    const samples = [
      claimImported(1, 1, 1),
      claimImported(1, 1, 2),
      claimReviewStarted(1, 1, 1),
      claimSettled(1, 1, 2),
    ];
    const document = foldEvents(...toRecorded(customerRegistered(1), FIRST, ...samples));
    expect(document.claims).toEqual([
      {
        claim_id: sampleId('claim', 1),
        policy_id: sampleId('policy', 1),
        claim_status: 'pending',
        claim_amount: '50.00',
        date_filed: '2025-03-02',
        date_resolved: null,
      },
      {
        claim_id: sampleId('claim', 2),
        policy_id: sampleId('policy', 1),
        claim_status: 'paid',
        claim_amount: '50.00',
        date_filed: '2025-03-02',
        date_resolved: '2025-04-01',
      },
    ]);
    const { active_claims } = toCustomerResource(document, '2025-06-01');
    expect(active_claims.map(({ claim_id }) => claim_id)).toEqual([sampleId('claim', 1)]);
  });

  test('are found by merchant and world', () => {
    expect(customers.indexes(foldEvents(...toRecorded(customerRegistered(1))))).toEqual({
      merchant: MERCHANT_ID,
      test_mode: false,
    });
  });

  test.each([
    ['a policy before the customer', [policyImported(1, 1)], 'PolicyImported.v2 came before what it changes'],
    ['a renewal of an unknown policy', [customerRegistered(1), NEXT], 'the policy is not among those of the customer'],
    [
      'a move of an unknown claim',
      [customerRegistered(1), claimSettled(1, 1, 1)],
      'the claim is not among those of the customer',
    ],
  ])('reject %s', (_case, samples, reason) => {
    expect(() => foldEvents(...toRecorded(...samples))).toThrow(reason);
  });
});
