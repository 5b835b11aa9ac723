import { parseSum } from '../../src/domain/values/money.ts';
import type { PolicyEvent } from '../../src/domain/policy/policy-events.ts';
import type { ReturnPremium, Term } from '../../src/domain/policy/term.ts';
import type { RecordedEvent } from '../../src/event-sourcing/event.ts';
import { requireDocument } from '../projection.ts';
import { negated, recordedTransaction, type RecordedTransaction, type TransactionsOfStream } from './transaction.ts';

export interface PolicyTransactions extends TransactionsOfStream {
  readonly policy_id: string;
  readonly currency: string;
}

export function foldPolicyTransactions(
  before: PolicyTransactions | undefined,
  event: RecordedEvent<PolicyEvent>,
): PolicyTransactions {
  switch (event.type) {
    case 'PolicyImported':
    case 'PolicyPurchased': {
      const { policyId, customerId, currency, term } = event.data;
      return { policy_id: policyId, customer_id: customerId, currency, transactions: premiumOf(event, term) };
    }
    case 'PolicyTermImported':
    case 'PolicyRenewed':
      return withTransactions(requireDocument(before, event), premiumOf(event, event.data.term));
    case 'TermWithdrawn':
      return withTransactions(requireDocument(before, event), returnsOf(event, [event.data.returned]));
    case 'PolicyCancelled':
    case 'PolicyDeclined':
      return withTransactions(requireDocument(before, event), returnsOf(event, event.data.returned));
    case 'PolicyActivated':
    case 'AutoRenewalSwitched':
    case 'AutoRenewalStopped':
      return requireDocument(before, event);
    default:
      return event satisfies never;
  }
}

function withTransactions(before: PolicyTransactions, added: readonly RecordedTransaction[]): PolicyTransactions {
  return { ...before, transactions: [...before.transactions, ...added] };
}

function premiumOf(event: RecordedEvent<PolicyEvent>, term: Term): readonly RecordedTransaction[] {
  if (parseSum(term.premium) === 0n) return [];
  const { from, through, premium: amount, tax, commission } = term;
  const details = { amount, tax, commission, date: from, ...ofPolicy(event), term: { from, through } };
  return [recordedTransaction(event, { kind: 'premium', ...details })];
}

function returnsOf(
  event: RecordedEvent<PolicyEvent>,
  returned: readonly ReturnPremium[],
): readonly RecordedTransaction[] {
  const { effectiveAt: decidedOn } = event.data;
  return returned
    .filter(({ premium }) => parseSum(premium) !== 0n)
    .map(({ from, through, premium, tax, commission }) =>
      recordedTransaction(event, {
        kind: 'return_premium',
        amount: negated(premium),
        tax: tax === null ? null : negated(tax),
        commission: commission === null ? null : negated(commission),
        date: from > decidedOn ? from : decidedOn,
        ...ofPolicy(event),
        term: { from, through },
      }),
    );
}

function ofPolicy({ data: { policyId } }: RecordedEvent<PolicyEvent>) {
  return { policy_id: policyId, claim_id: null };
}
