import { derivedId, namedId } from '#event-sourcing/identifiers.ts';
import { parseFraction } from '#domain/values/fraction.ts';
import type { Price } from '#domain/values/price.ts';
import { type Rating, ratesOf } from '#domain/values/rating.ts';
import { type AgreedTerm, type Coverage, termDays, yearFrom } from '#domain/policy/term.ts';
import { pricedTerm } from '#domain/policy/timeline.ts';
import type { GivenEvent } from './given.ts';
import { policyCancelled, policyPurchased, policyRenewed, sampleId, term } from './sample-events.ts';

/** Net price of a year 365.00, fee 50.00, tax 20 % and commission 10 %: a year costs 498.00. */
export const RATING = { surcharge: '50.00', tax_percent: '20', commission_percent: '10' };
export const FIRE: Coverage = { name: 'Fire', type: 'peril', limit: '1000.00', deductible: '10.00' };
export const GLASS: Coverage = { name: 'Glass', type: null, limit: null, deductible: null };

interface TermTerms {
  readonly annual?: string;
  readonly rating?: Rating;
  readonly coverages?: readonly Coverage[];
}

/** Returns a term with both coverages, by `RATING` unless another rating is given. */
export function ratedTerm(
  from: string,
  days: number | 'year' = 'year',
  { annual = '365.00', rating = RATING, coverages = [FIRE, GLASS] }: TermTerms = {},
): AgreedTerm {
  const on = days === 'year' ? yearFrom(from) : termDays(from, days);
  return pricedTerm(on, { coverages, annualNet: parseFraction(annual) }, ratesOf(rating));
}

/** Returns the id of the term that the given event of this revision agrees, of the policy 1 of the samples. */
export const givenTermId = (revision: number): string =>
  namedId(sampleId('policy', 1), derivedId('given', String(revision)));

const { policyId, merchantId, environmentId, testMode, customerId, currency } = policyRenewed(
  1,
  1,
  term('2026-01-01', '2026-12-31'),
).data as Record<string, unknown>;

/** Returns an event of the policy 1 of the samples. */
export const policyEvent = (type: string, data: object): GivenEvent => ({
  type,
  data: { policyId, merchantId, environmentId, testMode, customerId, currency, ...data },
});

/** Returns the same event with other data. */
export const changed = ({ type, data }: GivenEvent, changes: object): GivenEvent => ({
  type,
  data: { ...data, ...changes },
});

/** Returns what is returned of a term of a given event: all of it, but for the amounts that are given. */
export function returnedOf(
  revision: number,
  { from, through, premium, net, fee, tax, commission }: AgreedTerm,
  amounts: Partial<Price> = {},
) {
  return { termId: givenTermId(revision), from, through, premium, net, fee, tax, commission, ...amounts };
}

/** Two years that follow one another. */
export const FIRST = ratedTerm('2026-01-01');
export const NEXT = ratedTerm('2027-01-01');
/** Returns the purchase of a policy with a first term. */
export const bought = (changes: object = {}, first: AgreedTerm = FIRST): GivenEvent =>
  policyPurchased(1, 1, first, changes);
export const WAITING = bought({ status: 'accepted', waits: true, inspectionRequired: true });
export const CANCELLED = policyCancelled(1, 1, { effectiveAt: '2026-09-30' });
export const renewedWith = (next: AgreedTerm, changes: object = {}): GivenEvent =>
  changed(policyRenewed(1, 1, next), { effectiveAt: next.from, ...changes });
export const RADIO: Coverage = { name: 'radio', type: 'radio', limit: null, deductible: null };
