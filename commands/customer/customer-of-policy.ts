import {
  type ChangeableDetails,
  type CustomerState,
  CustomerRegistered,
  customerStream,
  customerTags,
} from '../../src/domain/customer/customer.ts';
import { Refusal } from '../../src/domain/refusals.ts';
import type { ReservationEvent } from '../../src/domain/reservations.ts';
import type { Day, Instant } from '../../src/event-sourcing/time.ts';
import type { Reservation, TaggedEvents, Writes } from '../../src/command-handling/command.ts';
import type { CommandContext } from '../command.ts';
import { existing, type Reference } from '../shared/reference.ts';
import { changesOfPurchase, customerUpdated } from './customer-changes.ts';
import {
  findByIdentity,
  findByReference,
  hasReference,
  isSame,
  reservationFor,
  type ReservedCustomer,
} from './find-customer.ts';

/** The details of a customer that a purchase or an import knows. */
export type CustomerDetails = Pick<
  CustomerState,
  'reference' | 'fullName' | 'email' | 'phone' | 'dateOfBirth' | 'address'
>;

/** The customer whom a purchase or an import names. */
export interface NamedCustomer {
  readonly details: CustomerDetails;
  readonly merchantShortCode: string;
  /** Business day of a registration or an update. */
  readonly today: Day;
  /**
   * When the details of a purchase were given: they change nothing if the customer was changed later. Undefined: they change nothing of
   * a customer that exists, but for a missing reference.
   */
  readonly givenAt?: Instant;
}

/**
 * Finds the customer of a policy (docs/insurance.md#customers): with a reference the one that has it, else the first one with this e-mail and
 * name and without a reference, which gets it; without a reference the first one with this e-mail and name. Without any, refers to a new
 * customer with these details. If another command has reserved the customer but not yet registered it, `register` completes the
 * registration, because the new policy refers to that customer.
 * @throws {Refusal} `customer_reference_taken` when the customer with the reference has another name and another e-mail
 */
export async function customerOfPolicy(
  context: CommandContext,
  named: NamedCustomer,
): Promise<Reference<CustomerState>> {
  const { details } = named;
  const { reference } = details;
  const byReference = reference === null ? undefined : await findByReference(context, context.environment, reference);
  if (reference !== null && byReference?.found !== undefined) {
    checkReference(reference, byReference.found.details, details);
    return await refersTo(context, named, byReference.found);
  }
  const byIdentity = await findByIdentity(
    context,
    context.environment,
    details,
    (one) => reference === null || one.reference === null || hasReference(one, reference),
  );
  const freeReference = byReference?.found === undefined ? byReference?.free : undefined;
  return byIdentity.found === undefined
    ? newCustomer(context, named, [byIdentity.free, freeReference])
    : await refersTo(context, named, byIdentity.found, freeReference);
}

/** @throws {Refusal} `customer_reference_taken` */
function checkReference(reference: string, { fullName, email }: CustomerState, details: CustomerDetails): void {
  if (isSame(fullName, details.fullName) || isSame(email, details.email)) return;
  throw referenceTaken(reference);
}

export function referenceTaken(reference: string): Refusal {
  const fields = [{ field: 'customer_reference', message: 'is the reference of another customer' }];
  return new Refusal('customer_reference_taken', `The reference ${reference} is that of another customer`, { fields });
}

function newCustomer(
  context: CommandContext,
  named: NamedCustomer,
  [identity, reference]: readonly [Reservation, Reservation | undefined],
): Reference<CustomerState> {
  const { merchantId, environmentId, testMode } = context.environment;
  const { merchantShortCode, details } = named;
  const customerId = context.derive('customer');
  const planned = { customerId, merchantId, merchantShortCode, environmentId, testMode, ...details };
  const reserved = [identity, ...(reference === undefined ? [] : [reference])];
  return registers(context, named, planned, { reservations: reserved, commandId: undefined });
}

/** What remains to be done before a customer is registered. */
interface OpenRegistration {
  readonly reservations: readonly Reservation[];
  /** The command that has begun it; undefined: this one. */
  readonly commandId: string | undefined;
}

