// Purchase, renewal, changes, end and reinstatement map the timeline of a policy to another one (docs/insurance.md,
// from Purchase on).
import {
  answerOfChange,
  type Change,
  changeCover,
  changeLaterTerm,
  changeTermInForce,
  Refused,
  refuse,
  requirePrice,
} from './changes.ts';
import { countDays, type Day, endOfDuration, endOfYear, later, localDay, plus } from './days.ts';
import { type CancellationRules, importedReturn, isCoolingOff, proRata, type RefundRule, returnOf } from './ending.ts';
import { largest, quotient, round, smaller } from './fractions.ts';
import { type BookedPayment, hasPaidIn, placeOf } from './payments.ts';
import type { EndFacts, Kind, ModelChange, ModelTransaction } from './records.ts';
import { isEligible, isPriced, type Product, quote, ratesOf, tierOf } from './rating.ts';
import { checkRow, type ImportedRow, type Purchase, type Renewal } from './requests.ts';
import {
  agreedTerms,
  applyFacts,
  contains,
  type Entry,
  type Facts,
  hasBegun,
  type State,
  termInForce,
} from './state.ts';
import {
  differences,
  format,
  importTerm,
  isSameCover,
  lastPeriod,
  minus,
  moveTerm,
  premiumOf,
  priceOf,
  priceTerm,
  type Term,
  totalOf,
} from './timeline.ts';
import { parseMoney } from '#domain/values/money.ts';

const NEW: State = { terms: [], waits: false, isActive: false, autoRenew: false, end: null, changedOn: null };

/** What the rules of insurance say of one policy. Its commands throw `Refused`, or return what the answer says. */
export class PolicyModel {
  readonly zone: string;
  readonly isImported: boolean;
  readonly initial: State;
  readonly entries: Entry[] = [];
  readonly transactions: ModelTransaction[] = [];
  /** Of its claims, without those that were reversed. */
  payments: readonly BookedPayment[] = [];
  state: State;
  /** As the catalogue has it now. */
  product: Product;
  isProductWithdrawn = false;
  /** "`renewable` is the product's at purchase." */
  readonly renewable: boolean;
  readonly #tier: string | null;
  readonly #rules: CancellationRules;
  readonly #begunOn: Day;
  #events = 0;
  /** That were not taken back. */
  #changes: ModelChange[] = [];
  /** By the end of the policy: "a reinstatement brings them back". */
  #takenBack: ModelChange[] = [];

  /** @param bought null: the policy is imported */
  private constructor(zone: string, product: Product, now: string, bought: Pick<Purchase, 'tier'> | null) {
    this.zone = zone;
    this.product = product;
    this.isImported = bought === null;
    this.renewable = bought === null || (product.renewable ?? true);
    this.initial = { ...NEW, waits: bought !== null && product.inspection_required === true };
    this.state = this.initial;
    this.#tier = bought?.tier ?? null;
    const rules = (bought && product.cancellation) ?? {};
    const { cooling_off_days = 0, refund_after_claim = true, minimum_retained = '0.00' } = rules;
    const minimumRetained = parseMoney(minimum_retained);
    this.#rules = { coolingOffDays: cooling_off_days, refundAfterClaim: refund_after_claim, minimumRetained };
    this.#begunOn = localDay(now, zone);
  }

  // ---- Purchase and activation

  /** Buys a quote that is made at the same moment. @throws {Refused} */
  static purchase(zone: string, product: Product, purchase: Purchase, now: string): PolicyModel {
    const { tier, values, from, autoRenew, born } = purchase;
    const model = new PolicyModel(zone, product, now, purchase);
    const today = localDay(now, zone);
    const priced = tierOf(product, tier);
    const offer = quote(priced, values, purchase.quoted);
    // A quote judges the age on its own day, and the purchase on the first day.
    const isRefused = !isEligible(product, purchase.isAsked ? born : null, today);
    if (offer === undefined || isRefused) return refuse('no_quote');
    if (from < today || from > plus(today, 366)) refuse('invalid_request');
    if (autoRenew && !model.renewable) refuse('policy_not_renewable');
    if (!isEligible(product, born, from)) refuse('not_eligible');
    const days = purchase.duration ?? purchase.quoted;
    const through = days === null ? endOfYear(from) : endOfDuration(from, days);
    const cover = { coverages: priced.coverages ?? [], annualNet: offer.annualNet };
    const added = requirePrice(priceTerm(0, [from, through], cover, offer.rates));
    model.#record('premium', from, now, { added, autoRenew });
    model.#activateWhenCoverBegins(now);
    return model;
  }

  /** Begins a policy with its first imported row. @throws {Refused} */
  static import(zone: string, product: Product, row: ImportedRow, now: string): PolicyModel {
    const model = new PolicyModel(zone, product, now, null);
    model.importTerm(row, now);
    return model;
  }

