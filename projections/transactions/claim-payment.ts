import type { ClaimEvent } from '../../src/domain/claim/claim-events.ts';
import { parseSum } from '../../src/domain/values/money.ts';
import type { RecordedEvent } from '../../src/event-sourcing/event.ts';
import type { Day } from '../../src/event-sourcing/time.ts';
import { listedTransaction, type ListedTransaction, negate } from './transaction.ts';

/** Returns the transactions of an event of a claim: a payment is owed by the insurer; a reversal takes it back on its own day. */
export function paymentTransactions(event: RecordedEvent<ClaimEvent>): readonly ListedTransaction[] {
  switch (event.type) {
    case 'ClaimPaid':
    case 'ClaimSettlementImported': {
      const { payment } = event.data;
      return payment === null ? [] : transactionsOf(event, payment.paymentId, negate(payment.amount), payment.paidOn);
    }
    case 'ClaimPaymentReversed': {
      const { paymentId, amount, effectiveAt } = event.data;
      return transactionsOf(event, paymentId, amount, effectiveAt);
    }
    default:
      return [];
  }
}

/** There is no transaction of 0.00. */
function transactionsOf(
  event: RecordedEvent<ClaimEvent>,
  paymentId: string,
  amount: string,
  date: Day,
): readonly ListedTransaction[] {
  if (parseSum(amount) === 0n) return [];
  const transaction = listedTransaction(event, paymentId, {
    ...{ kind: 'claim_payment', amount, net: amount, fee: '0.00', tax: null, commission: null },
    ...{ date, claim_id: event.data.claimId, term_id: null, term: null },
  });
  return [transaction];
}
