import { z } from 'zod';
import { type VisibilityFields, visibilityScope, visibilityTags } from '#domain/visibility.ts';
import { base32Of } from '#domain/values/codes.ts';
import { refusalsOf } from '#domain/refusals.ts';
import { type ProductState, product, productStream } from '#domain/product/product.ts';
import type { InputReservation, Reservation } from '#event-sourcing/executor/command.ts';
import type { CommandContext } from '../command.ts';
import { requireExisting } from '../shared/require-existing.ts';
import type { NewCoverageId } from './product-details.ts';

const refuse = refusalsOf('product_not_found');
export const findProductErrors = refuse.codes;

/** What the commands that change a product have in common. */
export const changeOfProduct = {
  response: z.strictObject({}),
  roles: ['admin'],
  takesIfMatch: true,
  aggregate: product,
  find: async ({ product_id: productId }: { readonly product_id: string }, context: CommandContext) => {
    const loaded = await context.loadTarget(product, productStream(productId));
    return requireExisting(loaded, () => refuse('product_not_found', `There is no product ${productId}`));
  },
  tags: visibilityTags,
} as const;

interface ProductName extends VisibilityFields {
  readonly providerId: string;
  readonly productType: string;
  readonly name: string;
}

type ProductId = Pick<ProductState, 'productId'>;

/**
 * Returns the reservation of the name and type of a product within its provider, by which an import finds the product;
 * in the scope of the merchant, if only one sees the product. Several products may have the same; the import then finds
 * the first.
 */
export function productNameReservation({ productId, ...name }: ProductName & ProductId): InputReservation {
  return { ...productName(name), target: productStream(productId), tags: visibilityTags(name) };
}

export function productName({ providerId, productType, name, ...visibilityFields }: ProductName): Reservation {
  const value = `${productType} ${name}`;
  if (visibilityFields.merchantId === null) return { kind: 'productName', scope: providerId, value };
  return { kind: 'productName', scope: visibilityScope(visibilityFields), value: `${providerId} ${value}` };
}

export function coverageIds(context: CommandContext): NewCoverageId {
  return (path) => `COV_${base32Of(context.derive('coverage', path), 12)}`;
}