  updateProduct(product: Product): void {
    if (!isPriced(product)) refuse('invalid_request');
    this.product = product;
  }

  get recordedAt(): string {
    return this.entries[0]?.at ?? '';
  }

  get agreed(): readonly Term[] {
    return agreedTerms(this.state);
  }

  /** The day of purchase + `cooling_off_days`. */
  get coolingOffThrough(): Day {
    return plus(this.#begunOn, this.#rules.coolingOffDays);
  }

  get last(): Term {
    const last = this.agreed.at(-1);
    if (last === undefined) throw new Error('a policy always has a term that was not withdrawn');
    return last;
  }

  #isRunOut(today: Day): boolean {
    return !this.state.waits && this.last.through < today;
  }

  /** "After the first day: the term moves, begins on that day and keeps its duration and amounts." */
  activate(now: string): void {
    const today = this.#today(now);
    const { end, isActive, waits, terms } = this.state;
    if (end !== null) refuse('policy_already_cancelled');
    if (isActive || (this.initial.waits && !waits)) refuse('policy_already_active');
    if (!waits) refuse('policy_not_begun');
    const changed = terms.filter(({ from }) => from < today).map((term) => moveTerm(term, today));
    this.#record(null, today, now, { changed, waits: false });
    this.#activateWhenCoverBegins(now);
  }

  /** "Ends a policy before cover has begun: everything is returned, no term ever begins." */
  decline(now: string): void {
    const today = this.#today(now);
    if (this.state.end !== null) refuse('policy_already_cancelled');
    if (this.state.isActive) refuse('policy_already_active');
    this.#end('declined', { day: today, initiator: 'admin' }, now);
  }

  /** "A row for a policy that was bought here is `invalid_row`." */
  importTerm(row: ImportedRow, now: string): void {
    const { from, through, cancelledOn, returnPremium } = row;
    // A row that is wrong by itself is no command on the policy: nothing that is due is recorded before it.
    checkRow(row);
    const today = this.#today(now);
    if (!this.isImported) refuse('invalid_row');
    if (cancelledOn !== null && cancelledOn > today) refuse('invalid_row');
    if (this.state.end !== null) refuse('policy_already_cancelled');
    if (this.agreed.some((term) => term.from <= through && from <= term.through)) refuse('term_overlaps');
    if (cancelledOn !== null && this.agreed.some((term) => term.from > cancelledOn)) refuse('invalid_row');
    const added = importTerm(this.state.terms.length, [from, through], row, row.coverages);
    const isLast = this.agreed.every((term) => term.from < from);
    const autoRenew = isLast ? row.autoRenew && through >= today : this.state.autoRenew;
    this.#record('premium', from, now, { added, autoRenew });
    this.#activateWhenCoverBegins(now);
    if (cancelledOn !== null) this.#end('cancelled', { day: cancelledOn, initiator: 'import', returnPremium }, now);
  }

  // ---- Renewal

  renew({ from, days, autoRenew, change }: Renewal, now: string) {
    const today = this.#today(now);
    const { end, waits } = this.state;
    if (end !== null || waits || !this.renewable) refuse('policy_not_renewable');
    if (from < today) refuse('invalid_request');
    if (from <= this.last.through) refuse('renewal_overlaps_current_term');
    if (from > plus(later(today, this.last.through), 366)) refuse('invalid_request');
    const added = this.#nextTerm([from, endOfDuration(from, days)], change === null ? [] : [change]);
    this.#record('premium', from, now, { added, autoRenew });
    const { through, tax } = added;
    const premium = format(premiumOf(priceOf(added)));
    return { premium, tax: format(tax), effective_from: from, effective_through: through };
  }

  /**
   * "A: that of the last period of the last term, rounded, after the change. Rates: those of the product now; those of
   * the last term where the product has no rating, or where the last term's tax is unknown."
   */
  #nextTerm(days: readonly [Day, Day], changes: readonly Change[]): Term {
    const { coverages, annualNet } = lastPeriod(this.last);
    const present = ratesOf(tierOf(this.product, this.#tier));
    const rates = this.last.rates.tax === null ? this.last.rates : (present ?? this.last.rates);
    const cover = changeCover({ coverages, annualNet: quotient(round(annualNet), 1) }, changes, rates.tax);
    return requirePrice(priceTerm(this.state.terms.length, days, cover, rates));
  }

  /** Records what the scheduler owes the policy by today, as every command does first. */
  settle(now: string): void {
    const today = localDay(now, this.zone);
    if (this.state.end !== null || this.state.terms.length === 0) return;
    this.#activateWhenCoverBegins(now);
    while (this.state.isActive && this.renewable && this.state.autoRenew && this.last.through < today) {
      const added = this.#dueTerm();
      if (added === undefined) this.#record(null, today, now, { autoRenew: false });
      else this.#record('premium', added.from, now, { added, autoRenew: true });
    }
  }

  /** "For a year where it had 365 days or more, else for the same number of days." */
  #dueTerm(): Term | undefined {
    const n = countDays(this.last.from, this.last.through);
    const from = plus(this.last.through, 1);
    const through = endOfDuration(from, n);
    if (this.isProductWithdrawn) return undefined;
    try {
      return this.#nextTerm([from, through], []);
    } catch (error) {
      if (error instanceof Refused) return undefined;
      throw error;
    }
  }

