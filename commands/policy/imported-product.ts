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

export interface ImportedProduct {
  readonly name: string;
  readonly type: ProductState['productType'];
  readonly currency: string;
}

/** The details of a provider that a policy copies. */
export type PolicyProvider = Pick<ProviderState, 'providerId' | 'name' | 'supportEmail'>;
/** The details of a product that a policy copies. */
export type PolicyProduct = Pick<
  ProductState,
  'productId' | 'name' | 'productType' | 'coverages' | 'renewable' | 'inspectionRequired' | 'certificationRequired'
>;

/**
 * Returns the provider of this name, after registering it with null contacts if there is none. Its id derives from the
 * name, so concurrent imports register the same provider. Call it after `commitTo`.
 * @throws {Refusal} `busy` when another command has reserved the name and not yet registered its provider
 */
export async function importedProvider(context: CommandContext, name: string): Promise<PolicyProvider> {
  const reservation: Reservation = { kind: 'providerName', scope: 'live', value: name };
  const providerId = derivedId('imported-provider', normalise(name));
  const newStream = providerStream(providerId);
  const { stream, reservedBy } = await reserveOrFind(context, reservation, newStream);
  const { state } = await context.load(provider, stream);
  if (state !== undefined) return state;
  if (stream !== newStream) throw registrationPending(name);
  const facts = { name, supportEmail: null, supportPhone: null, address: null };
  const event = { type: ProviderRegistered.type, data: { providerId, visibility: 'both', ...facts } } as const;
  await context.create(stream, [event], {}, reservedBy);
  return { providerId, ...facts };
}

/** Like `importedProvider`, for a product of the provider by type and name: base premium `0.00`, not live. */
export async function importedProduct(
  context: CommandContext,
  providerId: string,
  imported: ImportedProduct,
): Promise<PolicyProduct> {
  const value = `${imported.type} ${imported.name}`;
  const reservation: Reservation = { kind: 'productName', scope: providerId, value };
  const productId = derivedId('imported-product', providerId, normalise(value));
  const newStream = productStream(productId);
  const { stream, reservedBy } = await reserveOrFind(context, reservation, newStream);
  const { state } = await context.load(product, stream);
  if (state !== undefined) return state;
  if (stream !== newStream) throw registrationPending(imported.name);
  const details = productDetails(imported);
  const event = { type: ProductAdded.type, data: { productId, providerId, visibility: 'both', ...details } } as const;
  await context.create(stream, [event], {}, reservedBy);
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

/**
 * Reserves a value for `newStream` unless it is reserved. Returns the stream that has the value, and the id of the command
 * that reserved it.
 */
async function reserveOrFind(
  context: CommandContext,
  reservation: Reservation,
  newStream: string,
): Promise<{ readonly stream: string; readonly reservedBy: string }> {
  let by = await context.findReservation(reservation);
  if (by === undefined) {
    const outcome = await context.reserve({ ...reservation, target: newStream, tags: {} });
    if (outcome.kind === 'ours') return { stream: newStream, reservedBy: context.commandId };
    by = outcome.by;
  }
  return { stream: targetOf(by), reservedBy: by.metadata.command.id };
}

/** An import cannot complete a command of an administrator: it does not know the body of that command. */
function registrationPending(name: string): Refusal {
  return new Refusal('busy', `${name} is being registered at this moment; try again`);
}
