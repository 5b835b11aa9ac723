import { z } from 'zod';
import type { NewEvent } from '../../src/event-sourcing/event.ts';
import type { ProductDetails, ProductEvent, ProductState } from '../../src/domain/product/product.ts';
import { defineCommand } from '../../src/command-handling/command.ts';
import { changesAnything, changesTo, GIVE_A_CHANGE } from '../shared/changes.ts';
import { resourceId } from '../shared/fields.ts';
import { coverageIds, findTargetProduct, reserveProductName } from './find-product.ts';
import { checkPrice, type NewCoverageId, productDetails } from './product-details.ts';
import { productFields } from './product-fields.ts';
import { idsOf } from './product-ids.ts';

const input = z
  .strictObject({ product_id: resourceId, ...z.object(productFields).partial().shape })
  .refine(changesAnything('product_id'), GIVE_A_CHANGE);

/**
 * Only what differs is recorded; lists are replaced as a whole, and coverages that keep their name keep their id.
 * @throws {Refusal} `nothing_to_change`, and as `checkPrice`
 */
export function decideUpdateProduct(
  update: z.output<typeof input>,
  present: ProductState,
  newCoverageId: NewCoverageId,
): NewEvent<ProductEvent>[] {
  const changes = changesTo<ProductDetails>(present, productDetails(update, present, newCoverageId));
  checkPrice({ ...present, ...changes });
  return [{ type: 'ProductUpdated', data: { ...idsOf(present), changes } }];
}

/** Changes a product, also a withdrawn one. What was sold before keeps the facts of its day. */
export const updateProduct = defineCommand({
  name: 'UpdateProduct',
  summary: 'Changes a product; lists are replaced as a whole, a field given as null is cleared.',
  input,
  roles: ['admin'],
  inEnvironment: false,
  creates: false,
  handle: async (update, context) => {
    const found = await findTargetProduct(context, update.product_id);
    const { productId, providerId, name, productType } = found.state;
    const events = decideUpdateProduct(update, found.state, coverageIds(context));
    const named = { productId, providerId, name: update.name ?? name, productType: update.product_type ?? productType };
    await context.commitTo(found.stream);
    if (named.name !== name || named.productType !== productType) await reserveProductName(context, named);
    await context.append(found, events, {});
    return { stream: found.stream };
  },
  result: () => ({}),
});
