import { z } from 'zod';
import { ProductRestored, ProductWithdrawn, productIds } from '#domain/product/product.ts';
import { refusalsOf } from '#domain/refusals.ts';
import { defineChange } from '../command.ts';
import { resourceId } from '../shared/fields.ts';
import { changeOfProduct, findProductErrors } from './find-product.ts';

const refuseWithdrawn = refusalsOf('product_withdrawn');
const refuseOffered = refusalsOf('product_not_withdrawn');

const changeOfOffer = {
  ...changeOfProduct,
  input: z.strictObject({ product_id: resourceId }),
  example: { product_id: '6a06ef58-9ab3-5d50-9b60-0d00c3a6cc03' },
};

export const withdrawProduct = defineChange({
  ...changeOfOffer,
  name: 'WithdrawProduct',
  summary: 'Withdraws a product (is_trashed): no more quotes are made for it.',
  description: 'Stops quotes for the product. Existing policies continue and can be renewed.',
  errors: [...findProductErrors, ...refuseWithdrawn.codes],
  decide(state) {
    if (state.status === 'withdrawn') throw refuseWithdrawn('product_withdrawn', `${state.name} is withdrawn already`);
    return [{ type: ProductWithdrawn.type, data: productIds(state) }];
  },
});

export const restoreProduct = defineChange({
  ...changeOfOffer,
  name: 'RestoreProduct',
  summary: 'Takes a withdrawn product back into sale (restored_at).',
  description: 'Reverses a withdrawal: the product is quoted again.',
  errors: [...findProductErrors, ...refuseOffered.codes],
  decide(state) {
    if (state.status === 'offered') throw refuseOffered('product_not_withdrawn', `${state.name} is not withdrawn`);
    return [{ type: ProductRestored.type, data: productIds(state) }];
  },
});
