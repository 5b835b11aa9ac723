import { type ClaimEvent, isFiling } from '../../src/domain/claim/claim-events.ts';
import { parseSum } from '../../src/domain/values/money.ts';
import type { RecordedEvent } from '../../src/event-sourcing/event.ts';
import type { Day } from '../../src/event-sourcing/time.ts';
import { requireDocument } from '../projection.ts';
import { negate, recordedTransaction, type RecordedTransaction, type TransactionsOfStream } from './transaction.ts';

export interface PaymentTransactions extends TransactionsOfStream {
  readonly policy_id: string;
  readonly claim_id: string;
}

export function foldPaymentTransactions(
  before: PaymentTransactions | undefined,
  event: RecordedEvent<ClaimEvent>,
): PaymentTransactions {
  if (isFiling(event)) {
    const { policyId, customerId, claimId } = event.data;
    return { policy_id: policyId, customer_id: customerId, claim_id: claimId, transactions: [] };
  }
  const document = requireDocument(before, event);
  const entry = entryOf(event);
  return entry === undefined ? document : { ...document, transactions: [...document.transactions, entry] };
}

/** A payment is owed by the insurer; a reversal takes it back on its own day. */
function entryOf(event: RecordedEvent<ClaimEvent>): RecordedTransaction | undefined {
  switch (event.type) {
    case 'ClaimPaid':
    case 'ClaimSettlementImported': {
      const { payment } = event.data;
      return payment === null
        ? undefined
        : transactionOf(event, payment.paymentId, negate(payment.amount), payment.paidOn);
    }
    case 'ClaimPaymentReversed': {
      const { paymentId, amount, effectiveAt } = event.data;
      return transactionOf(event, paymentId, amount, effectiveAt);
    }
    default:
      return undefined;
  }
}

/** There is no transaction of 0.00. */
function transactionOf(
  event: RecordedEvent<ClaimEvent>,
  paymentId: string,
  amount: string,
  date: Day,
): RecordedTransaction | undefined {
  if (parseSum(amount) === 0n) return undefined;
  const { policyId: policy_id, claimId: claim_id } = event.data;
  return recordedTransaction(event, paymentId, {
    ...{ kind: 'claim_payment', amount, net: amount, fee: '0.00', tax: null, commission: null },
    ...{ date, policy_id, claim_id, term_id: null, term: null },
  });
}
