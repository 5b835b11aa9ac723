import { type CustomerState, customer, customerStream, customerTags } from '#domain/customer/customer.ts';
import { CustomerReserved, merchantScope, type ReservationEvent } from '#domain/reservations.ts';
import { normalise } from '#event-sourcing/identifiers.ts';
import type { NewEvent, RecordedEvent } from '#event-sourcing/event.ts';
import type { EventReservation, Reservation } from '#event-sourcing/executor/command.ts';
import type { LoadedStream } from '#event-sourcing/executor/loaded-stream.ts';
import type { CommandContext } from '../command.ts';

/** A customer has its values within a merchant and mode. */
type Owner = Pick<CustomerState, 'merchantId' | 'testMode'>;
type NameAndEmail = Pick<CustomerState, 'fullName' | 'email'>;
type CustomerReservedEvent = Extract<ReservationEvent, { readonly type: 'CustomerReserved' }>;
type Reserved = RecordedEvent<CustomerReservedEvent>;

/** The reservation of a value for a customer. */
export interface CustomerReservation extends EventReservation {
  readonly event: NewEvent<CustomerReservedEvent>;
}

/** A customer for whom a reference, or an e-mail with a name, is reserved. */
export interface ReservedCustomer {
  /** As it is now; as it is to be registered while it is not. */
  readonly details: CustomerState;
  /** Its state is undefined while it is not registered. */
  readonly loaded: LoadedStream<CustomerState>;
  readonly reservation: Reserved;
}

/** Where a value is reserved: values that change have several reservations, which are numbered. */
export interface NumberedReservation extends Reservation {
  readonly number: number;
}

/** What a search has found: the customer, or where to reserve the value for another one. */
type Search = { readonly found: ReservedCustomer } | { readonly found: undefined; readonly free: NumberedReservation };

/** Returns whether two texts that identify a customer are the same: without case and outer spaces. */
export function isSame(one: string, other: string): boolean {
  return normalise(one) === normalise(other);
}

export function hasNameAndEmail(details: NameAndEmail, { fullName, email }: NameAndEmail): boolean {
  return isSame(details.email, email) && isSame(details.fullName, fullName);
}

export function hasReference(details: Pick<CustomerState, 'reference'>, reference: string): boolean {
  return details.reference !== null && isSame(details.reference, reference);
}

type Kind = 'customerReference' | 'customerIdentity';

function numberedReservation(owner: Owner, kind: Kind, value: string, number: number): NumberedReservation {
  return { kind, scope: merchantScope(owner), value: `${number} ${value}`, number };
}

async function reservationAt(context: CommandContext, numbered: NumberedReservation): Promise<Reserved | undefined> {
  const event = await context.findReservation(numbered);
  if (event === undefined || event.type === CustomerReserved.type) return event;
  throw new Error(`${event.stream} reserves no customer`);
}

/**
 * Searches the reservations of a value, in their order. A reservation is never released, so a customer that has the
 * value no longer stays among them.
 */
async function search(
  context: CommandContext,
  [owner, kind, value]: readonly [Owner, Kind, string],
  isWanted: (customer: ReservedCustomer) => boolean | Promise<boolean>,
): Promise<Search> {
  for (let number = 0; ; number++) {
    const numbered = numberedReservation(owner, kind, value, number);
    const reservation = await reservationAt(context, numbered);
    if (reservation === undefined) return { found: undefined, free: numbered };
    const { customerId, registration } = reservation.data;
    const loaded = await context.load(customer, customerStream(customerId));
    const details = loaded.state ?? registration;
    if (details === null) throw new Error(`the customer ${customerId} of ${reservation.stream} exists`);
    const reserved = { details, loaded, reservation };
    if (await isWanted(reserved)) return { found: reserved };
  }
}

/**
 * Finds the customer that has a reference, or to which a concurrent or interrupted command is giving it: such a command
 * appends at the revision that its reservation names, so a customer with a later revision and another reference did not
 * get this one.
 */
export async function findByReference(context: CommandContext, owner: Owner, reference: string): Promise<Search> {
  return await search(
    context,
    [owner, 'customerReference', reference],
    ({ details, loaded, reservation }) =>
      hasReference(details, reference) || (loaded.revision ?? null) === reservation.data.customerRevision,
  );
}

/** Finds the first customer with this e-mail and name that is wanted. */
export async function findByNameAndEmail(
  context: CommandContext,
  owner: Owner,
  wanted: NameAndEmail,
  isWanted: (details: CustomerState) => boolean,
): Promise<Search> {
  return await search(context, [owner, 'customerIdentity', textOf(wanted)], async (reserved) => {
    const { details, loaded } = reserved;
    if (!hasNameAndEmail(details, wanted) || !isWanted(details)) return false;
    return loaded.state !== undefined || (await openReservations(context, reserved)) !== undefined;
  });
}

/** Finds the customer among those for whom its e-mail and name are reserved. */
export async function findReservedNameAndEmail(context: CommandContext, wanted: CustomerState): Promise<Search> {
  return await search(
    context,
    [wanted, 'customerIdentity', textOf(wanted)],
    ({ details }) => details.customerId === wanted.customerId,
  );
}

/** An e-mail contains no space, so that no two pairs give one text. */
function textOf({ email, fullName }: NameAndEmail): string {
  return `${email} ${fullName}`;
}

/**
 * Returns where the reference of a customer that is not registered is to be reserved before it can be; nothing where it
 * has none, or it is reserved. Undefined: the customer is never registered, because another one has got the
 * reservation.
 */
export async function openReservations(
  context: CommandContext,
  { details, reservation: { data } }: ReservedCustomer,
): Promise<readonly NumberedReservation[] | undefined> {
  if (details.reference === null || data.referenceNumber === null) return [];
  const numbered = numberedReservation(details, 'customerReference', details.reference, data.referenceNumber);
  const reservation = await reservationAt(context, numbered);
  if (reservation === undefined) return [numbered];
  return reservation.data.customerId === details.customerId ? [] : undefined;
}

/**
 * Returns the reservation of a value for a customer that is registered with it.
 * @param reference where its reference is reserved
 */
export function reservationOfNew(
  numbered: NumberedReservation,
  registration: CustomerState,
  reference: NumberedReservation | undefined,
): CustomerReservation {
  const { customerId } = registration;
  const data = { customerId, registration, referenceNumber: reference?.number ?? null, customerRevision: null };
  return { ...numbered, event: { type: CustomerReserved.type, data }, tags: customerTags(registration) };
}

/** Returns the reservation of a value for a customer that gets it at this revision of its stream. */
export function reservationOfKnown(
  numbered: NumberedReservation,
  state: CustomerState,
  customerRevision: number | undefined,
): CustomerReservation {
  if (customerRevision === undefined) throw new Error('a customer that gets a value is registered');
  const { customerId } = state;
  const data = { customerId, registration: null, referenceNumber: null, customerRevision };
  return { ...numbered, event: { type: CustomerReserved.type, data }, tags: customerTags(state) };
}
