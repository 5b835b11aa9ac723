import { z } from 'zod';
import type { NewEvent } from '../../src/event-sourcing/event.ts';
import { type ProductEvent, type ProductState, productIds, product } from '../../src/domain/product/product.ts';
import { Refusal } from '../../src/domain/refusals.ts';
import { defineCommand } from '../command.ts';
import { resourceId } from '../shared/fields.ts';
import { findTargetProduct } from './find-product.ts';

/** @throws {Refusal} `product_not_withdrawn` */
export function decideRestoreProduct(current: ProductState): NewEvent<ProductEvent>[] {
  if (current.situation === 'offered') throw new Refusal('product_not_withdrawn', `${current.name} is not withdrawn`);
  return [{ type: 'ProductRestored', data: productIds(current) }];
}

export const restoreProduct = defineCommand({
  name: 'RestoreProduct',
  summary: 'Takes a withdrawn product back into sale (restored_at).',
  input: z.strictObject({ product_id: resourceId }),
  roles: ['admin'],
  inEnvironment: false,
  creates: false,
  takesIfMatch: true,
  aggregate: product,
  decide: decideRestoreProduct,
  handle: async ({ product_id: productId }, context) => {
    const found = await findTargetProduct(context, productId);
    const events = decideRestoreProduct(found.state);
    return { target: found, events, tags: {} };
  },
  result: () => ({}),
});
