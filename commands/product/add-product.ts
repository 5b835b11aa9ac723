import { z } from 'zod';
import type { NewEvent } from '#event-sourcing/event.ts';
import { type VisibilityFields, visibilityTags } from '#domain/visibility.ts';
import { type ProductDetails, type ProductEvent, product, productStream } from '#domain/product/product.ts';
import { provider, providerStream } from '#domain/provider/provider.ts';
import { refusalsOf } from '#domain/refusals.ts';
import { defineCommand } from '../command.ts';
import { requireExisting } from '../shared/require-existing.ts';
import { resourceId } from '../shared/fields.ts';
import { coverageIds, productNameReservation } from './find-product.ts';
import { checkFields, checkPrices, type NewCoverageId, NO_COVERAGES, productDetails } from './product-details.ts';
import { productFields } from './product-fields.ts';

const refuse = refusalsOf('provider_not_found', 'provider_withdrawn');

const input = z.strictObject({
  provider_id: resourceId,
  ...productFields,
  currency: productFields.currency.default('NGN'),
  product_plan: productFields.product_plan.default(null),
  rating: productFields.rating.default(null),
  coverages: productFields.coverages.default([]),
  tiers: productFields.tiers.default([]),
  additional_information: productFields.additional_information.default(null),
  cancellation: productFields.cancellation.default(null),
  renewable: productFields.renewable.default(true),
  inspection_required: productFields.inspection_required.default(false),
  cerfication_required: productFields.cerfication_required.default(false),
  is_live: productFields.is_live.default(true),
});

interface ProductAddition extends VisibilityFields {
  readonly addition: z.output<typeof input>;
  readonly productId: string;
  readonly newCoverageId: NewCoverageId;
}

/** Adds a product that everyone sees who sees its provider. @throws {Refusal} as `checkFields` and `checkPrices` */
function decideAddProduct(
  _state: undefined,
  { addition, newCoverageId, ...ids }: ProductAddition,
): NewEvent<ProductEvent>[] {
  // The defaults of the schema fill every field.
  const details = productDetails(addition, NO_COVERAGES, newCoverageId) as ProductDetails;
  checkFields(details);
  checkPrices(details);
  return [{ type: 'ProductAdded', data: { ...ids, providerId: addition.provider_id, ...details } }];
}

export const addProduct = defineCommand({
  name: 'AddProduct',
  summary: 'Adds a product of a provider, with its prices, coverages and tiers.',
  description: `Adds a product. \`rating\` computes prices from the answers in \`additional_information\`. Each step is rounded to 2 places, half away from zero:

1. base price = \`base_premium\` + field value × \`rate\` %
2. loaded price = base price + each loading that applies, as a percentage of the base price or as an amount. Below 0.00 there is no quote.
3. annual net price = loaded price − \`discount_percent\` of it
4. net price = annual net price × days ÷ 365, at least \`minimum_premium\`. A term of 365 or 366 days is a year and costs the annual net price.
5. premium = net price + \`surcharge\`, and \`tax_percent\` of both. Surcharge and minimum are the same for every number of days. The commission, \`commission_percent\` of the net price, is a part of it.

Percentages of loadings are −100 to 1000 and their amounts may be negative; other percentages are 0 to 100, other amounts at least 0. A loading whose field is absent does not apply; a product whose rate field is absent gives no quote.
A product with \`tiers\` gives one quote per tier; a tier without a rating, or without coverages, has that of the product.

Merchants see the product where they see its insurer. \`additional_information.options\` lists the accepted values of a field, \`refused\` the values that are not accepted, \`min_age\` and \`max_age\` the ages of the customer in whole years.
\`cancellation\` sets what a cancellation returns. The currency cannot be changed later.

\`base_premium\` and \`minimum_premium\` contain no tax. \`GET /products/{id}\` shows base premium, coverages, ages and \`cancellation\`, and in \`pricing\` the price of a year before rate, loadings and discount. No response shows \`rating\`, \`tiers\`, \`options\` and \`refused\`, not even to a platform key: keep what you send, because
\`UpdateProduct\` replaces each of them as a whole.`,
  input,
  example: {
    provider_id: '1a78dc16-56f5-5684-8a55-0fe7364a9e20',
    name: 'Motor Plus',
    description: 'Own damage, theft and third-party liability.',
    product_type: 'Auto',
    base_premium: '5000.00',
    product_plan: 'Comprehensive',
    coverages: [
      {
        coverage_name: 'Own damage',
        coverage_type: 'Collision',
        coverage_limit: '5000000.00',
        deductible: '25000.00',
      },
      { coverage_name: 'Third-party liability', coverage_type: 'Liability', coverage_limit: '3000000.00' },
    ],
    rating: {
      rate: { field: 'vehicle_value', percent: '1.5' },
      loadings: [{ field: 'vehicle_usage', equals: 'Commercial', percent: '20', label: 'Commercial use' }],
      discount_percent: '5',
      surcharge: '500.00',
      tax_percent: '7.5',
      commission_percent: '12.5',
    },
    additional_information: {
      refused: { vehicle_make: ['Ferrari', 'Lamborghini', 'Bugatti'] },
      min_age: 18,
      max_age: 75,
    },
    cancellation: { cooling_off_days: 14, refund_after_claim: false, minimum_retained: '5000.00' },
  },
  response: z.strictObject({ product_id: z.uuid() }),
  errors: refuse.codes,
  roles: ['admin'],
  creates: true,
  aggregate: product,
  decide: decideAddProduct,
  handle: async (addition, context) => {
    const { provider_id: providerId, product_type: productType, name } = addition;
    const loaded = await context.load(provider, providerStream(providerId));
    const { state } = requireExisting(loaded, () => refuse('provider_not_found', `There is no provider ${providerId}`));
    const productId = context.derive('product');
    if (state.isWithdrawn) throw refuse('provider_withdrawn', `${state.name} is withdrawn`);
    // A product of a provider that is not confirmed yet is seen by all who see the provider, then and later.
    const merchantId = state.imported ? state.merchantId : null;
    const ids = { productId, visibility: state.visibility, merchantId };
    const events = decideAddProduct(undefined, { addition, ...ids, newCoverageId: coverageIds(context) });
    const decision = { target: productStream(productId), events, tags: visibilityTags(ids) };
    const reservation = productNameReservation({ ...ids, providerId, productType, name });
    const writes = context.commit({ ...decision, reservations: [reservation] });
    // Several products may have one name; an import finds the first of them.
    await writes.reserve(reservation);
    return decision;
  },
  result: ({ state }) => ({ product_id: state.productId }),
});
