import { z } from 'zod';
import type { NewEvent } from '../../src/event-sourcing/event.ts';
import { type ProductEvent, type ProductState, productIds } from '../../src/domain/product/product.ts';
import { Refusal } from '../../src/domain/refusals.ts';
import { defineCommand } from '../../src/command-handling/command.ts';
import { resourceId } from '../shared/fields.ts';
import { findTargetProduct } from './find-product.ts';
import { recordDecision } from '../../src/command-handling/record-decision.ts';

/** @throws {Refusal} `product_not_withdrawn` */
export function decideRestoreProduct(present: ProductState): NewEvent<ProductEvent>[] {
  if (present.situation === 'offered') throw new Refusal('product_not_withdrawn', `${present.name} is not withdrawn`);
  return [{ type: 'ProductRestored', data: productIds(present) }];
}

export const restoreProduct = defineCommand({
  name: 'RestoreProduct',
  summary: 'Takes a withdrawn product back into sale (restored_at).',
  input: z.strictObject({ product_id: resourceId }),
  roles: ['admin'],
  inEnvironment: false,
  creates: false,
  handle: async ({ product_id: productId }, context) => {
    const found = await findTargetProduct(context, productId);
    const events = decideRestoreProduct(found.state);
    return await recordDecision(context, found, events, {});
  },
  result: () => ({}),
});
