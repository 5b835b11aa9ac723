import type { ClaimEvent } from '../../src/domain/claim/claim-events.ts';
import { claimStream } from '../../src/domain/claim/claim.ts';
import type { PolicyEvent } from '../../src/domain/policy/policy-events.ts';
import { categoryOf } from '../../src/event-sourcing/aggregate.ts';
import type { RecordedEvent } from '../../src/event-sourcing/event.ts';
import { defineProjection } from '../projection.ts';
import { paymentTransactions } from './claim-payment.ts';
import { policyTransactions } from './policy-transactions.ts';
import type { ListedTransaction } from './transaction.ts';

const CLAIM = categoryOf(claimStream(''));

/** The document of a policy or a claim, which contains nothing: it says which events its transactions reflect. */
type Whole = object;

/**
 * The transactions of policies and claims. Each follows from one event, so it is a part which that event adds. Lists find it by policy or
 * customer.
 */
export const transactions = defineProjection<Whole | ListedTransaction>({
  name: 'transactions',
  version: 1,
  categories: ['policy', 'claim'],
  indexNames: ['policy', 'customer'],
  countedBy: ['customer'],
  fold: (whole = {}) => whole,
  parts: (event) => transactionsOf(event).map((document) => ({ id: document.transaction.transaction_id, document })),
  indexes: (document) =>
    'transaction' in document
      ? { policy: document.transaction.policy_id, customer: document.customer_id }
      : { policy: null, customer: null },
});

/** Returns the transactions that an event of a policy or a claim makes. */
export function transactionsOf(event: RecordedEvent): readonly ListedTransaction[] {
  return categoryOf(event.stream) === CLAIM
    ? paymentTransactions(event as RecordedEvent<ClaimEvent>)
    : policyTransactions(event as RecordedEvent<PolicyEvent>);
}
