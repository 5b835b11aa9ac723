import { base32Of } from '../../src/domain/values/codes.ts';
import { type ProductEvent, type ProductState, product, productStream } from '../../src/domain/product/product.ts';
import type { CommandContext } from '../../src/command-handling/command.ts';
import { type Existing, existing } from '../../src/command-handling/existing.ts';
import type { NewCoverageId } from './product-details.ts';

/** Finds the product that a command changes. @throws {Refusal} `product_not_found`, `precondition_failed` */
export async function findTargetProduct(
  context: CommandContext,
  productId: string,
): Promise<Existing<ProductState, ProductEvent>> {
  const loaded = await context.loadTarget(product, productStream(productId));
  const found = existing(loaded, 'product_not_found', `There is no product ${productId}`);
  context.checkIfMatch(found);
  return found;
}

/**
 * Reserves a product's name and type within its provider, so that an import finds the product by them. Several products may
 * have them: the first is found, and coming second is no refusal.
 */
export async function reserveProductName(
  context: CommandContext,
  named: {
    readonly productId: string;
    readonly providerId: string;
    readonly productType: string;
    readonly name: string;
  },
): Promise<void> {
  await context.reserve({
    kind: 'productName',
    scope: named.providerId,
    value: `${named.productType} ${named.name}`,
    target: productStream(named.productId),
    tags: {},
  });
}

/** Ids of the coverages that this command makes: `COV_` and twelve letters and digits. */
export function coverageIds(context: CommandContext): NewCoverageId {
  return (place) => `COV_${base32Of(context.derive('coverage', place), 12)}`;
}
