import type { NewEvent, Recorded } from '../../src/domain/event.ts';
import { derivedId, normalised } from '../../src/domain/identifiers.ts';
import {
  ProductAdded,
  type ProductDetails,
  type ProductState,
  product,
  productStream,
} from '../../src/domain/product.ts';
import { ProviderRegistered, type ProviderState, provider, providerStream } from '../../src/domain/provider.ts';
import { Refusal } from '../../src/domain/refusals.ts';
import { type ReservationEvent, ValueReserved } from '../../src/domain/reservation.ts';
import type { CommandContext, Reservation } from '../command.ts';

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

type Reserved = Extract<Recorded<ReservationEvent>, { type: 'ValueReserved.v1' }>;

/**
 * The provider of this name, made with null contacts if there is none (`decisions`: Import). Its id derives from the name, so
 * that imports that begin at the same time make the same one. May only be called after `accept`.
 */
export async function importedProvider(context: CommandContext, name: string): Promise<PolicyProvider> {
  const reservation: Reservation = { kind: 'providerName', scope: 'live', value: name };
  const providerId = derivedId('imported-provider', normalised(name));
  const reserved = await reservedFor(context, reservation, providerStream(providerId), { name });
  const { state } = await context.load(provider, reserved.data.target);
  if (state !== undefined) return state;
  checkFinishable(reserved, providerStream(providerId));
  const facts = { name, supportEmail: null, supportPhone: null, address: null };
  const event = { type: ProviderRegistered.type, data: { providerId, visibility: 'both', ...facts } } as const;
  await context.create(reserved.data.target, [event], {}, reserved.metadata.command.id);
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
  const productId = derivedId('imported-product', providerId, normalised(value));
  const reserved = await reservedFor(context, reservation, productStream(productId), { ...imported });
  const { state } = await context.load(product, reserved.data.target);
  if (state !== undefined) return state;
  checkFinishable(reserved, productStream(productId));
  const details = productDetails(imported);
  const event = { type: ProductAdded.type, data: { productId, providerId, visibility: 'both', ...details } } as const;
  await context.create(reserved.data.target, [event], {}, reserved.metadata.command.id);
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

/** The reservation of a value: the one that is there, or a new one for `target`. */
async function reservedFor(
  context: CommandContext,
  reservation: Reservation,
  target: string,
  input: Readonly<Record<string, string>>,
): Promise<Reserved> {
  const before = await context.findReservation(reservation);
  if (before !== undefined) return ofValue(before);
  const data = { ...reservation, target, decidedAt: context.now, actor: context.actor, input };
  const event: NewEvent<ReservationEvent> = { type: ValueReserved.type, data };
  const outcome = await context.reserveWith(reservation, event, {});
  const by = outcome.kind === 'taken' ? outcome.by : await context.findReservation(reservation);
  if (by === undefined) throw new Error('a value was reserved, and its reservation is not there');
  return ofValue(by);
}

function ofValue(reserved: Recorded<ReservationEvent>): Reserved {
  if (reserved.type !== 'ValueReserved.v1') throw new Error(`${reserved.stream} holds something else`);
  return reserved;
}

/**
 * Only what an import has begun can be finished by an import: what the back office registers is told by its own body.
 * @throws {Refusal} `busy`
 */
function checkFinishable(reserved: Reserved, own: string): void {
  if (reserved.data.target === own) return;
  throw new Refusal('busy', `${reserved.data.value} is being registered at this moment; try again`);
}
