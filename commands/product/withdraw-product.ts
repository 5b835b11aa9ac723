import { z } from 'zod';
import type { NewEvent } from '../../src/event-sourcing/event.ts';
import { type ProductEvent, type ProductState, productIds } from '../../src/domain/product/product.ts';
import { Refusal } from '../../src/domain/refusals.ts';
import { defineCommand } from '../../src/command-handling/command.ts';
import { resourceId } from '../shared/fields.ts';
import { findTargetProduct } from './find-product.ts';
import { recordDecision } from '../../src/command-handling/record-decision.ts';

/** @throws {Refusal} `product_withdrawn` */
export function decideWithdrawProduct(present: ProductState): NewEvent<ProductEvent>[] {
  if (present.situation === 'withdrawn') throw new Refusal('product_withdrawn', `${present.name} is withdrawn already`);
  return [{ type: 'ProductWithdrawn', data: productIds(present) }];
}

export const withdrawProduct = defineCommand({
  name: 'WithdrawProduct',
  summary: 'Withdraws a product (is_trashed): no more quotes are made for it.',
  input: z.strictObject({ product_id: resourceId }),
  roles: ['admin'],
  inEnvironment: false,
  creates: false,
  handle: async ({ product_id: productId }, context) => {
    const found = await findTargetProduct(context, productId);
    const events = decideWithdrawProduct(found.state);
    return await recordDecision(context, found, events, {});
  },
  result: () => ({}),
});