  /** "Takes back the last term before it begins, in full." */
  withdraw(from: Day, now: string): void {
    const today = this.#today(now);
    const ofDay = this.state.terms.filter((term) => term.from === from);
    const term = ofDay.find(({ isWithdrawn }) => !isWithdrawn);
    if (this.state.end !== null) refuse('policy_already_cancelled');
    if (ofDay.length === 0) refuse('term_not_found');
    if (term === undefined) return refuse('term_already_withdrawn');
    if (hasBegun(this.state, term, today)) refuse('term_already_begun');
    if (term !== this.last) refuse('term_not_last');
    if (this.agreed.length === 1) refuse('term_is_only_one');
    const changed = [{ number: term.number, isWithdrawn: true }];
    // "Terms that begin after the day are left out, and with them the events about them": also this one.
    this.#record('return_premium', from, now, { changed, autoRenew: false });
  }

  setAutoRenew(autoRenew: boolean, now: string): void {
    const today = this.#today(now);
    if (this.state.end !== null) refuse('policy_already_cancelled');
    if (!this.renewable) refuse('policy_not_renewable');
    if (autoRenew && this.#isRunOut(today)) refuse('policy_expired');
    if (autoRenew !== this.state.autoRenew) this.#record(null, today, now, { autoRenew });
  }
  // ---- Changes of coverage in the middle of a term

  change(changes: readonly Change[], now: string) {
    const today = this.#today(now);
    if (this.state.end !== null || this.state.waits || this.#isRunOut(today)) refuse('policy_not_changeable');
    // "Default: tomorrow; of a policy that begins later, its first day."
    const from = later(plus(today, 1), this.agreed[0]?.from ?? today);
    if (this.last.through < from) refuse('policy_not_changeable');
    const before = this.agreed.filter(({ through }) => through >= from);
    const after = before.map((term) => {
      const retained = smaller(this.#rules.minimumRetained, term.firstNet);
      const least = this.#keepsAll(term) ? priceOf(term).net : retained;
      return term.from >= from ? changeLaterTerm(term, changes) : changeTermInForce(term, changes, from, least);
    });
    if (after.every((term, index) => isSameCover(term, before[index] ?? term))) refuse('nothing_to_change');
    this.#changes.push({ from, before, after, changedBefore: this.state.changedOn });
    this.#recordChange(from, after, from, now);
    return { effective_on: from, ...answerOfChange(before, after) };
  }

  #recordChange(from: Day, terms: readonly Term[], changedOn: Day | null, now: string): void {
    const isAgreed = ({ number }: Term) => this.agreed.some((term) => term.number === number);
    const changed = terms.filter(isAgreed).map(({ number, periods, tax, commission, firstNet }) => {
      return { number, periods, tax, commission, firstNet };
    });
    if (changed.length > 0) this.#record('premium_change', from, now, { changed, changedOn });
  }

  /**
   * "Changes that begin after `effective_on` are taken back first, the last one first, each by an event of its own."
   */
  #takeBackChanges(after: Day, now: string): void {
    this.#takenBack = this.#changes.filter(({ from }) => from > after);
    for (const { from, before, changedBefore } of this.#takenBack.toReversed())
      this.#recordChange(from, before, changedBefore, now);
    this.#changes = this.#changes.filter((change) => !this.#takenBack.includes(change));
  }

  // ---- End, and back again

  /**
   * @param by the name of a merchant, or `admin`: "the platform: also earlier, back to the day before the first of the
   * term in force"
   */
  cancel(by: string, effectiveOn: Day | null, now: string) {
    const today = this.#today(now);
    const { end } = this.state;
    if (end !== null) refuse('policy_already_cancelled');
    if (this.#isRunOut(today)) refuse('policy_expired');
    const day = effectiveOn ?? today;
    // "A policy that has not begun, waits, or is in a gap: today alone."
    const term = termInForce(this.state, today) ?? { from: plus(today, 1), through: today };
    if (day < (by === 'admin' ? plus(term.from, -1) : today) || day > term.through) refuse('invalid_request');
    // "Not before the last change that has begun."
    if (this.#changes.some(({ from }) => from <= today && day < from)) refuse('changed_after_day');
    if (this.payments.some(({ incident }) => day < incident)) refuse('claim_paid_after_day');
    const before = this.agreed;
    this.#takeBackChanges(later(day, today), now);
    const refund = this.#end('cancelled', { day, initiator: by, before }, now);
    // "`refund_amount` contains them."
    const back = this.agreed.map((term, index) => minus(priceOf(before[index] ?? term), priceOf(term)));
    const { premium, tax } = totalOf([...refund.returned, ...back.filter((each) => premiumOf(each) !== 0n)]);
    const { effective_on, refund_rule } = refund;
    return { effective_on, refund_amount: premium, tax_refunded: tax, refund_rule };
  }

  #end(kind: 'cancelled' | 'declined', { day, initiator, returnPremium = null, before = [] }: EndFacts, now: string) {
    const decidedOn = localDay(now, this.zone);
    const { waits } = this.state;
    const touched = this.agreed.filter(({ through }) => waits || through >= day);
    const rule = this.#refundRule(day, decidedOn);
    const returned = touched.map((term) => {
      if (waits || term.from > day || rule === 'cooling_off') return priceOf(term);
      if (returnPremium !== null) return importedReturn(term, returnPremium);
      // "The net returned by 2 or 3 is at least what they had taken off."
      const priced = before.find(({ number }) => number === term.number) ?? term;
      const net = rule === 'none_after_claim' ? 0n : proRata(term, day, this.#rules).net;
      return returnOf(term, largest(net, priceOf(term).net - priceOf(priced).net));
    });
    const changed = touched.map(({ number }, index) => ({ number, returned: returned[index] ?? null }));
    const end = { kind, day, decidedOn, at: now, initiator, rule };
    this.#record('return_premium', day, now, { changed, end });
    return { effective_on: day, returned, refund_rule: rule };
  }

  /** Returns the rule "of the term that contains the day; else `not_begun`". */
  #refundRule(day: Day, decision: Day): RefundRule {
    const term = this.agreed.find((each) => contains(each, day));
    if (this.state.waits || term === undefined) return 'not_begun';
    const isFirst = term === this.agreed[0] && this.#rules.coolingOffDays > 0 && this.payments.length === 0;
    if (isFirst && isCoolingOff(term, decision, day, this.coolingOffThrough)) return 'cooling_off';
    return this.#keepsAll(term) ? 'none_after_claim' : 'pro_rata';
  }

  /** "The product says `refund_after_claim: false` and a payment was made for an incident in this term." */
  #keepsAll(term: Term): boolean {
    return !this.#rules.refundAfterClaim && hasPaidIn(this, term);
  }

  /** "Timeline and `auto_renew` are as before it, without a gap; every returned amount is owed again." */
  reinstate(now: string): void {
    const today = this.#today(now);
    const { end, terms } = this.state;
    if (end === null || end.kind === 'declined') return refuse('policy_not_cancelled');
    if (this.#isRunOut(today)) refuse('policy_expired');
    const changed = terms.map(({ number }) => ({ number, returned: null }));
    this.#record('premium_reinstated', end.day, now, { changed, end: null });
    for (const { from, after } of this.#takenBack) this.#recordChange(from, after, from, now);
    this.#changes.push(...this.#takenBack);
    this.#takenBack = [];
    this.#activateWhenCoverBegins(now);
  }

  /**
   * Whether an incident is covered: "in force on its day, not after today"; after a cooling-off "no incident of that
   * term".
   */
  covers(incident: Day, now: string): boolean {
    return incident <= this.#today(now) && placeOf(this, incident) !== undefined;
  }

  #today(now: string): Day {
    this.settle(now);
    return localDay(now, this.zone);
  }

  #activateWhenCoverBegins(now: string): void {
    const today = localDay(now, this.zone);
    const { waits, isActive, end } = this.state;
    if (waits || isActive || end !== null || !this.agreed.some(({ from }) => from <= today)) return;
    this.#record(null, today, now, { isActive: true });
  }

  // ---- Transactions
  /**
   * Records an event. What is owed is the difference of the timelines before and after it, "dated the later of the
   * event's effectiveAt and the first day of the term".
   */
  #record(kind: Kind | null, effectiveAt: Day, now: string, facts: Facts): void {
    const before = this.state;
    this.state = applyFacts(before, facts);
    this.entries.push({ at: now, day: effectiveAt, facts });
    if (kind === null) return;
    for (const { term, ...amounts } of differences(before.terms, this.state.terms)) {
      const { number, from, through } = term;
      const entry = { kind, amounts, date: later(effectiveAt, from), term: { number, from, through } };
      this.transactions.push({ ...entry, event: this.#events });
    }
    this.#events += 1;
  }
}
