import { z } from 'zod';
import type { NewEvent } from '#event-sourcing/event.ts';
import { type VisibilityFields, visibilityTags } from '#domain/visibility.ts';
import { type ProductDetails, type ProductEvent, product, productStream } from '#domain/product/product.ts';
import { provider, providerStream } from '#domain/provider/provider.ts';
import { Refusal } from '#domain/refusals.ts';
import { defineCommand } from '../command.ts';
import { requireExisting } from '../shared/require-existing.ts';
import { resourceId } from '../shared/fields.ts';
import { coverageIds, productNameReservation } from './find-product.ts';
import { checkFields, checkPrices, type NewCoverageId, NO_COVERAGES, productDetails } from './product-details.ts';
import { productFields } from './product-fields.ts';

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
  input,
  roles: ['admin'],
  creates: true,
  aggregate: product,
  decide: decideAddProduct,
  handle: async (addition, context) => {
    const { provider_id: providerId, product_type: productType, name } = addition;
    const loaded = await context.load(provider, providerStream(providerId));
    const { state } = requireExisting(loaded, 'provider_not_found', `There is no provider ${providerId}`);
    const productId = context.derive('product');
    if (state.isWithdrawn) throw new Refusal('provider_withdrawn', `${state.name} is withdrawn`);
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
