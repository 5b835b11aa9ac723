import { formatMoney } from '../../../src/domain/values/money.ts';
import { type Amounts, format, share } from './amounts.ts';
import { countDays, type Day, firstInstant, localDay, plus } from './days.ts';
import type { ModelTerm, PolicyModel } from './policy-model.ts';

/** The fields of a policy that change during its lifecycle, as its view shows them at an instant. */
export function expectedPolicy(model: PolicyModel, now: string) {
  const { terms, end, zone } = model;
  const today = localDay(now, zone);
  const shown = terms.findLast((term) => model.hasBegun(term, today)) ?? model.first;
  const renewable = model.isProductRenewable && end === null;
  return {
    effective_from: shown.from,
    effective_through: shown.through,
    premium: formatMoney(shown.price.premium),
    coverage: shown.coverages.map(({ name }) => name).join(', '),
    renewable,
    renewal_date: renewable ? firstInstant(plus(model.last.through, 1), zone) : null,
    status: end === null ? (model.isActive ? 'active' : 'accepted') : 'cancelled',
    cancellation_initiator: end?.initiator ?? null,
    cancellation_date: end?.at ?? null,
  };
}

/** The list of terms at an instant. */
export function expectedTerms(model: PolicyModel, now: string) {
  return model.terms.map((term) => ({
    from: term.from,
    through: term.through,
    premium: formatMoney(term.price.premium),
    coverages: term.coverages.map(({ name, type, limit, items }) => ({
      ...{ coverage_name: name, coverage_type: type, coverage_limit: limit },
      ...(items === undefined ? {} : { covered_items: items }),
    })),
    state: stateOf(model, term, localDay(now, model.zone)),
  }));
}

function stateOf(model: PolicyModel, term: ModelTerm, today: Day): string {
  const { end, coverFrom } = model;
  if (term.withdrawn !== null) return 'withdrawn';
  if (end !== null && (end.kind === 'declined' || end.day < term.from)) return 'cancelled';
  if (term.from > today || coverFrom === null || coverFrom > today) return 'upcoming';
  return today > term.through || (end !== null && today > end.day) ? 'past' : 'in_force';
}

/** What each term cost, in the order of the log. */
export function expectedPrices({ prices }: PolicyModel) {
  return prices.map(({ price, annual }) => ({ ...formatAll(price), annual: annual && formatAll(annual) }));
}

function formatAll({ premium, tax, surcharge, commission }: Amounts) {
  return {
    premium: format(premium),
    tax: format(tax),
    surcharge: format(surcharge),
    commission: format(commission),
  };
}

/** The transactions in the order of the log, without ids. */
export function expectedTransactions({ transactions }: PolicyModel) {
  return transactions.map(({ kind, amount, tax, commission, date, term, claim }) => ({
    ...{ kind, amount: formatMoney(amount), tax: format(tax), commission: format(commission), date, term, claim },
  }));
}

/**
 * Returns what is earned of a term on a day: "0 while cover has not begun; if the policy was cancelled or declined by the day,
 * premium − returned; else premium × days from the first day through the day ÷ days of the term".
 */
export function earnedOf(model: PolicyModel, term: ModelTerm, day: Day): bigint {
  const { premium } = term.price;
  const { coverFrom, end } = model;
  if (!model.hasBegun(term, day) || coverFrom === null || coverFrom > day) return 0n;
  if (end !== null && end.day <= day) return premium - term.returned;
  const through = day < term.through ? day : term.through;
  return share(premium, countDays(term.from, through), countDays(term.from, term.through));
}
