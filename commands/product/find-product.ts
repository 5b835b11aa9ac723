import { type Audience, audienceOf } from '../../src/domain/audience.ts';
import { base32Of } from '../../src/domain/values/codes.ts';
import { type ProductEvent, type ProductState, product, productStream } from '../../src/domain/product/product.ts';
import type { InputReservation } from '../../src/command-handling/command.ts';
import type { CommandContext } from '../command.ts';
import { type ExistingStream, requireExisting } from '../shared/require-existing.ts';
import type { NewCoverageId } from './product-details.ts';

/** Finds the product that a command changes. @throws {Refusal} `product_not_found`, `precondition_failed` */
export async function findTargetProduct(
  context: CommandContext,
  productId: string,
): Promise<ExistingStream<ProductState, ProductEvent>> {
  const loaded = await context.loadTarget(product, productStream(productId));
  const found = requireExisting(loaded, 'product_not_found', `There is no product ${productId}`);
  context.checkIfMatch(found);
  return found;
}

interface NamedProduct extends Audience {
  readonly productId: string;
  readonly providerId: string;
  readonly productType: string;
  readonly name: string;
}

/**
 * Returns the reservation of the name and type of a product within its provider, by which an import finds the product; in the scope
 * of the merchant, if only one sees the product. Several products may have the same; the import then finds the first.
 */
export function productNameReservation(named: NamedProduct): InputReservation {
  const { productId, providerId, productType, name } = named;
  const value = `${productType} ${name}`;
  const unique =
    named.merchantId === null
      ? { scope: providerId, value }
      : { scope: audienceOf(named), value: `${providerId} ${value}` };
  return { kind: 'productName', ...unique, target: productStream(productId), tags: {} };
}

/** Returns a function that derives ids of new coverages: `COV_` and twelve letters and digits. */
export function coverageIds(context: CommandContext): NewCoverageId {
  return (path) => `COV_${base32Of(context.derive('coverage', path), 12)}`;
}
