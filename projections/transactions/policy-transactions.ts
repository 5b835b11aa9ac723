import { parseSum } from '../../src/domain/values/money.ts';
import type { Price } from '../../src/domain/values/price.ts';
import type { EventWithTerm, PolicyEvent } from '../../src/domain/policy/policy-events.ts';
import { type DayRange, termIdOf } from '../../src/domain/policy/term.ts';
import type { RecordedEvent } from '../../src/event-sourcing/event.ts';
import { requireDocument } from '../projection.ts';
import { negate, recordedTransaction, type RecordedTransaction, type TransactionsOfStream } from './transaction.ts';

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
      const { policyId, customerId, currency } = event.data;
      return { policy_id: policyId, customer_id: customerId, currency, transactions: premiumOf(event) };
    }
    case 'PolicyTermImported':
    case 'PolicyRenewed':
      return withTransactions(requireDocument(before, event), premiumOf(event));
    case 'PolicyChanged': {
      const entries = event.data.terms.map(({ difference, ...term }) => ({ ...term, ...difference }));
      return withTransactions(requireDocument(before, event), entriesOf(event, 'premium_change', entries));
    }
    case 'TermWithdrawn':
      return withTransactions(requireDocument(before, event), returnsOf(event, [event.data.returned]));
    case 'PolicyCancelled':
    case 'PolicyDeclined':
      return withTransactions(requireDocument(before, event), returnsOf(event, event.data.returned));
    case 'PolicyReinstated': {
      const { reinstated } = event.data;
      return withTransactions(requireDocument(before, event), entriesOf(event, 'premium_reinstated', reinstated));
    }
    case 'ClaimPaymentBooked':
    case 'ClaimPaymentRefused':
    case 'ClaimPaymentUnbooked':
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

/** An amount of a term. */
interface Entry extends DayRange, Price {
  readonly termId: string;
}

type Kind = RecordedTransaction['transaction']['kind'];

function premiumOf(event: RecordedEvent<EventWithTerm>): readonly RecordedTransaction[] {
  const { policyId, term } = event.data;
  const termId = termIdOf(policyId, event.id);
  return entriesOf(event, 'premium', [{ ...term, termId }]);
}

function returnsOf(event: RecordedEvent<PolicyEvent>, returned: readonly Entry[]): readonly RecordedTransaction[] {
  const negative = (amount: string | null) => (amount === null ? null : negate(amount));
  const entries = returned.map((entry) => ({
    ...entry,
    premium: negate(entry.premium),
    net: negate(entry.net),
    fee: negate(entry.fee),
    tax: negative(entry.tax),
    commission: negative(entry.commission),
  }));
  return entriesOf(event, 'return_premium', entries);
}

/** There is no transaction of 0.00. */
function entriesOf(event: RecordedEvent<PolicyEvent>, kind: Kind, entries: readonly Entry[]): RecordedTransaction[] {
  const { policyId, effectiveAt } = event.data;
  return entries
    .filter(({ premium }) => parseSum(premium) !== 0n)
    .map(({ termId, from, through, premium: amount, net, fee, tax, commission }) =>
      recordedTransaction(event, termId, {
        ...{ kind, amount, net, fee, tax, commission },
        date: from > effectiveAt ? from : effectiveAt,
        policy_id: policyId,
        claim_id: null,
        term_id: termId,
        term: { from, through },
      }),
    );
}
