import { add, type Amounts, annualOfImport, forDays, LARGEST, mapAmounts, share } from './amounts.ts';
import { type CoverageChange, changeCoverages, type ModelCoverage } from './coverages.ts';
import { countDays, type Day, firstInstant, later, localDay, plus } from './days.ts';

/** When something was recorded, and its business day. */
export interface Recorded {
  readonly at: string;
  readonly day: Day;
}

export interface ModelTerm {
  /** When it was agreed, and its first day then. */
  readonly recorded: Recorded;
  /** Last day for which it was agreed. */
  readonly agreedThrough: Day;
  /** When a late activation moved it to `from` and `through`. */
  moved: Recorded | null;
  withdrawn: Recorded | null;
  from: Day;
  through: Day;
  /** Days for which it was agreed. */
  readonly days: number;
  readonly price: Amounts;
  /** Null of imported terms. */
  readonly annual: Amounts | null;
  readonly coverages: readonly ModelCoverage[];
  /** What was returned of it. */
  returned: bigint;
}

export interface ModelTransaction {
  readonly kind: 'premium' | 'return_premium' | 'claim_payment';
  readonly amount: bigint;
  readonly tax: bigint | null;
  readonly commission: bigint | null;
  readonly date: Day;
  readonly term: { readonly from: Day; readonly through: Day } | null;
  /** Number of the claim that was paid. */
  readonly claim: number | null;
}

/** How a policy begins. */
export interface Beginning {
  readonly zone: string;
  /** When it was purchased or imported. */
  readonly now: string;
  readonly from: Day;
  readonly coverages: readonly ModelCoverage[];
  readonly terms:
    | {
        readonly by: 'purchase';
        readonly days: number;
        readonly annual: Amounts;
        readonly autoRenew: boolean;
        readonly renewable: boolean;
        readonly needsActivation: boolean;
      }
    | { readonly by: 'import'; readonly days: number; readonly premium: bigint; readonly cancelledOn: Day | null };
}

export interface Renewal {
  readonly from: Day;
  readonly days: number;
  readonly autoRenew: boolean;
  readonly change: CoverageChange | null;
}

interface ImportedTerm {
  readonly from: Day;
  readonly days: number;
  readonly premium: bigint;
  readonly coverages: readonly ModelCoverage[];
  /** A day of the term; null without a cancellation. */
  readonly cancelledOn: Day | null;
}

/** The codes of the refusals that a command may be answered with. It was accepted when there is none. */
export type Refusals = readonly string[];

const ACCEPTED: Refusals = [];

/**
 * What the contract says of one policy (Policies, Transactions and Customers and claims of the interface decisions), as a plain
 * state machine. It is written from the contract, not from the code, and shares only the format of money with it.
 */
export class PolicyModel {
  readonly zone: string;
  /** When the policy was purchased or imported. */
  readonly recordedAt: string;
  readonly isImported: boolean;
  readonly needsActivation: boolean;
  readonly isProductRenewable: boolean;
  /** By first day, then in the order of the log. */
  readonly terms: ModelTerm[] = [];
  /** What each term cost, in the order of the log. */
  readonly prices: { readonly price: Amounts; readonly annual: Amounts | null }[] = [];
  transactions: ModelTransaction[] = [];
  /** When PolicyActivated was recorded, or the policy itself if it was active from the start. */
  activeSince: string | null = null;
  /** ActivatePolicy. */
  activated: Recorded | null = null;
  autoRenew = false;
  isProductWithdrawn = false;
  end: {
    readonly kind: 'cancelled' | 'declined';
    /** When it was recorded: of an import later than the instant of the cancellation. */
    readonly recordedAt: string;
    readonly at: string;
    readonly day: Day;
    readonly initiator: string;
  } | null = null;
  #claims = 0;

  constructor({ zone, now, from, coverages, terms }: Beginning) {
    this.zone = zone;
    this.recordedAt = now;
    this.isImported = terms.by === 'import';
    this.needsActivation = terms.by === 'purchase' && terms.needsActivation;
    this.isProductRenewable = terms.by === 'import' || terms.renewable;
    if (terms.by === 'import') {
      this.#addImported({ from, coverages, ...terms }, now);
    } else {
      this.autoRenew = terms.autoRenew;
      const { days, annual } = terms;
      this.#add({ from, days, price: forDays(annual, days), annual, coverages }, now);
    }
    this.#activateWhenCoverBegins(now);
  }

  get isActive(): boolean {
    return this.activeSince !== null;
  }

  get agreed(): readonly ModelTerm[] {
    return this.terms.filter(({ withdrawn }) => withdrawn === null);
  }

  get first(): ModelTerm {
    return requireTerm(this.agreed[0]);
  }

  get last(): ModelTerm {
    return requireTerm(this.agreed.at(-1));
  }

