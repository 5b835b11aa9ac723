// What the rules of insurance say of one claim (docs/insurance.md, Claims).
import { parseMoney } from '#domain/values/money.ts';
import { refuse } from '../insurance-model/changes.ts';
import { type Day, localDay } from '../insurance-model/days.ts';
import { isNamed, paidUnder, type Place, placeOf } from '../insurance-model/payments.ts';
import type { PolicyModel } from '../insurance-model/policy.ts';
import { type Absent, isIn, type PointInTime, type Recorded } from '../insurance-model/state.ts';
import { type Coverage, format } from '../insurance-model/timeline.ts';
import {
  applyClaimFacts,
  type ClaimFacts,
  type ClaimState,
  isApproved,
  isClosed,
  leftOf,
  type PastClaim,
  paidOf,
  pastClaim,
  payableOf,
} from './claim-state.ts';

/** The moves of each stage. The first one leads on. */
const NEXT: Readonly<Record<string, readonly string[]>> = {
  submitted: ['under review', 'denied', 'withdrawn'],
  'under review': ['pending approval', 'denied', 'withdrawn'],
  'pending approval': ['approved', 'denied', 'withdrawn'],
  approved: ['paid', 'offer sent', 'denied', 'withdrawn'],
  'offer sent': ['offer accepted', 'offer rejected', 'denied', 'withdrawn'],
  'offer rejected': ['offer sent', 'denied', 'withdrawn'],
  'offer accepted': ['paid', 'denied', 'withdrawn'],
  paid: ['reopened'],
  denied: ['reopened'],
  withdrawn: ['reopened'],
};
/** "Until the first payment." */
const BEFORE_PAYMENT = ['denied', 'withdrawn', 'offer sent'];
const VOID = { approved: null, offer: null, isAccepted: false };

export interface Filing {
  readonly claimed: bigint;
  readonly incident: Day;
  readonly coverageName?: string | null;
}

export interface ImportedSettlement {
  readonly stage: string;
  readonly approved: bigint | null;
  readonly paid: bigint | null;
}

/** "It is the only one, if there is one; else null" where no coverage is named. */
function coverageOf({ coverages }: Place, name: string | null): Coverage | null {
  if (name === null) return coverages.length === 1 ? (coverages[0] ?? null) : null;
  return coverages.find(({ coverage_name }) => isNamed(coverage_name, name)) ?? refuse('invalid_request');
}

/** Its facts are kept with the instant and the business day of each. Its commands throw `Refused`. */
export class ClaimModel {
  readonly policy: PolicyModel;
  readonly recordedAt: string;
  readonly #initial: ClaimState;
  readonly #entries: { readonly recorded: Recorded; readonly facts: ClaimFacts }[] = [];
  state: ClaimState;

