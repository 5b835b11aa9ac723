import type { ClaimEvent } from '../../src/domain/claim/claim-events.ts';
import { type ClaimAmounts, NO_SETTLEMENT, paidAmountOf, settlementAfter } from '../../src/domain/claim/settlement.ts';
import { parseSum } from '../../src/domain/values/money.ts';
import type { RecordedEvent } from '../../src/event-sourcing/event.ts';
import { requireDocument } from '../projection.ts';
import { negate, recordedTransaction, type TransactionsOfStream } from './transaction.ts';

export interface PaymentTransactions extends TransactionsOfStream {
  readonly policy_id: string;
  readonly claim_id: string;
  readonly amounts: ClaimAmounts;
}

export function foldPaymentTransactions(
  before: PaymentTransactions | undefined,
  event: RecordedEvent<ClaimEvent>,
): PaymentTransactions {
  if (event.type === 'ClaimSubmitted' || event.type === 'ClaimImported') {
    const { policyId, customerId, claimId, amount } = event.data;
    const amounts = { ...NO_SETTLEMENT, claimedAmount: amount };
    return { policy_id: policyId, customer_id: customerId, claim_id: claimId, amounts, transactions: [] };
  }
  const document = requireDocument(before, event);
  const { amounts } = document;
  const after = { ...document, amounts: { ...settlementAfter(amounts, event), claimedAmount: amounts.claimedAmount } };
  if (!isPayment(event)) return after;
  return { ...after, transactions: [...document.transactions, ...paymentOf(after, event)] };
}

function isPayment(event: RecordedEvent<ClaimEvent>): boolean {
  return event.type === 'ClaimPaid' || (event.type === 'ClaimSettlementImported' && event.data.stage === 'paid');
}

function paymentOf({ policy_id, claim_id, amounts }: PaymentTransactions, event: RecordedEvent<ClaimEvent>) {
  const paid = paidAmountOf(amounts);
  if (paid === null || parseSum(paid) === 0n) return [];
  const amount = negate(paid);
  const details = {
    amount,
    net: amount,
    fee: '0.00',
    tax: null,
    commission: null,
    date: event.data.effectiveAt,
    policy_id,
    claim_id,
    term_id: null,
    term: null,
  };
  return [recordedTransaction(event, claim_id, { kind: 'claim_payment', ...details })];
}
