import { z } from 'zod';
import { type ProductEvent, type ProductState, product, productIds } from '../../src/domain/product/product.ts';
import { Refusal } from '../../src/domain/refusals.ts';
import type { NewEvent } from '../../src/event-sourcing/event.ts';
import { defineCommand } from '../command.ts';
import { resourceId } from '../shared/fields.ts';
import { findTargetProduct } from './find-product.ts';

const input = z.strictObject({ product_id: resourceId });

function decideWithdrawProduct(state: ProductState): NewEvent<ProductEvent>[] {
  if (state.status === 'withdrawn') throw new Refusal('product_withdrawn', `${state.name} is withdrawn already`);
  return [{ type: 'ProductWithdrawn', data: productIds(state) }];
}

export const withdrawProduct = defineCommand({
  name: 'WithdrawProduct',
  summary: 'Withdraws a product (is_trashed): no more quotes are made for it.',
  input,
  roles: ['admin'],
  takesIfMatch: true,
  aggregate: product,
  decide: decideWithdrawProduct,
  handle: async ({ product_id: productId }, context) => {
    const target = await findTargetProduct(context, productId);
    return { target, events: decideWithdrawProduct(target.state), tags: {} };
  },
});

function decideRestoreProduct(state: ProductState): NewEvent<ProductEvent>[] {
  if (state.status === 'offered') throw new Refusal('product_not_withdrawn', `${state.name} is not withdrawn`);
  return [{ type: 'ProductRestored', data: productIds(state) }];
}

export const restoreProduct = defineCommand({
  name: 'RestoreProduct',
  summary: 'Takes a withdrawn product back into sale (restored_at).',
  input,
  roles: ['admin'],
  takesIfMatch: true,
  aggregate: product,
  decide: decideRestoreProduct,
  handle: async ({ product_id: productId }, context) => {
    const target = await findTargetProduct(context, productId);
    return { target, events: decideRestoreProduct(target.state), tags: {} };
  },
});
