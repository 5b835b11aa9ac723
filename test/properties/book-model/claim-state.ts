// The state of a claim and what follows from it (docs/insurance.md, Claims).
import { parseMoney } from '#domain/values/money.ts';
import { type Coverage, format } from '../insurance-model/timeline.ts';
import type { Day } from '../insurance-model/days.ts';

export interface ClaimState {
  readonly stage: string;
  readonly claimed: bigint;
  readonly incident: Day;
  readonly coverage: Coverage | null;
  readonly approved: bigint | null;
  /** The open or accepted offer. */
  readonly offer: bigint | null;
  readonly isAccepted: boolean;
  readonly payments: readonly { readonly amount: bigint; readonly paidOn: Day; readonly reversedOn: Day | null }[];
  readonly resolved: Day | null;
  readonly timeline: readonly { readonly name: string; readonly day: Day; readonly shown: Day }[];
  readonly notes: readonly string[];
  readonly filed: Day;
}

/** What one event says. Every stage that it names sets the day on which the claim was resolved. */
export interface ClaimFacts
  extends Partial<Omit<ClaimState, 'payments' | 'resolved' | 'timeline' | 'notes' | 'filed'>> {
  /** Entries of the timeline. */
  readonly names: readonly string[];
  /** Day that the timeline shows, where it is not the business day: of a payment the day on which it was recorded. */
  readonly shown?: Day;
  readonly payment?: { readonly amount: bigint; readonly paidOn: Day };
  readonly reversed?: { readonly number: number; readonly on: Day };
  /** Note or reason. */
  readonly text?: string | null;
}

/** What is known of a claim. */
export interface PastClaim {
  readonly view: {
    readonly claim_status: string;
    readonly claim_amount: string | null;
    readonly claim_date: Day;
    readonly claim_details: object;
    readonly settlement: object;
    readonly payments: readonly object[];
    readonly date_resolved: Day | null;
    readonly claim_status_timeline: readonly (readonly [name: string, day: Day])[];
    readonly notes: string | null;
  };
  readonly isPaid: boolean;
  readonly isClosed: boolean;
  /** "Σ of what is not reversed." */
  readonly paid: bigint;
  /** "max(0, (accepted offer, else approved, else claim amount) − paid)" of a claim that is not closed. */
  readonly state: ClaimState;
}

const STATUS: Readonly<Record<string, string>> = {
  submitted: 'pending',
  'under review': 'pending',
  'pending approval': 'pending',
  'offer sent': 'offer_sent',
  'offer accepted': 'offer_accepted',
  'offer rejected': 'approved',
};

export function isClosed(stage: string): boolean {
  return ['paid', 'denied', 'withdrawn'].includes(stage);
}

export function isApproved(stage: string): boolean {
  return ['approved', 'offer sent', 'offer accepted', 'offer rejected'].includes(stage);
}

export function paidOf({ payments }: ClaimState): bigint {
  return payments.reduce((sum, { amount, reversedOn }) => (reversedOn === null ? sum + amount : sum), 0n);
}

/** "Accepted offer, else approved"; of an import that does not say it, the claim amount. */
export function payableOf({ isAccepted, offer, approved, stage, claimed }: ClaimState): bigint | null {
  return (isAccepted ? offer : approved) ?? (isApproved(stage) ? claimed : null);
}

/** "Accepted offer, else approved, less paid; null before; 0.00 when closed." */
export function leftOf(state: ClaimState): bigint | null {
  const payable = payableOf(state);
  if (isClosed(state.stage)) return 0n;
  return payable === null ? null : notNegative(payable - paidOf(state));
}

function notNegative(amount: bigint): bigint {
  return amount < 0n ? 0n : amount;
}

export function applyClaimFacts(state: ClaimState, event: ClaimFacts, day: Day): ClaimState {
  const { names, shown = day, payment, reversed, text, ...facts } = event;
  const added = payment === undefined ? state.payments : [...state.payments, { ...payment, reversedOn: null }];
  const payments = added.map((each, number) =>
    number === reversed?.number ? { ...each, reversedOn: reversed.on } : each,
  );
  const after = { ...state, ...facts, payments };
  return {
    ...after,
    resolved: facts.stage === undefined ? state.resolved : resolvedOn(after, day),
    timeline: [...state.timeline, ...names.map((name) => ({ name, day, shown }))],
    notes: [...state.notes, ...(text ? [text] : [])],
  };
}

/** "Day of the last payment, of the denial or of the withdrawal." */
function resolvedOn({ stage, payments }: ClaimState, day: Day): Day | null {
  const days = payments.filter(({ reversedOn }) => reversedOn === null).map(({ paidOn }) => paidOn);
  if (!isClosed(stage)) return null;
  return stage === 'paid' ? (days.toSorted().at(-1) ?? day) : day;
}

/**
 * "min(claim amount − deductible, limit left) − paid, 0.00 where the day is not covered"; an approval or an accepted
 * offer stands instead.
 * @param others what other claims were paid under the coverage in the term
 */
export function outstandingOf({ state, paid }: PastClaim, isCovered: boolean, others: bigint): bigint {
  const { stage, claimed, coverage } = state;
  if (isClosed(stage) || !isCovered) return 0n;
  const afterDeductible = claimed - parseMoney(coverage?.deductible ?? '0.00');
  const limit = coverage?.coverage_limit ?? null;
  const left = limit === null ? afterDeductible : parseMoney(limit) - others;
  return notNegative((payableOf(state) ?? (left < afterDeductible ? left : afterDeductible)) - paid);
}

export function pastClaim(state: ClaimState): PastClaim {
  const { stage, claimed, coverage, payments } = state;
  const paid = paidOf(state);
  return {
    view: {
      claim_status: STATUS[stage] ?? stage,
      claim_amount: format(claimed),
      claim_date: state.filed,
      claim_details: {
        incident_date: state.incident,
        claim_amount: format(claimed),
        coverage_name: coverage?.coverage_name ?? null,
      },
      settlement: {
        approved_amount: format(state.approved),
        offer_amount: format(state.offer),
        paid_amount: payments.length === 0 ? null : format(paid),
        outstanding: format(leftOf(state)),
        limit: coverage?.coverage_limit ?? null,
        deductible: coverage?.deductible ?? null,
      },
      payments: payments.map(({ amount, paidOn, reversedOn }) => {
        return { amount: format(amount), paid_on: paidOn, reference: null, reversed_on: reversedOn };
      }),
      date_resolved: state.resolved,
      claim_status_timeline: state.timeline.map(({ name, shown }) => [name, shown]),
      notes: state.notes.length === 0 ? null : state.notes.join('\n'),
    },
    isPaid: stage === 'paid',
    isClosed: isClosed(stage),
    paid,
    state,
  };
}
