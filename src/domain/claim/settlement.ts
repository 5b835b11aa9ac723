import type { ClaimEvent } from './claim-events.ts';

/** The amounts of a claim after the claimed one; null where not known. */
export interface Settlement {
  /** Null also where an approval was recorded without an amount; it counts as an approval of the claimed amount. */
  readonly approvedAmount: string | null;
  /** The open or accepted offer. */
  readonly offerAmount: string | null;
  readonly paidAmount: string | null;
}

export const NO_SETTLEMENT: Settlement = { approvedAmount: null, offerAmount: null, paidAmount: null };

/** Returns the amounts after an event. */
export function settlementAfter(settlement: Settlement, event: Pick<ClaimEvent, 'type' | 'data'>): Settlement {
  const { type, data } = event as ClaimEvent;
  switch (type) {
    case 'ClaimApproved':
      return { ...settlement, approvedAmount: data.approvedAmount };
    case 'ClaimSettlementImported': {
      const { approvedAmount, offerAmount, paidAmount } = data;
      return { approvedAmount, offerAmount, paidAmount };
    }
    case 'ClaimOfferSent':
      return { ...settlement, offerAmount: data.offerAmount };
    case 'ClaimOfferRejected':
      return { ...settlement, offerAmount: null };
    case 'ClaimPaid':
      return { ...settlement, paidAmount: data.paidAmount };
    default:
      return settlement;
  }
}

/** An amount that limits the next one, with its name for messages. */
export interface AmountLimit {
  readonly amount: string;
  readonly name: 'claimed amount' | 'approved amount' | 'accepted offer';
}

export interface ClaimAmounts extends Settlement {
  readonly claimedAmount: string | null;
}

/** Returns the limit of an approval; undefined where no amount was claimed. */
export function approvalLimit({ claimedAmount }: ClaimAmounts): AmountLimit | undefined {
  return claimedAmount === null ? undefined : { amount: claimedAmount, name: 'claimed amount' };
}

/** Returns the limit of an offer; undefined where neither the approved nor the claimed amount is known. */
export function offerLimit(amounts: ClaimAmounts): AmountLimit | undefined {
  const { approvedAmount } = amounts;
  return approvedAmount === null ? approvalLimit(amounts) : { amount: approvedAmount, name: 'approved amount' };
}

/** Returns the limit of a payment: the accepted offer, else as for an offer. */
export function paymentLimit(amounts: ClaimAmounts): AmountLimit | undefined {
  const { offerAmount } = amounts;
  return offerAmount === null ? offerLimit(amounts) : { amount: offerAmount, name: 'accepted offer' };
}

/** Returns what a paid claim pays: the recorded amount, else what limits it; null where no amount is known. */
export function paidAmountOf(amounts: ClaimAmounts): string | null {
  return amounts.paidAmount ?? paymentLimit(amounts)?.amount ?? null;
}
