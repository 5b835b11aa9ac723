import { optionOf, requireOption } from './examples.ts';
import { termRow } from '../../support/merchant-fixture.ts';
import { CUSTOMER } from '../../support/quotes.ts';
import { RISKS } from '../../support/risks.ts';

/** Returns the members of an object that have a value. */
function given<T extends object>(members: T): Partial<T> {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as Partial<T>;
}

/** Returns the members of `AddProduct` and `UpdateProduct` that `offer` and `reprice` name. */
export function pricesOf(command: string): object {
  const rate = optionOf(command, 'rate');
  const loading = optionOf(command, 'loading');
  return {
    base_premium: requireOption(command, 'at'),
    rating: given({
      rate: rate === undefined ? undefined : { field: 'vehicle_value', percent: rate },
      loadings:
        loading === undefined
          ? undefined
          : [{ field: 'vehicle_usage', equals: 'Commercial', percent: loading, label: 'Commercial use' }],
      discount_percent: optionOf(command, 'discount'),
      surcharge: optionOf(command, 'fee'),
      minimum_premium: optionOf(command, 'minimum'),
      tax_percent: optionOf(command, 'tax'),
      commission_percent: optionOf(command, 'commission'),
    }),
  };
}

/** Returns the body of `AddProduct` without the provider. */
export function productOf(command: string): object {
  const coolingOff = optionOf(command, 'cooling-off');
  const minimumRetained = optionOf(command, 'minimum retained');
  const [, minAge, maxAge] = /ages (\d+) to (\d+)/.exec(command) ?? [];
  return {
    name: 'Motor',
    description: 'Covers the car.',
    product_type: 'Auto',
    ...pricesOf(command),
    coverages: [
      { coverage_name: 'Own damage', coverage_type: 'Collision' },
      { coverage_name: 'Theft', coverage_type: 'Property' },
    ],
    inspection_required: command.includes('needs inspection'),
    ...(coolingOff === undefined && minimumRetained === undefined
      ? {}
      : {
          cancellation: given({
            cooling_off_days: coolingOff === undefined ? undefined : Number(coolingOff),
            minimum_retained: minimumRetained,
          }),
        }),
    ...(minAge === undefined
      ? {}
      : { additional_information: { options: {}, refused: {}, min_age: Number(minAge), max_age: Number(maxAge) } }),
  };
}

/** Returns the body of `POST /quotes`. Without `policy_duration` it is for a year. */
export function quoteRequestOf(command: string): object {
  const days = /(\d+) days?/.exec(command)?.[1];
  return {
    customer_metadata: { ...CUSTOMER, ...given({ date_of_birth: optionOf(command, 'born') }) },
    insurance_details: { product_type: 'Auto', additional_information: RISKS.Auto },
    ...(days === undefined ? {} : { policy_duration: Number(days) }),
  };
}

/** Returns the body of `POST /policies` without the quote. */
export function purchaseOf(command: string): object {
  return {
    effective_from: requireOption(command, 'from'),
    auto_renew: command.includes('renews automatically'),
  };
}

/** Returns the body of `POST /policies/renew/` without the policy. */
export function renewalOf(command: string): object {
  const [, name, amount] = /add (\w+) for (\S+)$/.exec(command) ?? [];
  return {
    preferred_policy_start_date: requireOption(command, 'from'),
    policy_duration: Number(requireOption(command, 'renew')),
    ...(name === undefined
      ? {}
      : { include_additional_coverage: true, coverage_details: { coverage_type: name, additional_amount: amount } }),
  };
}

/** Returns the body of `POST /policies/{policy_id}/changes/`. @throws {Error} when the command is not a change */
export function changeOf(command: string): object {
  const [, action, coverage_name, additional_amount] =
    /^change: (add|modify|remove) (.+) for (-?[\d.]+)$/.exec(command) ?? [];
  if (action === undefined) throw new Error(`not a change: ${command}`);
  return { changes: [{ action, coverage_name, additional_amount }] };
}

/** Returns a row of an import. */
export function importedTermOf(command: string, policyNumber: string): object {
  const [, from, through] = /^import (\S+) through ([\d-]+)/.exec(command) ?? [];
  const cancelledOn = optionOf(command, 'cancelled on');
  return termRow(policyNumber, {
    term_from: from,
    term_through: through,
    premium: requireOption(command, 'premium'),
    ...given({ tax: optionOf(command, 'tax') }),
    ...(cancelledOn === undefined ? {} : { cancelled_on: cancelledOn, cancellation_reason: 'Sold' }),
    ...given({ return_premium: optionOf(command, 'return premium') }),
  });
}
