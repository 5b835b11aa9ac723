import { z } from 'zod';
import type { NewEvent } from '../../src/event-sourcing/event.ts';
import { type ProductEvent, type ProductState, productIds, product } from '../../src/domain/product/product.ts';
import { Refusal } from '../../src/domain/refusals.ts';
import { defineCommand } from '../command.ts';
import { resourceId } from '../shared/fields.ts';
import { findTargetProduct } from './find-product.ts';

/** @throws {Refusal} `product_withdrawn` */
export function decideWithdrawProduct(current: ProductState): NewEvent<ProductEvent>[] {
  if (current.situation === 'withdrawn') throw new Refusal('product_withdrawn', `${current.name} is withdrawn already`);
  return [{ type: 'ProductWithdrawn', data: productIds(current) }];
}

export const withdrawProduct = defineCommand({
  name: 'WithdrawProduct',
  summary: 'Withdraws a product (is_trashed): no more quotes are made for it.',
  input: z.strictObject({ product_id: resourceId }),
  roles: ['admin'],
  inEnvironment: false,
  creates: false,
  takesIfMatch: true,
  aggregate: product,
  decide: decideWithdrawProduct,
  handle: async ({ product_id: productId }, context) => {
    const found = await findTargetProduct(context, productId);
    const events = decideWithdrawProduct(found.state);
    return { target: found, events, tags: {} };
  },
  result: () => ({}),
});
