// What a client or the platform does next with a claim, for the service and for the model.
import * as fc from 'fast-check';
import {
  acceptClaimOffer,
  approveClaim,
  denyClaim,
  rejectClaimOffer,
  reopenClaim,
  reviewClaim,
  sendClaimForApproval,
  sendClaimOffer,
  withdrawClaim,
} from '#commands/claim/claim-moves.ts';
import { payClaim, reversePayment } from '#commands/claim/claim-payments.ts';
import { reviseClaim } from '#commands/claim/revise-claim.ts';
import type { AnyCommand } from '#event-sourcing/executor/command.ts';
import { type Day, localDay, plus } from '../insurance-model/days.ts';
import { placeOf } from '../insurance-model/payments.ts';
import type { PolicyModel } from '../insurance-model/policy.ts';
import { format } from '../insurance-model/timeline.ts';
import type { ClaimModel } from './claim-model.ts';
import { leftOf } from './claim-state.ts';

/** `next` selects one of the moves; the other members say what it has, where it has it. */
export interface AnyMove {
  readonly next: number;
  /** The amount in per cent of the most that it may be; null: left out. */
  readonly percent: number | null;
  /** Selects a coverage of the day of the incident; null: left out. */
  readonly coverage: number | null;
  /** Days ago; null: left out. */
  readonly ago: number | null;
  readonly isFinal: boolean;
  /** An amount and an incident of a revision, counted from today. */
  readonly amount: bigint;
  readonly incident: number | null;
}

/** Beside the deductible, and beside the limit of a coverage. */
export const anyAmount = fc.oneof(...[1_000_000n, 1_000_000n, 150_000_000n].map((max) => fc.bigInt({ min: 0n, max })));
export const anyCoverage = fc.option(fc.nat(8));

export const ANY_MOVE = {
  next: fc.nat(99),
  percent: fc.option(fc.oneof(fc.integer({ min: 0, max: 100 }), fc.constantFrom(50, 100, 101))),
  coverage: fc.option(fc.nat(8), { freq: 2 }),
  ago: fc.option(fc.integer({ min: -1, max: 20 }), { freq: 1 }),
  isFinal: fc.constantFrom(false, false, true),
  amount: anyAmount,
  incident: fc.option(fc.integer({ min: -30, max: 1 }), { freq: 1 }),
};

/** Returns the name of a coverage of a day, in any case; of none for the last number. */
export function coverageNameOf(policy: PolicyModel, day: Day, number: number): string {
  const coverages = placeOf(policy, day)?.coverages ?? [];
  const name = number === 8 ? undefined : coverages[number % Math.max(1, coverages.length)]?.coverage_name;
  return number % 4 === 3 ? (name?.toUpperCase() ?? 'Rain') : (name ?? 'Rain');
}

export interface ClaimMove {
  readonly command: AnyCommand;
  readonly input: object;
  /** Number of the payment whose id the input needs. */
  readonly payment?: number;
  /** Does the same in the model. @throws {Refused} */
  readonly run: () => void;
}

const SIMPLE: Readonly<Record<string, readonly [command: AnyCommand, text: 'note' | 'reason' | null]>> = {
  'under review': [reviewClaim, 'note'],
  'pending approval': [sendClaimForApproval, 'note'],
  'offer accepted': [acceptClaimOffer, null],
  'offer rejected': [rejectClaimOffer, 'reason'],
  denied: [denyClaim, 'reason'],
  withdrawn: [withdrawClaim, 'reason'],
  reopened: [reopenClaim, 'reason'],
};
const NAMES = [...Object.keys(SIMPLE), 'approved', 'offer sent', 'paid', 'payment reversed', 'revised'];

/** Mostly one that is allowed, and then mostly the one that leads on. */
function nameOf(claim: ClaimModel, next: number): string {
  const [first, ...others] = claim.moves;
  if (next < 8) return NAMES[next % NAMES.length] ?? 'revised';
  if (next < 15) return 'revised';
  if (next < 35 && claim.standing.length > 0) return 'payment reversed';
  return next < 85 ? (first ?? 'revised') : (others[next % Math.max(1, others.length)] ?? first ?? 'revised');
}

export function moveOf(claim: ClaimModel, any: AnyMove, now: string, text: string): ClaimMove {
  const { policy, state } = claim;
  const name = nameOf(claim, any.next);
  const today = localDay(now, policy.zone);
  const part = (most: bigint) => (any.percent === null ? null : (most * BigInt(any.percent)) / 100n);
  const some = (members: Readonly<Record<string, unknown>>) =>
    Object.fromEntries(Object.entries(members).filter(([, value]) => value !== null));
  switch (name) {
    case 'approved': {
      const coverageName = any.coverage === null ? null : coverageNameOf(policy, state.incident, any.coverage);
      const place = placeOf(policy, state.incident);
      const amount = part(place === undefined ? state.claimed : claim.bound(place, state.coverage));
      const asked = amount === null || amount < 0n ? null : amount;
      const input = some({ approved_amount: format(asked), coverage_name: coverageName });
      return { command: approveClaim, input, run: () => claim.approve(asked, coverageName, now) };
    }
    case 'offer sent': {
      const asked = part(state.approved ?? state.claimed);
      const input = some({ offer_amount: format(asked) });
      return { command: sendClaimOffer, input, run: () => claim.offer(asked, now) };
    }
    case 'paid': {
      const asked = part(leftOf(state) ?? state.claimed);
      const paidOn = any.ago === null ? null : plus(today, -any.ago);
      const { isFinal } = any;
      const input = some({ paid_amount: format(asked), paid_on: paidOn, final: isFinal || null });
      return { command: payClaim, input, run: () => claim.pay(asked, paidOn, isFinal, now) };
    }
    case 'payment reversed': {
      const all = any.isFinal ? [...state.payments.keys()] : claim.standing;
      const payment = all[any.next % Math.max(1, all.length)];
      if (payment === undefined) break;
      const run = () => claim.reverse(payment, text, now);
      return { command: reversePayment, input: { reason: text }, payment, run };
    }
    case 'revised': {
      const incident = any.incident === null ? null : plus(today, any.incident);
      const coverageName =
        any.coverage === null ? null : coverageNameOf(policy, incident ?? state.incident, any.coverage);
      const isNothing = incident === null && coverageName === null;
      const claimed = any.percent === null && !isNothing ? null : any.amount;
      const input = some({ claim_amount: format(claimed), incident_date: incident, coverage_name: coverageName });
      const run = () => claim.revise(some({ claimed, incident, coverageName }), text, now);
      return { command: reviseClaim, input: { ...input, reason: text }, run };
    }
    default:
  }
  const [command, field] = SIMPLE[name] ?? [reviewClaim, 'note'];
  const move = SIMPLE[name] === undefined ? 'under review' : name;
  const note = field === null ? null : text;
  return { command, input: field === null ? {} : { [field]: text }, run: () => claim.move(move, note, now) };
}
