import type { PolicyEvent } from '#domain/policy/policy-events.ts';
import type { RecordedEvent } from '#event-sourcing/event.ts';
import { ownedValue } from '../owner.ts';
import type { RowProjection } from '../projection.ts';
import { policyTransactions } from './policy-transactions.ts';

/**
 * The transactions of policies, with the payments of their claims, which a policy books. Lists find them by policy or
 * customer, statements by merchant and the time of recording.
 */
export const transactions: RowProjection = {
  name: 'transactions',
  version: 2,
  categories: ['policy'],
  indexNames: ['policy', 'customer', 'owner_recorded'],
  countedBy: ['customer'],
  rows: (_, decode) =>
    policyTransactions(decode() as RecordedEvent<PolicyEvent>).map((document) => {
      const { customer_id: customer, owner, transaction } = document;
      const { transaction_id: key, policy_id: policy, recorded_at } = transaction;
      return { key, document, indexes: { policy, customer, owner_recorded: ownedValue(owner, recorded_at) } };
    }),
};
