import { describe, expect, test } from '@jest/globals';
import type { RecordedEvent } from '#event-sourcing/event.ts';
import type { PolicyIds } from '#domain/policy/policy.ts';
import type { PolicyEvent } from '#domain/policy/policy-events.ts';
import type { DayRange } from '#domain/policy/term.ts';
import { namedId } from '#event-sourcing/identifiers.ts';
import {
  MERCHANT_ID,
  policyActivated,
  policyCancelled,
  policyChanged,
  policyImported,
  policyPurchased,
  policyReinstated,
  policyRenewed,
  type SampleEvent,
  sampleId,
  sampleTermId,
  term,
  termWithdrawn,
  toRecorded,
} from '#test/support/sample-events.ts';
import { policyTransactions } from './policy-transactions.ts';
import { transactions } from './transactions.ts';

/** Returns the transactions of the last event. */
function transactionsOfLast(...samples: readonly SampleEvent[]) {
  return toRecorded(...samples)
    .slice(-1)
    .flatMap((event) => policyTransactions(event as RecordedEvent<PolicyEvent>))
    .map(({ transaction }) => transaction);
}

const on = (effectiveAt: string, sample: SampleEvent): SampleEvent => ({
  ...sample,
  data: { ...sample.data, effectiveAt },
});
const priced = { net: '90.00', fee: '10.00', tax: '7.00', commission: '9.00', premium: '107.00' };
const ZERO = { net: '0.00', fee: '0.00', tax: '0.00', commission: '0.00', premium: '0.00' };
const first = { ...term('2026-01-01', '2026-12-31'), ...priced };
const second = term('2027-01-01', '2027-12-31', '110.00');
const purchased = on('2026-01-01', policyPurchased(1, 1, first));
const renewed = on('2027-01-01', policyRenewed(1, 1, second));
const returned = (revision: number, { from, through }: DayRange, part: object = {}) => ({
  termId: sampleTermId(1, revision),
  from,
  through,
  ...priced,
  ...part,
});

/**
 * Returns kind, amount, net, fee, tax, commission, date and first day of the term of every transaction of the last
 * event.
 */
function addedBy(...samples: readonly SampleEvent[]) {
  return transactionsOfLast(...samples).map(({ kind, amount, net, fee, tax, commission, date, term: days }) =>
    [kind, amount, net, fee, tax, commission, date, days?.from].join(' '),
  );
}

