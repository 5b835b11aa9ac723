import { z } from 'zod';
import type { NewEvent } from '#event-sourcing/event.ts';
import { type ProductDetails, type ProductEvent, type ProductState, productIds } from '#domain/product/product.ts';
import { wrongField } from '#domain/refusals.ts';
import { defineChange } from '../command.ts';
import { changesAnything, changesTo, changesToErrors, GIVE_A_CHANGE } from '../shared/changes.ts';
import { resourceId } from '../shared/fields.ts';
import { changeOfProduct, coverageIds, findProductErrors, productNameReservation } from './find-product.ts';
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
  { newCoverageId, ...update }: z.output<typeof input> & { readonly newCoverageId: NewCoverageId },
): NewEvent<ProductEvent>[] {
  if (update.currency !== undefined && update.currency !== current.currency)
    throw wrongField('currency', `must stay ${current.currency}: the currency of a product is fixed`);
  const changes = changesTo<ProductDetails>(current, productDetails(update, current, newCoverageId));
  checkFields({ ...current, ...changes });
  checkPrices({ ...current, ...changes });
  return [{ type: 'ProductUpdated', data: { ...productIds(current), changes } }];
}

/** Changes a product, withdrawn or not. Policies and quotes keep their copies of its details. */
export const updateProduct = defineChange({
  ...changeOfProduct,
  name: 'UpdateProduct',
  summary: 'Changes a product; lists are replaced as a whole, a field given as null is cleared.',
  description:
    'Changes any field but the provider and the currency. Lists are replaced as a whole, a field given as null is cleared; coverages that keep their name keep their id. `additional_information`, `rating` and `cancellation` are replaced as a whole too. Existing policies do not change.',
  input,
  example: { product_id: '6a06ef58-9ab3-5d50-9b60-0d00c3a6cc03', base_premium: '5250.00' },
  errors: [...findProductErrors, ...changesToErrors],
  lookUp: (_input, context) => ({ newCoverageId: coverageIds(context) }),
  decide: decideUpdateProduct,
  reserve: async ({ name, product_type: productType }, context, decision) => {
    const { state } = decision.target;
    const named = { ...state, name: name ?? state.name, productType: productType ?? state.productType };
    if (named.name === state.name && named.productType === state.productType) return;
    const reservation = productNameReservation(named);
    await context.commit({ ...decision, reservations: [reservation] }).reserve(reservation);
  },
});
