import type { RecordedEvent } from '#event-sourcing/event.ts';
import {
  caseFoldedName,
  ProviderRegistered,
  type ProviderState,
  provider,
  providerStream,
} from '#domain/provider/provider.ts';
import { derivedId, normalise } from '#event-sourcing/identifiers.ts';
import { ProductAdded, type ProductDetails, type ProductState, product } from '#domain/product/product.ts';
import { type Refusal, refusalsOf } from '#domain/refusals.ts';
import { merchantScope, type ReservationEvent, targetOf } from '#domain/reservations.ts';
import { isVisibleToMerchant, type VisibilityFields, visibilityScope } from '#domain/visibility.ts';
import { merchantTags } from '#domain/tags.ts';
import { modeOf } from '#domain/values/mode.ts';
import type { InputReservation, Reservation, TaggedEvents } from '#event-sourcing/executor/command.ts';
import type { CommandContext } from '../command.ts';
import { productName, productNameReservation } from '../product/find-product.ts';
import { nameIn, nameReservations, nameScopes } from '../provider/provider-name.ts';
import { existing, type ReferencedResource } from '../shared/referenced-resource.ts';

export interface ImportedProduct {
  readonly name: string;
  readonly type: ProductState['productType'];
  readonly currency: string;
}

/** The details of a provider that a policy copies, and who sees it. */
export type PolicyProvider = Pick<ProviderState, 'providerId' | 'name' | 'supportEmail' | 'imported'> &
  VisibilityFields;
/** The details of a product that a policy copies, and who sees it. */
export type PolicyProduct = VisibilityFields &
  Pick<
    ProductState,
    | 'productId'
    | 'name'
    | 'productType'
    | 'currency'
    | 'coverages'
    | 'renewable'
    | 'inspectionRequired'
    | 'certificationRequired'
  >;

/** Returns the visibility of what an import registers: the merchant in the mode of its environment. */
function ownVisibility({ environment: { merchantId, testMode } }: CommandContext): VisibilityFields {
  return { merchantId, visibility: modeOf(testMode) };
}

/**
 * Finds the provider of this name that the merchant sees in its mode, first among those that it alone sees; without
 * one, refers to a new provider with null contacts. Its id derives from the name, so concurrent imports register the
 * same provider.
 * @throws {Refusal} when another command has reserved the name and not yet registered its provider
 */
export async function importedProvider(
  context: CommandContext,
  name: string,
): Promise<ReferencedResource<PolicyProvider>> {
  const visibilityFields = ownVisibility(context);
  const [, ...common] = nameScopes({ ...visibilityFields, imported: true });
  const names = common.map((scope) => nameIn(scope, name));
  return await findOrPlan(context, providerPlan(context, name, visibilityFields), names);
}

function providerPlan(
  context: CommandContext,
  name: string,
  visibilityFields: VisibilityFields,
): Registration<PolicyProvider> {
  const providerId = derivedId('imported-provider', visibilityScope(visibilityFields), caseFoldedName(name));
  const stream = providerStream(providerId);
  const details = { providerId, name, supportEmail: null, imported: true, ...visibilityFields };
  const data = { ...details, supportPhone: null, address: null };
  const tags = merchantTags(context.environment);
  return {
    name,
    reservation: nameReservations(name, details, stream, tags)[0],
    details,
    registration: { events: [{ type: ProviderRegistered.type, data }], tags },
    load: async (reserved) => (await context.load(provider, reserved)).state,
  };
}

/** Like `importedProvider`, for a product of the provider by type and name: base premium `0.00`, not live. */
export async function importedProduct(
  context: CommandContext,
  { providerId, imported: isOfImport }: PolicyProvider,
  imported: ImportedProduct,
): Promise<ReferencedResource<PolicyProduct>> {
  const { name, type: productType } = imported;
  // All products of a provider of an import are in the scope of its merchant.
  const names = isOfImport
    ? []
    : [productName({ providerId, productType, name, merchantId: null, visibility: 'both' })];
  return await findOrPlan(context, productPlan(context, providerId, imported, ownVisibility(context)), names);
}

