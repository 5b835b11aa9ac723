import { add, type Amounts, annualOfImport, forDays, LARGEST, mapAmounts, share } from './amounts.ts';
import { countDays, type Day, later, localDay, plus } from './days.ts';

export interface ModelCoverage {
  readonly name: string;
  readonly type: string | null;
  readonly limit: string | null;
  readonly items?: unknown;
}

export interface ModelTerm {
  from: Day;
  through: Day;
  /** Days for which it was agreed. */
  readonly days: number;
  readonly price: Amounts;
  /** Null of imported terms. */
  readonly annual: Amounts | null;
  readonly coverages: readonly ModelCoverage[];
  isWithdrawn: boolean;
  /** What was returned of it. */
  returned: bigint;
  /** A cancellation that was recorded before return premiums kept it from beginning. */
  isWithoutEntry: boolean;
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
    | { readonly by: 'import'; readonly days: number; readonly premium: bigint };
}

export interface Renewal {
  readonly from: Day;
  readonly days: number;
  readonly autoRenew: boolean;
  readonly change: CoverageChange | null;
}

export interface CoverageChange {
  readonly kind: 'additional' | 'modified';
  readonly type: string;
  readonly amount: bigint;
  readonly limit: string | null;
  readonly items: unknown;
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
  readonly isImported: boolean;
  readonly needsActivation: boolean;
  readonly isProductRenewable: boolean;
  /** By first day, then in the order of the log. */
  readonly terms: ModelTerm[] = [];
  /** What each term cost, in the order of the log. */
  readonly prices: { readonly price: Amounts; readonly annual: Amounts | null }[] = [];
  transactions: ModelTransaction[] = [];
  /** Whether PolicyActivated was recorded, or the policy was active from the start. */
  isActive = false;
  activatedOn: Day | null = null;
  autoRenew = false;
  isProductWithdrawn = false;
  end: {
    readonly kind: 'cancelled' | 'declined';
    readonly at: string;
    readonly day: Day;
    readonly initiator: string;
  } | null = null;
  #claims = 0;

  constructor({ zone, now, from, coverages, terms }: Beginning) {
    this.zone = zone;
    this.isImported = terms.by === 'import';
    this.needsActivation = terms.by === 'purchase' && terms.needsActivation;
    this.isProductRenewable = terms.by === 'import' || terms.renewable;
    if (terms.by === 'import') {
      this.#addImported({ from, days: terms.days, premium: terms.premium, coverages });
    } else {
      this.autoRenew = terms.autoRenew;
      this.#add({ from, days: terms.days, price: forDays(terms.annual, terms.days), annual: terms.annual, coverages });
    }
    const coverFrom = this.coverFrom;
    this.isActive = coverFrom !== null && coverFrom <= localDay(now, zone);
  }

  get agreed(): readonly ModelTerm[] {
    return this.terms.filter(({ isWithdrawn }) => !isWithdrawn);
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
    return this.activatedOn === null ? null : later(first, this.activatedOn);
  }

