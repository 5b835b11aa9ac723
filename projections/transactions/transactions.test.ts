import { NO_SETTLEMENT } from '../../src/domain/claim/settlement.ts';
import { describe, expect, test } from '@jest/globals';
import type { RecordedEvent } from '../../src/event-sourcing/event.ts';
import { derivedId } from '../../src/event-sourcing/identifiers.ts';
import { type ListedTransaction, transactionParts } from './transaction.ts';
import { type TransactionsDocument, transactions } from './transactions.ts';

const policyId = derivedId('test', 'policy');
const customerId = derivedId('test', 'customer');
const claimId = derivedId('test', 'claim');

type Given = readonly [type: string, data: object];

/** Folds the events, whose ids and positions are 1, 2, 3 and so on. */
function foldEvents(stream: string, ...events: readonly Given[]): TransactionsDocument | undefined {
  return events.reduce<TransactionsDocument | undefined>((document, [type, given], index) => {
    const data = { policyId, customerId, effectiveAt: '2026-01-01', ...given };
    const event = { id: `event ${index + 1}`, position: BigInt(index + 1), stream, type, data };
    return transactions.fold(document, event as unknown as RecordedEvent) as TransactionsDocument;
  }, undefined);
}

const ofPolicy = (...events: readonly Given[]) => foldEvents(`policy-${policyId}`, ...events);
const ofClaim = (...events: readonly Given[]) => foldEvents(`claim-${claimId}`, ...events);

const term = (from: string, through: string, premium: string) => ({
  from,
  through,
  premium,
  tax: '3.00',
  commission: null,
});
const first = term('2026-01-01', '2026-12-31', '100.00');
const second = term('2027-01-01', '2027-12-31', '110.00');
const purchased: Given = ['PolicyPurchased', { currency: 'NGN', timeZone: 'Africa/Lagos', term: first }];
const renewed: Given = ['PolicyRenewed', { term: second }];

describe('the transactions of a policy', () => {
  test('have one premium for each term, with the id of event and term', () => {
    const document = ofPolicy(purchased, renewed);
    expect(document?.transactions[1]).toEqual({
      position: '00000000000000000002',
      transaction: {
        transaction_id: derivedId('event 2', '2027-01-01'),
        kind: 'premium',
        amount: '110.00',
        tax: '3.00',
        commission: null,
        date: '2027-01-01',
        policy_id: policyId,
        claim_id: null,
        term: { from: '2027-01-01', through: '2027-12-31' },
      },
    });
    const [, listed] = transactionParts(document as TransactionsDocument);
    expect(listed).toMatchObject({ createdAt: '00000000000000000002-000000', position: 2n });
    expect(transactions.indexes(listed?.document as ListedTransaction)).toEqual({
      policy: policyId,
      customer: customerId,
    });
  });

  test('have no entry for 0.00, and are then in no list', () => {
    const document = ofPolicy([
      'PolicyImported',
      { currency: 'NGN', timeZone: 'UTC', term: { ...first, premium: '0.00' } },
    ]);
    expect(document?.transactions).toEqual([]);
    expect(document && transactionParts(document)).toEqual([]);
  });
});

describe('the payment of a claim', () => {
  const filed: Given = ['ClaimSubmitted', { claimId, amount: '500.00' }];
  const approved: Given = ['ClaimApproved', { approvedAmount: '400.00' }];
  const paid = (paidAmount: string | null): Given => ['ClaimPaid', { effectiveAt: '2026-05-02', paidAmount }];

  test.each([
    ['else the claim amount', [filed, ['ClaimApproved', { approvedAmount: null }], paid(null)], '-500.00'],
    [
      'the claim amount of an imported claim',
      [filed, ['ClaimSettlementImported', { effectiveAt: '2026-05-02', stage: 'paid', ...NO_SETTLEMENT }]],
      '-500.00',
    ],
  ] as const)('has %s', (_title, events, amount) => {
    const document = ofClaim(...(events as readonly Given[]));
    expect(document?.transactions.map(({ transaction }) => transaction)).toEqual([
      expect.objectContaining({
        ...{ kind: 'claim_payment', amount, tax: null, commission: null, date: '2026-05-02' },
        ...{ policy_id: policyId, claim_id: claimId, term: null },
      }),
    ]);
  });

  test.each([
    ['is open', [filed, approved]],
    ['is denied', [filed, ['ClaimSettlementImported', { stage: 'denied', ...NO_SETTLEMENT }]]],
    ['is paid with 0.00', [filed, approved, paid('0.00')]],
    ['is paid without any known amount', [['ClaimSubmitted', { claimId, amount: null }], paid(null)]],
  ] as const)('does not exist when the claim %s', (_title, events) => {
    expect(ofClaim(...(events as readonly Given[]))?.transactions).toEqual([]);
  });
});
