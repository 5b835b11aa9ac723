import type { ProductState } from '../../src/domain/product/product.ts';
import type { FieldError } from '../../src/domain/refusals.ts';
import type { RiskDetails } from '../../src/domain/values/premium.ts';
import { isSameValue, riskDetail } from '../../src/domain/values/risk-values.ts';

/** So many accepted values are told to the client. */
const MOST_TOLD = 20;

/**
 * The fields for which a product refuses the risk: their value is not among its options, or is one that it refuses
 * (`decisions`: Back office). What was not told is not refused.
 */
export function refusedFields({ narrowing: { options, refused } }: Pick<ProductState, 'narrowing'>, told: RiskDetails) {
  const isAmong = (field: string, values: readonly unknown[]): boolean | undefined => {
    const value = riskDetail(told, field);
    return value === undefined ? undefined : values.some((one) => isSameValue(one, value));
  };
  const notOptions = Object.entries(options).filter(([field, values]) => isAmong(field, values) === false);
  const refusals = Object.entries(refused).filter(([field, values]) => isAmong(field, values) === true);
  return [...new Set([...notOptions, ...refusals].map(([field]) => field))];
}

/**
 * What is wrong with a risk that all these products refuse, by the fields they refuse it for; nothing when one of them takes
 * it, or when there is none.
 */
export function refusedByAll(
  products: readonly Pick<ProductState, 'narrowing'>[],
  told: RiskDetails,
): readonly FieldError[] {
  const refusals = products.map((product) => refusedFields(product, told));
  if (refusals.length === 0 || refusals.some((fields) => fields.length === 0)) return [];
  return [...new Set(refusals.flat())].map((field) => ({
    field: `insurance_details.additional_information.${field}`,
    message: messageFor(products, field, told),
  }));
}

function messageFor(products: readonly Pick<ProductState, 'narrowing'>[], field: string, told: RiskDetails): string {
  const accepted = new Set(products.flatMap(({ narrowing }) => optionsOf(narrowing, field)).map(String));
  const value = riskDetail(told, field);
  const possible = [...accepted].filter((one) => !isSameValue(one, value));
  if (possible.length === 0) return 'is a value that no product on sale accepts';
  const more = possible.length > MOST_TOLD ? ', …' : '';
  return `is a value that no product on sale accepts; accepted are ${possible.slice(0, MOST_TOLD).join(', ')}${more}`;
}

function optionsOf({ options }: ProductState['narrowing'], field: string): readonly unknown[] {
  return Object.hasOwn(options, field) ? (options[field] ?? []) : [];
}