  /** Records what the scheduler owes the policy by today, as every command does first. */
  settle(now: string): void {
    const today = localDay(now, this.zone);
    if (this.end !== null) return;
    if (!this.isActive && this.coverFrom !== null && this.coverFrom <= today) this.isActive = true;
    while (this.isActive && this.isProductRenewable && this.autoRenew) {
      const from = plus(this.last.through, 1);
      if (from > today) return;
      const days = Math.min(this.last.days, 365);
      const annual = this.#annual();
      if (this.isProductWithdrawn || forDays(annual, days).premium > LARGEST) this.autoRenew = false;
      else this.#add({ from, days, price: forDays(annual, days), annual, coverages: this.last.coverages });
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
    this.#add({ from, days, price: forDays(annual, days), annual, coverages });
    this.autoRenew = autoRenew;
    return ACCEPTED;
  }

  withdraw(from: Day, now: string): Refusals {
    const today = this.#today(now);
    if (this.end !== null) return ['policy_already_cancelled'];
    const ofDay = this.terms.filter((term) => term.from === from);
    if (ofDay.length === 0) return ['term_not_found'];
    const term = ofDay.find(({ isWithdrawn }) => !isWithdrawn);
    if (term === undefined) return ['term_already_withdrawn'];
    if (term.from <= today) return ['term_already_begun'];
    if (term !== this.last) return ['term_not_last'];
    if (this.agreed.length === 1) return ['term_is_only_one'];
    this.#returnOf(term, term.price, today);
    term.isWithdrawn = true;
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
  cancelWithoutReturn(initiator: string, now: string): void {
    const today = this.#today(now);
    for (const term of this.agreed) term.isWithoutEntry = term.from > today;
    this.transactions = this.transactions.filter(({ term }) => term === null || term.from <= today);
    this.#end('cancelled', initiator, now);
  }

  activate(now: string): Refusals {
    const today = this.#today(now);
    if (this.end !== null) return ['policy_already_cancelled'];
    if (this.isActive) return ['policy_already_active'];
    if (!this.needsActivation) return ['policy_not_begun'];
    const first = this.first;
    if (today > first.from) {
      first.through = plus(today, countDays(first.from, first.through) - 1);
      first.from = today;
    }
    this.activatedOn = today;
    this.isActive = true;
    return ACCEPTED;
  }

  /** An activation that was recorded before a late one moved the term. */
  activateWithoutMove(now: string): void {
    this.activatedOn = localDay(now, this.zone);
    this.isActive = true;
  }

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

  importTerm(
    row: {
      readonly from: Day;
      readonly days: number;
      readonly premium: bigint;
      readonly coverages: readonly ModelCoverage[];
    },
    now: string,
  ): Refusals {
    const today = this.#today(now);
    const through = plus(row.from, row.days - 1);
    if (this.end !== null) return ['policy_already_cancelled'];
    if (this.agreed.some((term) => term.from <= through && row.from <= term.through)) return ['term_overlaps'];
    this.#addImported(row);
    if (this.coverFrom !== null && this.coverFrom <= today) this.isActive = true;
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
    return term.from <= day && !term.isWithdrawn && !(this.end !== null && this.end.day < term.from);
  }

  #today(now: string): Day {
    this.settle(now);
    return localDay(now, this.zone);
  }

  #annual(): Amounts {
    return this.last.annual ?? annualOfImport(this.last.price.premium, countDays(this.last.from, this.last.through));
  }

  #addImported({
    from,
    days,
    premium,
    coverages,
  }: {
    from: Day;
    days: number;
    premium: bigint;
    coverages: readonly ModelCoverage[];
  }): void {
    this.#add({
      from,
      days,
      price: { premium, tax: null, surcharge: null, commission: null },
      annual: null,
      coverages,
    });
  }

  #add(term: Pick<ModelTerm, 'from' | 'days' | 'price' | 'annual' | 'coverages'>): void {
    const through = plus(term.from, term.days - 1);
    this.terms.push({ ...term, through, isWithdrawn: false, returned: 0n, isWithoutEntry: false });
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
    this.end = { kind, at: now, day: localDay(now, this.zone), initiator };
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

/** Returns undefined when the coverage to add exists, or the one to modify does not. */
function changeCoverages(
  before: readonly ModelCoverage[],
  { kind, type, limit, items }: CoverageChange,
): readonly ModelCoverage[] | undefined {
  const isNamed = (text: string | null): boolean => text?.toLowerCase() === type.toLowerCase();
  const byName = before.filter(({ name }) => isNamed(name));
  const byType = before.filter((coverage) => isNamed(coverage.type));
  if (kind === 'additional')
    return byName.length + byType.length > 0 ? undefined : [...before, { name: type, type, limit, items }];
  const found = byName[0] ?? (byType.length === 1 ? byType[0] : undefined);
  if (found === undefined) return undefined;
  return before.map((each) =>
    each === found ? { ...each, items: items ?? each.items, limit: limit ?? each.limit } : each,
  );
}
