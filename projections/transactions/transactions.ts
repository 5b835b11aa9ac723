import type { PolicyEvent } from '../../src/domain/policy/policy-events.ts';
import type { RecordedEvent } from '../../src/event-sourcing/event.ts';
import { defineProjection } from '../projection.ts';
import { policyTransactions } from './policy-transactions.ts';
import type { ListedTransaction } from './transaction.ts';

/** The document of a policy, which contains nothing: it says which events its transactions reflect. */
type Whole = object;

/**
 * The transactions of policies, with the payments of their claims, which a policy books. Each follows from one event, so it is a part which that
 * event adds. Lists find it by policy or customer.
 */
export const transactions = defineProjection<Whole | ListedTransaction>({
  name: 'transactions',
  version: 1,
  categories: ['policy'],
  indexNames: ['policy', 'customer'],
  countedBy: ['customer'],
  fold: (whole = {}) => whole,
  parts: (event) =>
    policyTransactions(event as RecordedEvent<PolicyEvent>).map((document) => ({
      id: document.transaction.transaction_id,
      document,
    })),
  indexes: (document) =>
    'transaction' in document
      ? { policy: document.transaction.policy_id, customer: document.customer_id }
      : { policy: null, customer: null },
});
