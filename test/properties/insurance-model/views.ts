// What the view of a policy, its list of terms and its transactions show (docs/insurance.md, Transactions).
import { formatMoney } from '#domain/values/money.ts';
import { type Day, firstInstant, lastSecond, plus } from './days.ts';
import { round } from './fractions.ts';
import type { PolicyModel } from './policy.ts';
import type { ModelTransaction } from './records.ts';
import { agreedTerms, contains, hasBegun, type PastPolicy, type State, termInForce } from './state.ts';
import { format, lastPeriod, premiumOf, priceOf, type Term } from './timeline.ts';

/**
 * "The begun term that contains the day; before the first begins, the first; in a gap or after the end, the last that
 * has begun, else the first."
 */
export function shownTerm(state: State, day: Day): Term {
  const shown = state.terms.findLast((term) => hasBegun(state, term, day)) ?? agreedTerms(state)[0];
  if (shown === undefined) throw new Error('a policy always has a term that was not withdrawn');
  return shown;
}

export function statusOf({ state: { end, isActive }, day }: PastPolicy): 'accepted' | 'active' | 'cancelled' {
  // "Shown from the next day, on the day itself if decided on it or later."
  const isCancelled = end !== null && (day > end.day || (day === end.day && end.decidedOn >= end.day));
  return isCancelled ? 'cancelled' : isActive ? 'active' : 'accepted';
}

/**
 * "`cover`: the policy ended and is not in force; waits; has not begun; is between two terms, or after the last that
 * will begin."
 */
function coverOf(past: PastPolicy): string {
  const { state, day } = past;
  if (termInForce(state, day) !== undefined) return 'in_force';
  if (statusOf(past) === 'cancelled') return 'cancelled';
  if (state.waits) return 'waiting';
  const first = agreedTerms(state)[0];
  if (first !== undefined && day < first.from) return 'not_begun';
  const next = agreedTerms(state).find(({ from }) => day < from);
  return next !== undefined && hasBegun(state, next, next.from) ? 'gap' : 'expired';
}

/** The fields of a policy that change during its life, with the number of the shown term instead of its id. */
export function policyView({ zone, renewable: isRenewable }: PolicyModel, past: PastPolicy) {
  const { state, day } = past;
  const { end, autoRenew } = state;
  const shown = shownTerm(state, day);
  const price = priceOf(shown);
  // A change begins tomorrow, or later.
  const { coverages } = shown.periods.find(({ through }) => day <= through) ?? lastPeriod(shown);
  const renewable = isRenewable && end === null;
  const last = agreedTerms(state).at(-1);
  return {
    number: shown.number,
    effective_from: shown.from,
    effective_through: shown.through,
    premium: formatMoney(premiumOf(price)),
    tax: format(price.tax),
    coverage: coverages.map(({ coverage_name }) => coverage_name).join(', '),
    coverages,
    auto_renew: autoRenew && end === null,
    renewable,
    renewal_date: renewable && last !== undefined ? firstInstant(plus(last.through, 1), zone) : null,
    status: statusOf(past),
    in_force: termInForce(state, day) !== undefined,
    cover: coverOf(past),
    cancellation_initiator: end?.initiator ?? null,
    // "The decision if on that day, else 23:59:59 of it in the zone (imports too)."
    cancellation_date: end && (end.decidedOn === end.day ? end.at : lastSecond(end.day, zone)),
  };
}

/** The list of terms, each with its number instead of its id. */
export function termViews({ state, day }: PastPolicy) {
  return state.terms.map((term) => {
    const price = priceOf(term);
    return {
      number: term.number,
      from: term.from,
      through: term.through,
      premium: format(premiumOf(price)),
      net: format(price.net),
      fee: format(price.fee),
      tax: format(price.tax),
      commission: format(price.commission),
      periods: term.periods.map(({ from, through, coverages, annualNet, net }) => ({
        from,
        through,
        coverages,
        annual_net: format(round(annualNet)),
        net: format(net),
      })),
      state: termState(state, term, day),
    };
  });
}

/** "`cancelled`: the policy ended and it never began; a term that an end cuts short is `past` from the next day." */
function termState(state: State, term: Term, day: Day): string {
  const { waits, end } = state;
  if (term.isWithdrawn) return 'withdrawn';
  if (end !== null && (waits || end.day < term.from)) return 'cancelled';
  if (!hasBegun(state, term, day)) return 'upcoming';
  return contains(term, day) && (end === null || day <= end.day) ? 'in_force' : 'past';
}

export function transactionView({ kind, amounts, date, term: { from, through } }: ModelTransaction) {
  const { net, fee, tax, commission } = amounts;
  return {
    kind,
    amount: format(premiumOf(amounts)),
    net: format(net),
    fee: format(fee),
    tax: format(tax),
    commission: format(commission),
    date,
    claim_id: null,
    term: { from, through },
  };
}
