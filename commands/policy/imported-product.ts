import type { RecordedEvent } from '../../src/event-sourcing/event.ts';
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
import { type ReservationEvent, targetOf } from '../../src/domain/reservations.ts';
import type { InputReservation, TaggedEvents } from '../../src/command-handling/command.ts';
import type { CommandContext } from '../command.ts';
import { existing, type Reference } from '../shared/reference.ts';

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
 * Finds the provider of this name; without one, refers to a new provider with null contacts. Its id derives from the
 * name, so concurrent imports register the same provider.
 * @throws {Refusal} `busy` when another command has reserved the name and not yet registered its provider
 */
export async function importedProvider(context: CommandContext, name: string): Promise<Reference<PolicyProvider>> {
  const providerId = derivedId('imported-provider', normalise(name));
  const stream = providerStream(providerId);
  const facts = { providerId, name, supportEmail: null };
  const data = { ...facts, visibility: 'both', supportPhone: null, address: null } as const;
  return await findOrPlan<PolicyProvider>(context, {
    name,
    reservation: { kind: 'providerName', scope: 'live', value: name, target: stream, tags: {} },
    facts,
    registration: { events: [{ type: ProviderRegistered.type, data }], tags: {} },
    load: async (reserved) => (await context.load(provider, reserved)).state,
  });
}

/** Like `importedProvider`, for a product of the provider by type and name: base premium `0.00`, not live. */
export async function importedProduct(
  context: CommandContext,
  providerId: string,
  imported: ImportedProduct,
): Promise<Reference<PolicyProduct>> {
  const value = `${imported.type} ${imported.name}`;
  const productId = derivedId('imported-product', providerId, normalise(value));
  const stream = productStream(productId);
  const details = productDetails(imported);
  const data = { productId, providerId, visibility: 'both', ...details } as const;
  return await findOrPlan<PolicyProduct>(context, {
    name: imported.name,
    reservation: { kind: 'productName', scope: providerId, value, target: stream, tags: {} },
    facts: { productId, ...details },
    registration: { events: [{ type: ProductAdded.type, data }], tags: {} },
    load: async (reserved) => (await context.load(product, reserved)).state,
  });
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

/** How to find or register a resource. */
interface Registration<Facts> {
  readonly name: string;
  /** Its target is the stream of the new resource. */
  readonly reservation: InputReservation;
  readonly facts: Facts;
  readonly registration: TaggedEvents;
  readonly load: (stream: string) => Promise<Facts | undefined>;
}

async function findOrPlan<Facts>(context: CommandContext, plan: Registration<Facts>): Promise<Reference<Facts>> {
  const { reservation, facts, registration } = plan;
  const by = await context.findReservation(reservation);
  if (by !== undefined) return await reservedResource(context, plan, by);
  return {
    facts,
    reservations: [reservation],
    appends: [registration],
    register: async () => {
      const outcome = await context.reserve(reservation);
      if (outcome.kind === 'taken') return await (await reservedResource(context, plan, outcome.by)).register();
      await context.appendReferenced(reservation.target, registration.events, registration.tags);
      return facts;
    },
  };
}

async function reservedResource<Facts>(
  context: CommandContext,
  { name, reservation, facts, registration, load }: Registration<Facts>,
  by: RecordedEvent<ReservationEvent>,
): Promise<Reference<Facts>> {
  const stream = targetOf(by);
  const state = await load(stream);
  if (state !== undefined) return existing(state);
  if (stream !== reservation.target) throw registrationPending(name);
  return {
    facts,
    reservations: [],
    appends: [registration],
    register: async () => {
      await context.appendReferenced(stream, registration.events, registration.tags, by.metadata.command.id);
      return facts;
    },
  };
}

/** An import cannot complete a command of an administrator: it does not know the body of that command. */
function registrationPending(name: string): Refusal {
  return new Refusal('busy', `${name} is being registered at this moment; try again`);
}