describe('the transactions of a policy', () => {
  test('name event and term, and are listed by policy, customer, and merchant with the time of recording', () => {
    const [event] = toRecorded(purchased, renewed).slice(-1);
    if (event === undefined) throw new Error('there is no event');
    const term_id = sampleTermId(1, 1);
    const transaction = {
      transaction_id: namedId(event.id, term_id),
      kind: 'premium',
      amount: '110.00',
      net: '110.00',
      fee: '0.00',
      tax: null,
      commission: null,
      currency: 'NGN',
      date: '2027-01-01',
      recorded_at: event.metadata.recordedAt,
      event_id: event.id,
      policy_id: sampleId('policy', 1),
      claim_id: null,
      term_id,
      term: { from: '2027-01-01', through: '2027-12-31' },
    } as const;
    const owner = `${MERCHANT_ID}-live`;
    const document = { customer_id: sampleId('customer', 1), owner, transaction } as const;
    const indexes = {
      policy: sampleId('policy', 1),
      customer: sampleId('customer', 1),
      owner_recorded: `${owner} ${event.metadata.recordedAt}`,
    };
    expect(transactions.rows({ ...event, type: event.storedType }, () => event)).toEqual([
      { key: transaction.transaction_id, document, indexes },
    ]);
  });

  const cancelled = on(
    '2026-08-31',
    policyCancelled(1, 1, { returned: [returned(0, first), returned(1, second, { tax: null })] }),
  );
  test.each<[string, readonly SampleEvent[], readonly string[]]>([
    [
      'a change with the difference',
      [purchased, on('2026-06-01', policyChanged(1, 1, first, 0, '-5.00'))],
      ['premium_change -5.00 -5.00 0.00   2026-06-01 2026-01-01'],
    ],
    [
      'a change of a later term on its first day',
      [purchased, renewed, on('2026-06-01', policyChanged(1, 1, second, 1, '5.00'))],
      ['premium_change 5.00 5.00 0.00   2027-01-01 2027-01-01'],
    ],
    [
      'a cancellation with what each term returns, at the earliest on its first day',
      [purchased, renewed, cancelled],
      [
        'return_premium -107.00 -90.00 -10.00 -7.00 -9.00 2026-08-31 2026-01-01',
        'return_premium -107.00 -90.00 -10.00  -9.00 2027-01-01 2027-01-01',
      ],
    ],
    [
      'a reinstatement with the same again',
      [purchased, renewed, cancelled, on('2026-08-31', policyReinstated(1, 1, [returned(0, first)]))],
      ['premium_reinstated 107.00 90.00 10.00 7.00 9.00 2026-08-31 2026-01-01'],
    ],
    [
      'a withdrawal with the whole term',
      [purchased, renewed, on('2026-06-01', termWithdrawn(1, 1, second))],
      ['return_premium -110.00 -110.00 0.00   2027-01-01 2027-01-01'],
    ],
    ['nothing where a change costs nothing', [purchased, on('2026-06-01', policyChanged(1, 1, first))], []],
    [
      'nothing where an end returns 0.00',
      [purchased, on('2026-12-31', policyCancelled(1, 1, { returned: [returned(0, first, ZERO)] }))],
      [],
    ],
  ])('have of %s', (_what, samples, expected) => {
    expect(addedBy(...samples)).toEqual(expected);
  });

  test('have none of a premium of 0.00', () => {
    expect(transactionsOfLast(policyImported(1, 1, term('2026-01-01', '2026-12-31', '0.00')))).toEqual([]);
  });
});

describe('the payment of a claim', () => {
  const payment = { claimId: sampleId('claim', 1), paymentId: sampleId('payment', 1) };
  const amount = '50.00';
  const policyEventOf = (type: string, effectiveAt: string, data: object): SampleEvent => ({
    ...policyActivated(1, 1),
    type,
    data: { ...policyIdsOf(purchased), ...payment, ...data, effectiveAt },
  });
  const incident = { amount, termId: sampleTermId(1, 0), coverageName: null, incidentDate: '2026-03-01' };
  const booking = policyEventOf('ClaimPaymentBooked', '2026-04-01', incident);

  test('is dated on its day', () => {
    const [, event] = toRecorded(purchased, booking);
    expect(transactionsOfLast(purchased, booking)).toEqual([
      expect.objectContaining({
        transaction_id: namedId(event?.id ?? '', sampleId('payment', 1)),
        kind: 'claim_payment',
        amount: '-50.00',
        net: '-50.00',
        fee: '0.00',
        tax: null,
        commission: null,
        date: '2026-04-01',
        policy_id: sampleId('policy', 1),
        claim_id: sampleId('claim', 1),
        term_id: null,
        term: null,
      }),
    ]);
  });

  test('is taken back on the day of its reversal', () => {
    const reversal = policyEventOf('ClaimPaymentUnbooked', '2026-05-01', { amount });
    expect(transactionsOfLast(purchased, booking, reversal)).toMatchObject([
      { kind: 'claim_payment', amount: '50.00', date: '2026-05-01' },
    ]);
  });

  test('does not exist when the policy refuses it', () => {
    const refused = policyEventOf('ClaimPaymentRefused', '2026-04-01', {
      reason: 'amount_too_high',
      limitLeft: '0.00',
    });
    expect(transactionsOfLast(purchased, refused)).toEqual([]);
  });
});

/** Picks what every event of a policy has. */
function policyIdsOf({ data }: SampleEvent): object {
  const { policyId, merchantId, environmentId, testMode, customerId, currency } = data as PolicyIds;
  return { policyId, merchantId, environmentId, testMode, customerId, currency };
}