function productPlan(
  context: CommandContext,
  providerId: string,
  imported: ImportedProduct,
  visibilityFields: VisibilityFields,
): Registration<PolicyProduct> {
  const { name, type: productType } = imported;
  const productId = derivedId(
    'imported-product',
    visibilityScope(visibilityFields),
    providerId,
    normalise(`${productType} ${name}`),
  );
  const details = productDetails(imported);
  const data = { productId, providerId, ...visibilityFields, ...details };
  const tags = merchantTags(context.environment);
  return {
    name,
    reservation: { ...productNameReservation({ productId, providerId, productType, name, ...visibilityFields }), tags },
    details: { productId, ...details, ...visibilityFields },
    registration: { events: [{ type: ProductAdded.type, data }], tags },
    load: async (reserved) => (await context.load(product, reserved)).state,
  };
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
    acceptanceRules: { options: {}, refused: {} },
    eligibility: { minAge: null, maxAge: null },
    cancellation: null,
    renewable: true,
    inspectionRequired: false,
    certificationRequired: false,
    isLive: false,
  };
}

/** How to find or register a resource. */
interface Registration<Details> {
  readonly name: string;
  /** Its target is the stream of the new resource. */
  readonly reservation: InputReservation;
  readonly details: Details;
  readonly registration: TaggedEvents;
  readonly load: (stream: string) => Promise<Details | undefined>;
}

/**
 * Finds the resource that has the plan's own reservation, else one that the merchant sees under one of the other names;
 * refers to the planned one where there is none.
 * @throws {Refusal} when another command has reserved the name and not yet registered its resource
 */
async function findOrPlan<Details extends VisibilityFields>(
  context: CommandContext,
  plan: Registration<Details>,
  names: readonly Reservation[],
): Promise<ReferencedResource<Details>> {
  const { reservation, details, registration } = plan;
  const by = await context.findReservation(reservation);
  const isLost = by !== undefined && (await hasLostName(context, plan, by, names));
  if (by !== undefined && !isLost) return await reservedResource(plan, by);
  const own = isLost ? await plan.load(reservation.target) : undefined;
  if (own !== undefined) return existing(own);
  for (const name of names) {
    const reserved = await context.findReservation(name);
    if (reserved === undefined) continue;
    const found = await plan.load(targetOf(reserved));
    if (found === undefined && isOfAnother(context, reserved)) continue;
    if (found === undefined) throw registrationPending(plan.name);
    if (isVisibleToMerchant(context.environment, found)) return existing(found);
  }
  return {
    details,
    reservations: isLost ? [] : [reservation],
    appends: [registration],
    register: async (writes) => {
      const outcome = isLost ? undefined : await writes.reserve(reservation);
      if (outcome?.kind === 'taken') return await (await reservedResource(plan, outcome.by)).register(writes);
      await writes.append(reservation.target, registration.events, registration.tags);
      return details;
    },
  };
}

/**
 * Returns whether a registration with a key of the merchant has the plan's own reservation and then lost the name in
 * its mode to another, so that it registers nothing.
 */
async function hasLostName<Details>(
  context: CommandContext,
  { reservation, load }: Registration<Details>,
  by: RecordedEvent<ReservationEvent>,
  [inMode]: readonly Reservation[],
): Promise<boolean> {
  const stream = targetOf(by);
  if (inMode === undefined || stream === reservation.target || (await load(stream)) !== undefined) return false;
  const winner = await context.findReservation(inMode);
  return winner !== undefined && targetOf(winner) !== stream;
}

/**
 * Returns whether the key of another merchant, or of the other mode, reserved a name: only it sees what it is about to
 * register.
 */
function isOfAnother({ environment }: CommandContext, { type, data }: RecordedEvent<ReservationEvent>): boolean {
  if (type !== 'ValueReserved' || data.environment === null) return false;
  return merchantScope(data.environment) !== merchantScope(environment);
}

async function reservedResource<Details>(
  { name, reservation, details, registration, load }: Registration<Details>,
  by: RecordedEvent<ReservationEvent>,
): Promise<ReferencedResource<Details>> {
  const stream = targetOf(by);
  const state = await load(stream);
  if (state !== undefined) return existing(state);
  if (stream !== reservation.target) throw registrationPending(name);
  return {
    details,
    reservations: [],
    appends: [registration],
    register: async (writes) => {
      await writes.append(stream, registration.events, registration.tags, by.metadata.command.id);
      return details;
    },
  };
}

const refuse = refusalsOf('busy');

/** An import cannot complete a command of an administrator: it does not know the body of that command. */
function registrationPending(name: string): Refusal {
  return refuse('busy', `${name} is being registered at this moment; try again`);
}
