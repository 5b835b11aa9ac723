import { z } from 'zod';
import type { NewEvent } from '#event-sourcing/event.ts';
import {
  type ProductDetails,
  type ProductEvent,
  type ProductState,
  productIds,
  product,
} from '#domain/product/product.ts';
import { wrongField } from '#domain/refusals.ts';
import { visibilityTags } from '#domain/visibility.ts';
import { defineCommand } from '../command.ts';
import { changesAnything, changesTo, changesToErrors, GIVE_A_CHANGE } from '../shared/changes.ts';
import { resourceId } from '../shared/fields.ts';
import { coverageIds, findProductErrors, findTargetProduct, productNameReservation } from './find-product.ts';
import { checkFields, checkPrices, type NewCoverageId, productDetails } from './product-details.ts';
import { productFields } from './product-fields.ts';

const input = z
  .strictObject({ product_id: resourceId, ...z.object(productFields).partial().shape })
  .refine(changesAnything('product_id'), GIVE_A_CHANGE);

/**
 * Records only the fields that differ. Lists are replaced as a whole; coverages that keep their name keep their id.
 * @throws {Refusal} for another currency, when none differs, or as `checkFields` and `checkPrices`
 */
function decideUpdateProduct(
  current: ProductState,
  { update, newCoverageId }: { readonly update: z.output<typeof input>; readonly newCoverageId: NewCoverageId },
): NewEvent<ProductEvent>[] {
  if (update.currency !== undefined && update.currency !== current.currency)
    throw wrongField('currency', `must stay ${current.currency}: the currency of a product is fixed`);
  const changes = changesTo<ProductDetails>(current, productDetails(update, current, newCoverageId));
  checkFields({ ...current, ...changes });
  checkPrices({ ...current, ...changes });
  return [{ type: 'ProductUpdated', data: { ...productIds(current), changes } }];
}

/** Changes a product, withdrawn or not. Policies and quotes keep their copies of its details. */
export const updateProduct = defineCommand({
  name: 'UpdateProduct',
  summary: 'Changes a product; lists are replaced as a whole, a field given as null is cleared.',
  description:
    'Changes any field but the provider and the currency. Lists are replaced as a whole, a field given as null is cleared; coverages that keep their name keep their id. `additional_information`, `rating` and `cancellation` are replaced as a whole too. Existing policies do not change.',
  input,
  example: { product_id: '6a06ef58-9ab3-5d50-9b60-0d00c3a6cc03', base_premium: '5250.00' },
  response: z.strictObject({}),
  errors: [...findProductErrors, ...changesToErrors],
  roles: ['admin'],
  takesIfMatch: true,
  aggregate: product,
  decide: decideUpdateProduct,
  handle: async (update, context) => {
    const found = await findTargetProduct(context, update.product_id);
    context.checkIfMatch(found);
    const { name, productType } = found.state;
    const events = decideUpdateProduct(found.state, { update, newCoverageId: coverageIds(context) });
    const decision = { target: found, events, tags: visibilityTags(found.state) };
    const details = {
      ...found.state,
      name: update.name ?? name,
      productType: update.product_type ?? productType,
    };
    if (details.name !== name || details.productType !== productType) {
      const reservation = productNameReservation(details);
      const writes = context.commit({ ...decision, reservations: [reservation] });
      await writes.reserve(reservation);
    }
    return decision;
  },
});
