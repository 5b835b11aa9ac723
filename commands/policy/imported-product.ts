import { derivedId, normalise } from '../../src/event-sourcing/identifiers.ts';
import {
  ProductAdded,
  type ProductDetails,
  type ProductState,
  product,
  productStream,
} from '../../src/domain/product/product.ts';
import {
  ProviderRegistered,
  type ProviderState,
  provider,
  providerStream,
} from '../../src/domain/provider/provider.ts';
import { Refusal } from '../../src/domain/refusals.ts';
import { targetOf } from '../../src/domain/reservations.ts';
import type { CommandContext, Reservation } from '../../src/command-handling/command.ts';

/** What an import tells of a product. */
export interface ImportedProduct {
  readonly name: string;
  readonly type: ProductState['productType'];
  readonly currency: string;
}

/** What a policy needs to know of its provider. */
export type PolicyProvider = Pick<ProviderState, 'providerId' | 'name' | 'supportEmail'>;
/** What a policy needs to know of its product. */
export type PolicyProduct = Pick<
  ProductState,
  'productId' | 'name' | 'productType' | 'coverages' | 'renewable' | 'inspectionRequired' | 'certificationRequired'
>;

/**
 * The provider of this name, made with null contacts if there is none (`decisions`: Import). Its id derives from the name, so
 * that imports that begin at the same time make the same one. May only be called after `accept`.
 */
export async function importedProvider(context: CommandContext, name: string): Promise<PolicyProvider> {
  const reservation: Reservation = { kind: 'providerName', scope: 'live', value: name };
  const providerId = derivedId('imported-provider', normalise(name));
  const own = providerStream(providerId);
  const { stream, madeBy } = await reserveOnce(context, reservation, own);
  const { state } = await context.load(provider, stream);
  if (state !== undefined) return state;
  if (stream !== own) throw beingRegistered(name);
  const facts = { name, supportEmail: null, supportPhone: null, address: null };
  const event = { type: ProviderRegistered.type, data: { providerId, visibility: 'both', ...facts } } as const;
  await context.create(stream, [event], {}, madeBy);
  return { providerId, ...facts };
}

/** As `importedProvider`, for a provider's product of this type and name: base premium `0.00`, not live. */
export async function importedProduct(
  context: CommandContext,
  providerId: string,
  imported: ImportedProduct,
): Promise<PolicyProduct> {
  const value = `${imported.type} ${imported.name}`;
  const reservation: Reservation = { kind: 'productName', scope: providerId, value };
  const productId = derivedId('imported-product', providerId, normalise(value));
  const own = productStream(productId);
  const { stream, madeBy } = await reserveOnce(context, reservation, own);
  const { state } = await context.load(product, stream);
  if (state !== undefined) return state;
  if (stream !== own) throw beingRegistered(imported.name);
  const details = productDetails(imported);
  const event = { type: ProductAdded.type, data: { productId, providerId, visibility: 'both', ...details } } as const;
  await context.create(stream, [event], {}, madeBy);
  return { productId, ...details };
}

function productDetails({ name, type, currency }: ImportedProduct): ProductDetails {
  return {
    name,
    description: name,
    productType: type,
    basePremium: '0.00',
    currency,
    productPlan: null,
    rating: null,
    coverages: [],
    tiers: [],
    narrowing: { options: {}, refused: {} },
    renewable: true,
    inspectionRequired: false,
    certificationRequired: false,
    isLive: false,
  };
}

/** What has the value, and the command that reserved it: the one before, or this one now, for its `own` stream. */
async function reserveOnce(
  context: CommandContext,
  reservation: Reservation,
  own: string,
): Promise<{ readonly stream: string; readonly madeBy: string }> {
  let by = await context.findReservation(reservation);
  if (by === undefined) {
    const outcome = await context.reserve({ ...reservation, target: own, tags: {} });
    if (outcome.kind === 'ours') return { stream: own, madeBy: context.commandId };
    by = outcome.by;
  }
  return { stream: targetOf(by), madeBy: by.metadata.command.id };
}

/** Only what an import has begun can be finished by an import: what the back office registers is told by its own body. */
function beingRegistered(name: string): Refusal {
  return new Refusal('busy', `${name} is being registered at this moment; try again`);
}
