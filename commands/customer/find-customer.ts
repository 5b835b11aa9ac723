import {
  type CustomerEvent,
  type CustomerState,
  customer,
  customerStream,
  customerTags,
} from '../../src/domain/customer/customer.ts';
import { CustomerReserved, merchantScope, type ReservationEvent } from '../../src/domain/reservations.ts';
import { normalise } from '../../src/event-sourcing/identifiers.ts';
import type { RecordedEvent } from '../../src/event-sourcing/event.ts';
import type { EventReservation, LoadedStream, Reservation } from '../../src/command-handling/command.ts';
import type { CommandContext } from '../command.ts';

/** A customer has its values within a merchant and mode. */
type Owner = Pick<CustomerState, 'merchantId' | 'testMode'>;
type Identity = Pick<CustomerState, 'fullName' | 'email'>;

/** A customer for whom a reference, or an e-mail with a name, is reserved. */
export interface ReservedCustomer {
  /** As it is now; as it was reserved while it is not registered. */
  readonly details: CustomerState;
  /** Its state is undefined while it is not registered. */
  readonly loaded: LoadedStream<CustomerState, CustomerEvent>;
  readonly by: RecordedEvent<Extract<ReservationEvent, { readonly type: 'CustomerReserved' }>>;
}

/** What a search has found: the customer, or where to reserve the value for another one. */
export type Search = { readonly found: ReservedCustomer } | { readonly found: undefined; readonly free: Reservation };

/** Returns whether two texts that identify a customer are the same: without case and outer spaces. */
export function isSame(one: string, other: string): boolean {
  return normalise(one) === normalise(other);
}

export function hasIdentity(details: Identity, { fullName, email }: Identity): boolean {
  return isSame(details.email, email) && isSame(details.fullName, fullName);
}

/**
 * Searches the reservations of a value, in their order. A reservation is never released, so a customer that has the value no longer
 * stays among them.
 */
async function search(
  context: CommandContext,
  owner: Owner,
  kind: 'customerReference' | 'customerIdentity',
  value: string,
  isWanted: (customer: ReservedCustomer) => boolean | Promise<boolean>,
): Promise<Search> {
  const scope = merchantScope(owner);
  for (let number = 0; ; number++) {
    const reservation = { kind, scope, value: `${number} ${value}` };
    const by = await context.findReservation(reservation);
    if (by === undefined) return { found: undefined, free: reservation };
    if (by.type !== CustomerReserved.type) throw new Error(`${by.stream} reserves no customer`);
    const loaded = await context.load(customer, customerStream(by.data.customer.customerId));
    const reserved = { details: loaded.state ?? by.data.customer, loaded, by };
    if (await isWanted(reserved)) return { found: reserved };
  }
}

/**
 * Finds the customer that has a reference, or to which a concurrent or interrupted command is giving it: such a command appends at the
 * revision that its reservation names, so a customer with a later revision and another reference did not get this one.
 */
export async function findByReference(context: CommandContext, owner: Owner, reference: string): Promise<Search> {
  return await search(
    context,
    owner,
    'customerReference',
    reference,
    ({ details, loaded, by }) =>
      hasReference(details, reference) || (loaded.revision ?? null) === by.data.customerRevision,
  );
}

export function hasReference(details: Pick<CustomerState, 'reference'>, reference: string): boolean {
  return details.reference !== null && isSame(details.reference, reference);
}

/** Finds the first customer with this e-mail and name that is wanted. */
export async function findByIdentity(
  context: CommandContext,
  owner: Owner,
  identity: Identity,
  isWanted: (details: CustomerState) => boolean,
): Promise<Search> {
  return await search(context, owner, 'customerIdentity', identityOf(identity), async (reserved) => {
    const { details, loaded } = reserved;
    if (!hasIdentity(details, identity) || !isWanted(details)) return false;
    return loaded.state !== undefined || (await isToBeRegistered(context, reserved));
  });
}

/** Finds the reservation of the e-mail and name of a customer for it. */
export async function findIdentityOf(context: CommandContext, wanted: CustomerState): Promise<Search> {
  return await search(
    context,
    wanted,
    'customerIdentity',
    identityOf(wanted),
    ({ details }) => details.customerId === wanted.customerId,
  );
}

/** An e-mail contains no space, so that no two pairs give one text. */
function identityOf({ email, fullName }: Identity): string {
  return `${email} ${fullName}`;
}

/** A customer that is not registered is given up where another one has got its reference. */
async function isToBeRegistered(context: CommandContext, { details }: ReservedCustomer): Promise<boolean> {
  if (details.reference === null) return true;
  const { found } = await findByReference(context, details, details.reference);
  return found === undefined || found.details.customerId === details.customerId;
}

/** Returns the reservation of a value for a customer. @param revision at which the customer gets it; null: it is registered with it */
export function reservationFor(
  reservation: Reservation,
  details: CustomerState,
  revision: number | null,
): EventReservation<ReservationEvent> {
  const event = { type: CustomerReserved.type, data: { customer: details, customerRevision: revision } } as const;
  return { ...reservation, event, tags: customerTags(details) };
}
