import { dayIn, type TimeZone } from '../../src/domain/values/dates.ts';
import { parseSum } from '../../src/domain/values/money.ts';
import type { PolicyEvent } from '../../src/domain/policy/policy-events.ts';
import type { ReturnPremium, Term } from '../../src/domain/policy/term.ts';
import type { RecordedEvent } from '../../src/event-sourcing/event.ts';
import type { Day } from '../../src/event-sourcing/time.ts';
import { requireDocument } from '../projection.ts';
import { negated, recordedTransaction, type RecordedTransaction } from './transaction.ts';

/** The premiums and return premiums of a policy, in the order of the log. */
export interface PolicyTransactions {
  readonly policy_id: string;
  readonly customer_id: string;
  readonly currency: string;
  readonly time_zone: TimeZone;
  readonly transactions: readonly RecordedTransaction[];
}

/** Folds an event into the transactions of its policy. @throws {FoldError} when an event comes before the policy exists */
export function foldPolicyTransactions(
  before: PolicyTransactions | undefined,
  event: RecordedEvent<PolicyEvent>,
): PolicyTransactions {
  switch (event.type) {
    case 'PolicyImported':
    case 'PolicyPurchased': {
      const { policyId, customerId, currency, timeZone, term } = event.data;
      const transactions = premiumOf(event, term);
      return { policy_id: policyId, customer_id: customerId, currency, time_zone: timeZone, transactions };
    }
    case 'PolicyTermImported':
    case 'PolicyRenewed':
      return withTransactions(requireDocument(before, event), premiumOf(event, event.data.term));
    case 'TermWithdrawn':
      return withTransactions(requireDocument(before, event), returnsOf(event, [event.data.returned]));
    case 'PolicyCancelled': {
      const { returned, cancelledAt } = event.data;
      const document = requireDocument(before, event);
      if (returned !== null) return withTransactions(document, returnsOf(event, returned));
      return withoutTermsAfter(document, dayIn(document.time_zone, cancelledAt));
    }
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

/**
 * Cancellations that were recorded before return premiums return nothing. The terms that they kept from beginning are owed
 * nothing either.
 */
function withoutTermsAfter(before: PolicyTransactions, day: Day): PolicyTransactions {
  const begins = ({ transaction: { term } }: RecordedTransaction): boolean => term === null || term.from <= day;
  return { ...before, transactions: before.transactions.filter(begins) };
}

function premiumOf(event: RecordedEvent<PolicyEvent>, term: Term): readonly RecordedTransaction[] {
  if (parseSum(term.premium) === 0n) return [];
  const { from, through, premium: amount, tax, commission } = term;
  const facts = { amount, tax, commission, date: from, ...ofPolicy(event), term: { from, through } };
  return [recordedTransaction(event, { kind: 'premium', ...facts })];
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
