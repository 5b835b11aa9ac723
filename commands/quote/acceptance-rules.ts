import type { ProductState } from '#domain/product/product.ts';
import type { NoOfferReason } from '#domain/quote/quote.ts';
import { ageRange, isEligible } from '#domain/values/eligibility.ts';
import type { RiskDetails } from '#domain/values/rated-price.ts';
import { isSameValue, riskDetail } from '#domain/values/risk-values.ts';
import type { Day } from '#event-sourcing/time.ts';

/** Of the accepted values, so many are named, each of at most so many characters. */
const MAX_LISTED = 20;
const LONGEST_LISTED = 60;

const BIRTH_FIELD = 'customer_metadata.date_of_birth';

/** Returns the path of a field of the risk in a quote request. */
export function riskPath(field: string): string {
  return `insurance_details.additional_information.${field}`;
}

type AcceptingProduct = Pick<ProductState, 'acceptanceRules' | 'eligibility'>;

/** What a product accepts or refuses. */
export interface Applicant {
  readonly risk: RiskDetails;
  /** Null where it is not known: then no product with bounds of age makes an offer, because it could not be bought. */
  readonly birthDate: Day | null;
  /** The day on which the age is judged. */
  readonly today: Day;
}

/**
 * Returns why a product does not accept a risk or an age: a value is not among its options or is a refused one, the
 * age is outside its bounds, or the date of birth is missing. Missing features of the risk are not refused.
 */
export function acceptanceFaults(
  { acceptanceRules: { options, refused }, eligibility }: AcceptingProduct,
  { risk, birthDate, today }: Applicant,
): readonly NoOfferReason[] {
  const isAmong = (field: string, values: readonly unknown[]): boolean | undefined => {
    const value = riskDetail(risk, field);
    return value === undefined ? undefined : values.some((one) => isSameValue(one, value));
  };
  const notOptions = Object.entries(options).filter(([field, values]) => isAmong(field, values) === false);
  const refusals = Object.entries(refused).filter(([field, values]) => isAmong(field, values) === true);
  const fields = new Set([...notOptions, ...refusals].map(([field]) => field));
  const reasons = [...fields].map((field): NoOfferReason => {
    const accepted = (Object.hasOwn(options, field) ? (options[field] ?? []) : []).map(String);
    const possible = accepted.filter((one) => !isSameValue(one, riskDetail(risk, field)));
    const message = `is a value that the product does not accept${listed(possible)}`;
    return { code: 'refused', field: riskPath(field), message };
  });
  const isOfAge = isEligible(eligibility, birthDate, today);
  if (isOfAge === true) return reasons;
  const ages = `the product accepts the ages ${ageRange(eligibility)}`;
  return [
    ...reasons,
    isOfAge === undefined
      ? { code: 'field_missing', field: BIRTH_FIELD, message: `must be given: ${ages}` }
      : { code: 'not_eligible', field: BIRTH_FIELD, message: `is of an age that is not accepted: ${ages}` },
  ];
}

function listed(texts: readonly string[]): string {
  const different = [...new Set(texts)];
  if (different.length === 0) return '';
  const named = different.filter((one) => one.length <= LONGEST_LISTED).slice(0, MAX_LISTED);
  return `; accepted are ${[...named, ...(named.length < different.length ? ['…'] : [])].join(', ')}`;
}
