import { z } from 'zod';
import { ProductRestored, ProductWithdrawn, product, productIds } from '#domain/product/product.ts';
import { Refusal } from '#domain/refusals.ts';
import { visibilityTags } from '#domain/visibility.ts';
import { type CommandContext, defineChange } from '../command.ts';
import { resourceId } from '../shared/fields.ts';
import { findTargetProduct } from './find-product.ts';

const changeOfProduct = {
  input: z.strictObject({ product_id: resourceId }),
  roles: ['admin'],
  takesIfMatch: true,
  aggregate: product,
  tags: visibilityTags,
  find: async ({ product_id: productId }: { readonly product_id: string }, context: CommandContext) =>
    await findTargetProduct(context, productId),
} as const;

export const withdrawProduct = defineChange({
  ...changeOfProduct,
  name: 'WithdrawProduct',
  summary: 'Withdraws a product (is_trashed): no more quotes are made for it.',
  decide(state) {
    if (state.status === 'withdrawn') throw new Refusal('product_withdrawn', `${state.name} is withdrawn already`);
    return [{ type: ProductWithdrawn.type, data: productIds(state) }];
  },
});

export const restoreProduct = defineChange({
  ...changeOfProduct,
  name: 'RestoreProduct',
  summary: 'Takes a withdrawn product back into sale (restored_at).',
  decide(state) {
    if (state.status === 'offered') throw new Refusal('product_not_withdrawn', `${state.name} is not withdrawn`);
    return [{ type: ProductRestored.type, data: productIds(state) }];
  },
});