  /** "Cover begins on the first day of the first term; where ActivatePolicy is needed, on the later of that day and its day." */
  get coverFrom(): Day | null {
    const first = this.first.from;
    if (!this.needsActivation) return first;
    return this.activated === null ? null : later(first, this.activated.day);
  }

  /** Records what the scheduler owes the policy by today, as every command does first. */
  settle(now: string): void {
    const today = localDay(now, this.zone);
    if (this.end !== null) return;
    this.#activateWhenCoverBegins(now);
    while (this.isActive && this.isProductRenewable && this.autoRenew) {
      const from = plus(this.last.through, 1);
      if (from > today) return;
      const days = Math.min(this.last.days, 365);
      const annual = this.#annual();
      if (this.isProductWithdrawn || forDays(annual, days).premium > LARGEST) this.autoRenew = false;
      else this.#add({ from, days, price: forDays(annual, days), annual, coverages: this.last.coverages }, now);
    }
  }

  renew({ from, days, autoRenew, change }: Renewal, now: string): Refusals {
    const today = this.#today(now);
    const wrong = new Set<string>();
    const waits = this.needsActivation && !this.isActive;
    if (this.end !== null || !this.isProductRenewable || waits) wrong.add('policy_not_renewable');
    if (from < today) wrong.add('invalid_request');
    if (from <= this.last.through) wrong.add('renewal_overlaps_current_term');
    if (from > plus(later(today, this.last.through), 366)) wrong.add('invalid_request');
    const coverages = change === null ? this.last.coverages : changeCoverages(this.last.coverages, change);
    if (coverages === undefined) wrong.add('invalid_request');
    const annual = add(this.#annual(), change?.amount ?? 0n);
    if (forDays(annual, days).premium > LARGEST) wrong.add('premium_out_of_range');
    if (wrong.size > 0 || coverages === undefined) return [...wrong];
    this.#add({ from, days, price: forDays(annual, days), annual, coverages }, now);
    this.autoRenew = autoRenew;
    return ACCEPTED;
  }

  withdraw(from: Day, now: string): Refusals {
    const today = this.#today(now);
    if (this.end !== null) return ['policy_already_cancelled'];
    const ofDay = this.terms.filter((term) => term.from === from);
    if (ofDay.length === 0) return ['term_not_found'];
    const term = ofDay.find(({ withdrawn }) => withdrawn === null);
    if (term === undefined) return ['term_already_withdrawn'];
    if (term.from <= today) return ['term_already_begun'];
    if (term !== this.last) return ['term_not_last'];
    if (this.agreed.length === 1) return ['term_is_only_one'];
    this.#returnOf(term, term.price, today);
    term.withdrawn = { at: now, day: today };
    this.autoRenew = false;
    return ACCEPTED;
  }

  cancel(initiator: string, now: string): Refusals {
    const today = this.#today(now);
    if (this.end !== null) return ['policy_already_cancelled'];
    if (!this.isActive) return ['policy_not_active'];
    if (this.last.through < today) return ['policy_expired'];
    for (const term of this.agreed) this.#returnOf(term, partAfter(term, today), today);
    this.#end('cancelled', initiator, now);
    return ACCEPTED;
  }

  /** A cancellation that was recorded before return premiums. */
  activate(now: string): Refusals {
    const today = this.#today(now);
    if (this.end !== null) return ['policy_already_cancelled'];
    if (this.isActive) return ['policy_already_active'];
    if (!this.needsActivation) return ['policy_not_begun'];
    const first = this.first;
    if (today > first.from) {
      first.through = plus(today, countDays(first.from, first.through) - 1);
      first.from = today;
      first.moved = { at: now, day: today };
    }
    this.activated = { at: now, day: today };
    this.activeSince = now;
    return ACCEPTED;
  }

  /** An activation that was recorded before a late one moved the term. */
  decline(now: string): Refusals {
    const today = this.#today(now);
    if (this.end !== null) return ['policy_already_cancelled'];
    if (this.isActive) return ['policy_already_active'];
    for (const term of this.agreed) this.#returnOf(term, term.price, today);
    this.#end('declined', 'admin', now);
    return ACCEPTED;
  }

  switchAutoRenew(autoRenew: boolean, now: string): Refusals {
    const today = this.#today(now);
    if (this.end !== null) return ['policy_already_cancelled'];
    if (!this.isProductRenewable) return ['policy_not_renewable'];
    if (autoRenew && today > this.last.through) return ['policy_expired'];
    this.autoRenew = autoRenew;
    return ACCEPTED;
  }

  importTerm(row: ImportedTerm, now: string): Refusals {
    const today = this.#today(now);
    const { cancelledOn } = row;
    const through = plus(row.from, row.days - 1);
    if (cancelledOn !== null && cancelledOn > today) return ['invalid_request'];
    if (this.end !== null) return ['policy_already_cancelled'];
    if (this.agreed.some((term) => term.from <= through && row.from <= term.through)) return ['term_overlaps'];
    if (cancelledOn !== null && this.agreed.some(({ from }) => from > cancelledOn)) return ['invalid_request'];
    this.#addImported(row, now);
    this.#activateWhenCoverBegins(now);
    return ACCEPTED;
  }

  /** Files a claim. Without a refusal, the number of the claim is `claimCount`. */
  claim(incident: Day, now: string): Refusals {
    const today = this.#today(now);
    if (incident > today || !this.isInForce(incident)) return ['incident_not_covered'];
    this.#claims += 1;
    return ACCEPTED;
  }

  get claimCount(): number {
    return this.#claims;
  }

  payClaim(claim: number, amount: bigint, now: string): void {
    if (amount === 0n) return;
    const date = localDay(now, this.zone);
    this.transactions.push({
      kind: 'claim_payment',
      amount: -amount,
      tax: null,
      commission: null,
      date,
      term: null,
      claim,
    });
  }

  /** "In force on a day when a begun term contains the day, cover had begun by then, and the policy was not cancelled earlier." */
  isInForce(day: Day): boolean {
    const { coverFrom, end } = this;
    if (coverFrom === null || day < coverFrom || end?.kind === 'declined' || (end !== null && day > end.day))
      return false;
    return this.terms.some((term) => this.hasBegun(term, day) && day <= term.through);
  }

  hasBegun(term: ModelTerm, day: Day): boolean {
    return term.from <= day && term.withdrawn === null && !(this.end !== null && this.end.day < term.from);
  }

  #today(now: string): Day {
    this.settle(now);
    return localDay(now, this.zone);
  }

