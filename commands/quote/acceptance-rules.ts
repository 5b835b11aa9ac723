import type { ProductState } from '../../src/domain/product/product.ts';
import type { FieldError } from '../../src/domain/refusals.ts';
import { ageRange, isEligible } from '../../src/domain/values/eligibility.ts';
import type { RiskDetails } from '../../src/domain/values/rated-price.ts';
import { isSameValue, riskDetail } from '../../src/domain/values/risk-values.ts';
import type { Day } from '../../src/event-sourcing/time.ts';

const MAX_LISTED = 20;
const BIRTH_FIELD = 'customer_metadata.date_of_birth';
const RISK_FIELDS = 'insurance_details.additional_information.';

type AcceptingProduct = Pick<ProductState, 'acceptanceRules' | 'eligibility'>;

/** What a product accepts or refuses. */
export interface Applicant {
  readonly risk: RiskDetails;
  /** Null where it is not known: then no product refuses the age. */
  readonly birthDate: Day | null;
  /** The day on which the age is judged. */
  readonly today: Day;
}

/** Returns whether a product refuses the risk or the age. */
export function isRefused(product: AcceptingProduct, applicant: Applicant): boolean {
  return refusedFields(product, applicant).length > 0;
}

/** Returns the errors of a request that every product refuses, by field; none when a product accepts it or there are no products. */
export function refusedByAll(products: readonly AcceptingProduct[], applicant: Applicant): readonly FieldError[] {
  const refusals = products.map((product) => refusedFields(product, applicant));
  if (refusals.length === 0 || refusals.some((fields) => fields.length === 0)) return [];
  return [...new Set(refusals.flat())].map((field) => ({
    field,
    message: field === BIRTH_FIELD ? ageMessage(products) : riskMessage(products, field, applicant.risk),
  }));
}

/**
 * Returns the fields of the request that a product refuses: their value is not among its options, or is a refused one, or the age
 * is outside its bounds. Missing fields are not refused.
 */
function refusedFields(
  { acceptanceRules: { options, refused }, eligibility }: AcceptingProduct,
  { risk, birthDate, today }: Applicant,
): readonly string[] {
  const isAmong = (field: string, values: readonly unknown[]): boolean | undefined => {
    const value = riskDetail(risk, field);
    return value === undefined ? undefined : values.some((one) => isSameValue(one, value));
  };
  const notOptions = Object.entries(options).filter(([field, values]) => isAmong(field, values) === false);
  const refusals = Object.entries(refused).filter(([field, values]) => isAmong(field, values) === true);
  const fields = new Set([...notOptions, ...refusals].map(([field]) => RISK_FIELDS + field));
  return isEligible(eligibility, birthDate, today) === false ? [...fields, BIRTH_FIELD] : [...fields];
}

function riskMessage(products: readonly AcceptingProduct[], path: string, risk: RiskDetails): string {
  const field = path.slice(RISK_FIELDS.length);
  const value = riskDetail(risk, field);
  const accepted = products.flatMap(({ acceptanceRules }) => optionsOf(acceptanceRules, field));
  const possible = accepted.map(String).filter((one) => !isSameValue(one, value));
  return `is a value that no product on sale accepts${listed(possible, 'accepted are ')}`;
}

function ageMessage(products: readonly AcceptingProduct[]): string {
  const ages = products.flatMap(({ eligibility }) => ageRange(eligibility) ?? []);
  return `is of an age that no product on sale accepts${listed(ages, 'accepted are the ages ')}`;
}

function listed(texts: readonly string[], words: string): string {
  const different = [...new Set(texts)];
  if (different.length === 0) return '';
  return `; ${words}${different.slice(0, MAX_LISTED).join(', ')}${different.length > MAX_LISTED ? ', …' : ''}`;
}

function optionsOf({ options }: ProductState['acceptanceRules'], field: string): readonly unknown[] {
  return Object.hasOwn(options, field) ? (options[field] ?? []) : [];
}