  private constructor(policy: PolicyModel, { claimed, incident }: Filing, coverage: Coverage | null, filed: Recorded) {
    this.policy = policy;
    this.recordedAt = filed.at;
    this.#initial = {
      stage: '',
      claimed,
      incident,
      coverage,
      ...VOID,
      payments: [],
      resolved: null,
      timeline: [],
      notes: [],
      filed: filed.day,
    };
    this.state = this.#initial;
    this.#record(filed, { stage: 'submitted', names: ['submitted'] });
  }

  /** Files a claim. @throws {Refused} */
  static file(policy: PolicyModel, filing: Filing, now: string): ClaimModel {
    if (!policy.covers(filing.incident, now)) refuse('incident_not_covered');
    const place = placeOf(policy, filing.incident) ?? refuse('incident_not_covered');
    const coverage = coverageOf(place, filing.coverageName ?? null);
    return new ClaimModel(policy, filing, coverage, { at: now, day: localDay(now, policy.zone) });
  }

  /**
   * Imports a claim with the stage that it has reached on a day; null: none. "Imported payments are booked too, without
   * a limit."
   * @throws {Refused}
   */
  static import(
    policy: PolicyModel,
    filing: Filing,
    { settlement, filed, day, now }: { settlement: ImportedSettlement | null; filed: Day; day: Day; now: string },
  ): ClaimModel {
    if (!policy.covers(filing.incident, now)) refuse('incident_outside_every_term');
    const place = placeOf(policy, filing.incident) ?? refuse('incident_outside_every_term');
    const claim = new ClaimModel(policy, filing, coverageOf(place, null), { at: now, day: filed });
    if (settlement === null) return claim;
    const { stage, approved, paid } = settlement;
    // "An open offer is `approved_amount`, else `claim_amount`"; "a paid row without paid_amount paid its
    // approved_amount, else claim_amount."
    const offer = stage.startsWith('offer') ? (approved ?? filing.claimed) : null;
    const amount = stage === 'paid' ? (paid ?? approved ?? filing.claimed) : 0n;
    const payment = amount === 0n ? {} : { payment: { amount, paidOn: day } };
    const facts = { stage, names: [stage], approved, offer, isAccepted: stage === 'offer accepted', ...payment };
    claim.#record({ at: now, day }, facts);
    if (amount > 0n) claim.#book(place, amount);
    return claim;
  }

  /** Returns the moves that are allowed now. */
  get moves(): readonly string[] {
    const isPaid = paidOf(this.state) > 0n;
    return (NEXT[this.state.stage] ?? []).filter((move) => !(isPaid && BEFORE_PAYMENT.includes(move)));
  }

  /** Numbers of the payments that were not reversed. */
  get standing(): readonly number[] {
    return this.state.payments.flatMap(({ reversedOn }, number) => (reversedOn === null ? [number] : []));
  }

  #check(move: string): void {
    if (!this.moves.includes(move)) refuse('claim_move_not_allowed');
  }

  /** Every move that has no amount. */
  move(name: string, text: string | null, now: string): void {
    this.#check(name);
    const isReopened = name === 'reopened';
    const facts = isReopened ? VOID : name === 'offer rejected' ? { offer: null } : {};
    const isAccepted = name === 'offer accepted' ? { isAccepted: true } : {};
    const stage = isReopened ? 'under review' : name;
    this.#record(this.#today(now), { stage, names: [name], text, ...facts, ...isAccepted });
  }

  /** "Default and maximum: the smaller of claim_amount − deductible and limit − payments of *other* claims." */
  bound({ term }: Place, coverage: Coverage | null): bigint {
    const afterDeductible = this.state.claimed - parseMoney(coverage?.deductible ?? '0.00');
    if (coverage === null || coverage.coverage_limit === null) return afterDeductible;
    const others = paidUnder(this.policy, term, coverage.coverage_name, this);
    const left = parseMoney(coverage.coverage_limit) - others;
    return left < afterDeductible ? left : afterDeductible;
  }

  approve(asked: bigint | null, coverageName: string | null, now: string): void {
    this.#check('approved');
    const place = this.#place();
    const coverage = this.#approvedCoverage(place, coverageName);
    const bound = this.bound(place, coverage);
    if (bound <= 0n || (asked ?? bound) > bound) refuse('amount_too_high');
    const approved = asked ?? bound;
    const paid = paidOf(this.state);
    if (approved === 0n || approved < paid) refuse('invalid_request');
    const reached = approved === paid ? { stage: 'paid', names: ['approved', 'paid'] } : undefined;
    const facts = { approved, coverage, ...(reached ?? { stage: 'approved', names: ['approved'] }) };
    this.#record(this.#today(now), facts);
  }

  #approvedCoverage(place: Place, name: string | null): Coverage | null {
    const { coverage: known } = this.state;
    if (name !== null) {
      const named = coverageOf(place, name);
      const isOther = known === null || !isNamed(known.coverage_name, named?.coverage_name ?? '');
      return isOther && paidOf(this.state) > 0n ? refuse('invalid_request') : named;
    }
    if (known === null) {
      const needsName = place.coverages.some((each) => each.coverage_limit !== null || each.deductible !== null);
      return needsName ? refuse('invalid_request') : null;
    }
    return this.#covering(place, known);
  }

  /** "Cover is judged again." */
  #place(): Place {
    return placeOf(this.policy, this.state.incident) ?? refuse('incident_no_longer_covered');
  }

  #covering({ coverages }: Place, known: Coverage): Coverage {
    const found = coverages.find(({ coverage_name }) => isNamed(coverage_name, known.coverage_name));
    return found ?? refuse('incident_no_longer_covered');
  }

  offer(asked: bigint | null, now: string): void {
    this.#check('offer sent');
    const most = payableOf({ ...this.state, isAccepted: false }) ?? 0n;
    const offer = asked ?? most;
    if (offer > most) refuse('amount_too_high');
    if (offer === 0n) refuse('invalid_request');
    this.#record(this.#today(now), { stage: 'offer sent', names: ['offer sent'], offer });
  }

  pay(asked: bigint | null, paidOn: Day | null, isFinal: boolean, now: string): void {
    this.#check('paid');
    const { day: today } = this.#today(now);
    const day = paidOn ?? today;
    const agreed = this.state.timeline.findLast(({ name }) => name === 'approved' || name === 'offer accepted');
    if (day > today || day < (agreed?.day ?? '')) refuse('invalid_request');
    const left = leftOf(this.state) ?? 0n;
    const amount = asked ?? left;
    if (amount > left) refuse('amount_too_high');
    const closes = isFinal || amount === left;
    const reached = { shown: today, ...(closes ? { stage: 'paid', names: ['paid'] } : { names: ['part paid'] }) };
    if (amount === 0n) {
      if (!isFinal || paidOf(this.state) === 0n) refuse('invalid_request');
      return this.#record({ at: now, day }, reached);
    }
    const place = this.#place();
    if (this.state.coverage !== null) {
      const { coverage_name, coverage_limit } = this.#covering(place, this.state.coverage);
      const paid = paidUnder(this.policy, place.term, coverage_name);
      if (coverage_limit !== null && paid + amount > parseMoney(coverage_limit)) refuse('amount_too_high');
    }
    this.#record({ at: now, day }, { ...reached, payment: { amount, paidOn: day } });
    this.#book(place, amount);
  }

  #book({ term }: Place, amount: bigint): void {
    const { coverage, incident, payments } = this.state;
    const facts = { term: term.number, coverage: coverage?.coverage_name ?? null, incident, amount };
    this.policy.payments = [...this.policy.payments, { claim: this, payment: payments.length - 1, ...facts }];
  }

  /**
   * "A paid claim is `offer accepted` again where there is an accepted offer, else `approved` (in other statuses
   * nothing moves)."
   */
  reverse(number: number, text: string, now: string): void {
    const { stage, isAccepted, payments } = this.state;
    if (payments[number]?.reversedOn !== null) refuse('payment_already_reversed');
    const recorded = this.#today(now);
    const reached = stage === 'paid' ? (isAccepted ? 'offer accepted' : 'approved') : stage;
    const facts = { stage: reached, names: ['payment reversed'], text, reversed: { number, on: recorded.day } };
    this.#record(recorded, facts);
    const isReversed = (each: PolicyModel['payments'][number]) => each.claim === this && each.payment === number;
    this.policy.payments = this.policy.payments.filter((each) => !isReversed(each));
  }

  /** "While open, judged as a filing; after a payment amount and description alone." */
  revise(changes: Partial<Filing>, text: string, now: string): void {
    const { stage, claimed, incident: before, coverage: known } = this.state;
    const { incident = before, coverageName } = changes;
    const isCovered = this.policy.covers(incident, now);
    if (isClosed(stage)) refuse('claim_move_not_allowed');
    const isFixed = changes.incident !== undefined || coverageName !== undefined;
    if (isFixed && paidOf(this.state) > 0n) refuse('invalid_request');
    const place = (isCovered ? placeOf(this.policy, incident) : undefined) ?? refuse('incident_not_covered');
    const keeps = coverageName === undefined && incident === before;
    const coverage = keeps ? known : coverageOf(place, coverageName ?? known?.coverage_name ?? null);
    const reached = isApproved(stage) ? { ...VOID, stage: 'under review', names: ['under review'] } : { names: [] };
    const facts = { claimed: changes.claimed ?? claimed, incident, coverage, text, ...reached };
    this.#record(this.#today(now), facts);
  }

  #today(now: string): Recorded {
    return { at: now, day: localDay(now, this.policy.zone) };
  }

  #record(recorded: Recorded, facts: ClaimFacts): void {
    this.#entries.push({ recorded, facts });
    this.state = applyClaimFacts(this.state, facts, recorded.day);
  }

  /** "Of a payment `paid_on`; of its reversal the day of it", in the order of the log. */
  get transactions() {
    return this.#entries.flatMap(({ facts: { payment, reversed } }) => {
      if (payment !== undefined) return [{ amount: format(-payment.amount), date: payment.paidOn }];
      if (reversed === undefined) return [];
      return [{ amount: format(this.state.payments[reversed.number]?.amount ?? 0n), date: reversed.on }];
    });
  }

  /** Returns what was known of the claim at an instant about a day. */
  at(point: PointInTime): PastClaim | Absent {
    if (this.recordedAt > point.knownAt) return 'not_known_yet';
    const [filing, ...others] = this.#entries;
    const known = others.filter(({ recorded }) => isIn(recorded, point));
    if (filing === undefined || (!isIn(filing.recorded, point) && known.length === 0)) return 'not_in_force_yet';
    const fold = (state: ClaimState, { facts, recorded }: typeof filing) => applyClaimFacts(state, facts, recorded.day);
    return pastClaim([filing, ...known].reduce(fold, this.#initial));
  }
}