  #annual(): Amounts {
    return this.last.annual ?? annualOfImport(this.last.price.premium, countDays(this.last.from, this.last.through));
  }

  #activateWhenCoverBegins(now: string): void {
    const { coverFrom } = this;
    if (coverFrom !== null && coverFrom <= localDay(now, this.zone)) this.activeSince ??= now;
  }

  /** "`cancelled_on` records the cancellation with the term: initiator `import`, `cancellation_date` its first instant." */
  #addImported({ from, days, premium, coverages, cancelledOn }: ImportedTerm, now: string): void {
    const price = { premium, tax: null, surcharge: null, commission: null };
    this.#add({ from, days, coverages, price, annual: null }, now);
    if (cancelledOn === null) return;
    this.#returnOf(this.last, partAfter(this.last, cancelledOn), cancelledOn);
    const at = firstInstant(cancelledOn, this.zone);
    this.end = { kind: 'cancelled', recordedAt: now, at, day: cancelledOn, initiator: 'import' };
  }

  #add(term: Pick<ModelTerm, 'from' | 'days' | 'price' | 'annual' | 'coverages'>, now: string): void {
    const through = plus(term.from, term.days - 1);
    const recorded = { at: now, day: term.from };
    const unchanged = { moved: null, withdrawn: null, returned: 0n };
    this.terms.push({ ...term, through, recorded, agreedThrough: through, ...unchanged });
    this.terms.sort((a, b) => (a.from < b.from ? -1 : Number(a.from > b.from)));
    this.prices.push({ price: term.price, annual: term.annual });
    this.#enter('premium', term.price, { from: term.from, through }, term.from);
  }

  #returnOf(term: ModelTerm, part: Amounts, today: Day): void {
    term.returned += part.premium;
    const dates = { from: term.from, through: term.through };
    this.#enter(
      'return_premium',
      mapAmounts(part, (amount) => -amount),
      dates,
      later(today, term.from),
    );
  }

  #enter(
    kind: 'premium' | 'return_premium',
    { premium, tax, commission }: Amounts,
    term: ModelTransaction['term'],
    date: Day,
  ): void {
    if (premium !== 0n) this.transactions.push({ kind, amount: premium, tax, commission, date, term, claim: null });
  }

  #end(kind: 'cancelled' | 'declined', initiator: string, now: string): void {
    this.end = { kind, recordedAt: now, at: now, day: localDay(now, this.zone), initiator };
    this.autoRenew = false;
  }
}

/** "Premium × days of the term after that day ÷ days of the term; terms that have not begun, in full." */
export function partAfter(term: ModelTerm, day: Day): Amounts {
  const days = countDays(term.from, term.through);
  const left = term.from > day ? days : countDays(plus(day, 1), term.through);
  return mapAmounts(term.price, (amount) => share(amount, left, days));
}

function requireTerm(term: ModelTerm | undefined): ModelTerm {
  if (term === undefined) throw new Error('a policy always has a term that was not withdrawn');
  return term;
}
