import type { ClaimEvent } from '../../src/domain/claim/claim-events.ts';
import { claimStream } from '../../src/domain/claim/claim.ts';
import type { PolicyEvent } from '../../src/domain/policy/policy-events.ts';
import { categoryOf, idOf } from '../../src/event-sourcing/aggregate.ts';
import type { RecordedEvent } from '../../src/event-sourcing/event.ts';
import { defineProjection } from '../projection.ts';
import { type ClaimPayment, foldClaimPayment } from './claim-payment.ts';
import { foldPolicyTransactions, type PolicyTransactions } from './policy-transactions.ts';

export type TransactionsDocument = PolicyTransactions | ClaimPayment;

const CLAIM = categoryOf(claimStream(''));

/**
 * The transactions of policies and claims: one document for each stream, because a later event can depend on or remove earlier
 * transactions. Documents without transactions have no index values, so that no list reads them.
 */
export const transactions = defineProjection<TransactionsDocument>({
  name: 'transactions',
  version: 2,
  categories: ['policy', 'claim'],
  indexNames: ['policy', 'customer'],
  key: ({ stream }) => idOf(stream),
  fold: (document, event) =>
    categoryOf(event.stream) === CLAIM
      ? foldClaimPayment(document as ClaimPayment | undefined, event as RecordedEvent<ClaimEvent>)
      : foldPolicyTransactions(document as PolicyTransactions | undefined, event as RecordedEvent<PolicyEvent>),
  indexes: (document) => {
    const isEmpty = document.transactions.length === 0;
    return { policy: isEmpty ? null : document.policy_id, customer: isEmpty ? null : document.customer_id };
  },
});
