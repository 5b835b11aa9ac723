import type { ProductState } from '../../src/domain/product/product.ts';
import type { FieldError } from '../../src/domain/refusals.ts';
import type { RiskDetails } from '../../src/domain/values/premium.ts';
import { isSameValue, riskDetail } from '../../src/domain/values/risk-values.ts';

const MAX_LISTED = 20;

/**
 * Returns the fields for which a product refuses the risk: their value is not among its options, or is a refused one.
 * Missing fields are not refused.
 */
export function refusedFields(
  { acceptanceRules: { options, refused } }: Pick<ProductState, 'acceptanceRules'>,
  risk: RiskDetails,
) {
  const isAmong = (field: string, values: readonly unknown[]): boolean | undefined => {
    const value = riskDetail(risk, field);
    return value === undefined ? undefined : values.some((one) => isSameValue(one, value));
  };
  const notOptions = Object.entries(options).filter(([field, values]) => isAmong(field, values) === false);
  const refusals = Object.entries(refused).filter(([field, values]) => isAmong(field, values) === true);
  return [...new Set([...notOptions, ...refusals].map(([field]) => field))];
}

/** Returns the errors of a risk that every product refuses, by field; none when a product accepts it or there are no products. */
export function refusedByAll(
  products: readonly Pick<ProductState, 'acceptanceRules'>[],
  risk: RiskDetails,
): readonly FieldError[] {
  const refusals = products.map((product) => refusedFields(product, risk));
  if (refusals.length === 0 || refusals.some((fields) => fields.length === 0)) return [];
  return [...new Set(refusals.flat())].map((field) => ({
    field: `insurance_details.additional_information.${field}`,
    message: messageFor(products, field, risk),
  }));
}

function messageFor(
  products: readonly Pick<ProductState, 'acceptanceRules'>[],
  field: string,
  risk: RiskDetails,
): string {
  const accepted = new Set(products.flatMap(({ acceptanceRules }) => optionsOf(acceptanceRules, field)).map(String));
  const value = riskDetail(risk, field);
  const possible = [...accepted].filter((one) => !isSameValue(one, value));
  if (possible.length === 0) return 'is a value that no product on sale accepts';
  const more = possible.length > MAX_LISTED ? ', …' : '';
  return `is a value that no product on sale accepts; accepted are ${possible.slice(0, MAX_LISTED).join(', ')}${more}`;
}

function optionsOf({ options }: ProductState['acceptanceRules'], field: string): readonly unknown[] {
  return Object.hasOwn(options, field) ? (options[field] ?? []) : [];
}
