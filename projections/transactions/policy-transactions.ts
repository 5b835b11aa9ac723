import { parseSum } from '#domain/values/money.ts';
import type { Price } from '#domain/values/price.ts';
import type { EventWithTerm, PolicyEvent } from '#domain/policy/policy-events.ts';
import { agreedTermId } from '#domain/policy/policy.ts';
import type { DayRange } from '#domain/policy/term.ts';
import type { RecordedEvent } from '#event-sourcing/event.ts';
import { listedTransaction, type ListedTransaction, negate } from './transaction.ts';

/** Returns the transactions of an event of a policy: of each term that it prices, changes, returns or reinstates. */
export function policyTransactions(event: RecordedEvent<PolicyEvent>): readonly ListedTransaction[] {
  switch (event.type) {
    case 'PolicyImported':
    case 'PolicyPurchased':
    case 'PolicyTermImported':
    case 'PolicyRenewed':
      return premiumOf(event);
    case 'PolicyChanged':
    case 'PolicyChangeWithdrawn': {
      const entries = event.data.terms.map(({ difference, ...term }) => ({ ...term, ...difference }));
      return entriesOf(event, 'premium_change', entries);
    }
    case 'TermWithdrawn':
      return returnsOf(event, [event.data.returned]);
    case 'PolicyCancelled':
    case 'PolicyDeclined':
      return returnsOf(event, event.data.returned);
    case 'PolicyReinstated':
      return entriesOf(event, 'premium_reinstated', event.data.reinstated);
    case 'ClaimPaymentBooked':
      return [paymentOf(event, negate(event.data.amount))];
    case 'ClaimPaymentUnbooked':
      return [paymentOf(event, event.data.amount)];
    case 'ClaimPaymentRefused':
    case 'PolicyActivated':
    case 'BeneficiariesSet':
    case 'AutoRenewalSwitched':
    case 'AutoRenewalStopped':
      return [];
    default:
      return event satisfies never;
  }
}

/** A payment is owed by the insurer; its reversal takes it back. */
function paymentOf(
  event: RecordedEvent<Extract<PolicyEvent, { readonly type: 'ClaimPaymentBooked' | 'ClaimPaymentUnbooked' }>>,
  amount: string,
): ListedTransaction {
  const { claimId: claim_id, paymentId, effectiveAt: date } = event.data;
  return listedTransaction(event, paymentId, {
    kind: 'claim_payment',
    amount,
    net: amount,
    fee: '0.00',
    tax: null,
    commission: null,
    date,
    claim_id,
    term_id: null,
    term: null,
  });
}

/** An amount of a term. */
interface Entry extends DayRange, Price {
  readonly termId: string;
}

type Kind = ListedTransaction['transaction']['kind'];

function premiumOf(event: RecordedEvent<EventWithTerm>): readonly ListedTransaction[] {
  return entriesOf(event, 'premium', [{ ...event.data.term, termId: agreedTermId(event) }]);
}

function returnsOf(event: RecordedEvent<PolicyEvent>, returned: readonly Entry[]): readonly ListedTransaction[] {
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
function entriesOf(
  event: RecordedEvent<PolicyEvent>,
  kind: Kind,
  entries: readonly Entry[],
): readonly ListedTransaction[] {
  const { effectiveAt } = event.data;
  return entries
    .filter(({ premium }) => parseSum(premium) !== 0n)
    .map(({ termId, from, through, premium: amount, net, fee, tax, commission }) =>
      listedTransaction(event, termId, {
        kind,
        amount,
        net,
        fee,
        tax,
        commission,
        date: from > effectiveAt ? from : effectiveAt,
        claim_id: null,
        term_id: termId,
        term: {
          from,
          through,
        },
      }),
    );
}
