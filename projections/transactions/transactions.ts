import type { ClaimEvent } from '../../src/domain/claim/claim-events.ts';
import { claimStream } from '../../src/domain/claim/claim.ts';
import type { PolicyEvent } from '../../src/domain/policy/policy-events.ts';
import { categoryOf } from '../../src/event-sourcing/aggregate.ts';
import type { RecordedEvent } from '../../src/event-sourcing/event.ts';
import { defineProjection } from '../projection.ts';
import { type PaymentTransactions, foldPaymentTransactions } from './claim-payment.ts';
import { foldPolicyTransactions, type PolicyTransactions } from './policy-transactions.ts';
import { type ListedTransaction, transactionParts } from './transaction.ts';

export type TransactionsDocument = PolicyTransactions | PaymentTransactions;

const CLAIM = categoryOf(claimStream(''));

/**
 * The transactions of policies and claims. What a claim pays can follow from its earlier events, so the document that events are folded
 * into belongs to the policy or the claim. Each transaction is a part of it, which lists find by policy or customer.
 */
export const transactions = defineProjection<TransactionsDocument | ListedTransaction>({
  name: 'transactions',
  version: 1,
  categories: ['policy', 'claim'],
  indexNames: ['policy', 'customer'],
  countedBy: ['customer'],
  fold: (document, event) =>
    categoryOf(event.stream) === CLAIM
      ? foldPaymentTransactions(document as PaymentTransactions | undefined, event as RecordedEvent<ClaimEvent>)
      : foldPolicyTransactions(document as PolicyTransactions | undefined, event as RecordedEvent<PolicyEvent>),
  parts: (document) => transactionParts(document as TransactionsDocument),
  indexes: (document) =>
    'transaction' in document
      ? { policy: document.transaction.policy_id, customer: document.customer_id }
      : { policy: null, customer: null },
});