/** Refers to a customer that is registered before the policy is recorded. */
function registers(
  context: CommandContext,
  named: NamedCustomer,
  planned: CustomerState,
  { reservations, commandId }: OpenRegistration,
): Reference<CustomerState> {
  const reserved = reservations.map((reservation) => reservationFor(reservation, planned, null));
  const registration: TaggedEvents = {
    events: [{ type: CustomerRegistered.type, data: { ...planned, effectiveAt: named.today } }],
    tags: customerTags(planned),
  };
  return {
    details: planned,
    reservations: reserved,
    appends: [registration],
    register: async (writes) => {
      for (const each of reserved)
        if (!(await reservesFor(writes, each, planned))) return await registerAgain(context, named, writes);
      const { events, tags } = registration;
      await writes.append(customerStream(planned.customerId), events, tags, commandId);
      return planned;
    },
  };
}

/** Returns whether a value is reserved for this customer, by this command or another one. */
async function reservesFor(
  writes: Writes<ReservationEvent>,
  reservation: ReturnType<typeof reservationFor>,
  { customerId }: CustomerState,
): Promise<boolean> {
  const outcome = await writes.reserve(reservation);
  return (
    outcome.kind === 'ours' ||
    (outcome.by.type === 'CustomerReserved' && outcome.by.data.customer.customerId === customerId)
  );
}

/** Decides again after a concurrent command has reserved a value first. */
async function registerAgain(
  context: CommandContext,
  named: NamedCustomer,
  writes: Writes<ReservationEvent>,
): Promise<CustomerState> {
  return await (await customerOfPolicy(context, named)).register(writes);
}

/** Refers to a customer that another command has reserved and not yet registered. @param freeReference as of `refersTo` */
async function completes(
  context: CommandContext,
  named: NamedCustomer,
  { details, by }: ReservedCustomer,
  freeReference?: Reservation,
): Promise<Reference<CustomerState>> {
  const { reference } = named.details;
  // Under an id of this command, so that it is a conflict when the other one registers the customer without the reference.
  if (freeReference !== undefined && details.reference === null)
    return registers(
      context,
      named,
      { ...details, reference },
      { reservations: [freeReference], commandId: undefined },
    );
  const commandId = by.metadata.command.id;
  const search = details.reference === null ? undefined : await findByReference(context, details, details.reference);
  // Meanwhile another customer has got the reference, and this one is given up.
  if (search?.found !== undefined && search.found.details.customerId !== details.customerId)
    return await customerOfPolicy(context, named);
  const reservations = search === undefined || search.found !== undefined ? [] : [search.free];
  return registers(context, named, details, { reservations, commandId });
}

/** Refers to a customer that exists, or that another command has reserved. @param freeReference where to reserve the reference that it gets */
async function refersTo(
  context: CommandContext,
  named: NamedCustomer,
  reserved: ReservedCustomer,
  freeReference?: Reservation,
): Promise<Reference<CustomerState>> {
  const { loaded } = reserved;
  const { state } = loaded;
  if (state === undefined) return await completes(context, named, reserved, freeReference);
  const changes = { ...detailChanges(context, named, reserved, state), ...newReference(state, named) };
  const events = customerUpdated(state, changes, named.today);
  if (events.length === 0) return existing(state);
  const tags = customerTags(state);
  const changed = { ...state, ...changes };
  const reservations =
    freeReference === undefined ? [] : [reservationFor(freeReference, changed, loaded.revision ?? null)];
  return {
    details: changed,
    reservations,
    appends: [{ events, tags }],
    register: async (writes) => {
      for (const each of reservations)
        if (!(await reservesFor(writes, each, changed))) return await registerAgain(context, named, writes);
      await writes.append(loaded, events, tags);
      return changed;
    },
  };
}

/** A customer that was found, and has not the reference that is given, gets it. */
function newReference(state: CustomerState, { details: { reference } }: NamedCustomer): Partial<ChangeableDetails> {
  return reference === null || hasReference(state, reference) ? {} : { reference };
}

function detailChanges(
  { commandId }: CommandContext,
  { details, givenAt }: NamedCustomer,
  { loaded: { events } }: ReservedCustomer,
  state: CustomerState,
): Partial<ChangeableDetails> {
  if (givenAt === undefined) return {};
  const isStale = events.some(({ metadata }) => metadata.recordedAt > givenAt);
  const isDone = events.some(({ metadata }) => metadata.command.id === commandId);
  return isStale || isDone ? {} : changesOfPurchase(state, details);
}
