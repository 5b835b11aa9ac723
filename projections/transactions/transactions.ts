import type { PolicyEvent } from '#domain/policy/policy-events.ts';
import type { RecordedEvent } from '#event-sourcing/event.ts';
import { ownedValue } from '../owner.ts';
import { defineProjection } from '../projection.ts';
import { policyTransactions } from './policy-transactions.ts';
import type { ListedTransaction } from './transaction.ts';

/** The document of a policy, which contains nothing: it says which events its transactions reflect. */
type Whole = object;

/**
 * The transactions of policies, with the payments of their claims, which a policy books. Each follows from one event,
 * so it is a part which that event adds. Lists find it by policy or customer, statements by merchant and the time of
 * recording.
 */
export const transactions = defineProjection<Whole | ListedTransaction>({
  name: 'transactions',
  version: 1,
  categories: ['policy'],
  indexNames: ['policy', 'customer', 'owner_recorded'],
  countedBy: ['customer'],
  fold: (whole = {}) => whole,
  parts: (event) =>
    policyTransactions(event as RecordedEvent<PolicyEvent>).map((document) => ({
      id: document.transaction.transaction_id,
      document,
    })),
  indexes: (document) =>
    'transaction' in document
      ? {
          policy: document.transaction.policy_id,
          customer: document.customer_id,
          owner_recorded: ownedValue(document.owner, document.transaction.recorded_at),
        }
      : { policy: null, customer: null, owner_recorded: null },
});
