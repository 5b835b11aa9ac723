import {
  type ChangeableDetails,
  type CustomerState,
  CustomerRegistered,
  customerStream,
  customerTags,
} from '#domain/customer/customer.ts';
import { type Refusal, refusalsOf } from '#domain/refusals.ts';
import type { Day, Instant } from '#event-sourcing/time.ts';
import type { TaggedEvents, Writes } from '#event-sourcing/executor/command.ts';
import type { CommandContext } from '../command.ts';
import { existing, type ReferencedResource } from '../shared/referenced-resource.ts';
import { changesOfPurchase, customerUpdated } from './customer-changes.ts';
import {
  type CustomerReservation,
  findByNameAndEmail,
  findByReference,
  hasReference,
  isSame,
  openReservations,
  type NumberedReservation,
  reservationOfKnown,
  reservationOfNew,
  type ReservedCustomer,
} from './find-customer.ts';

const refuse = refusalsOf('customer_reference_taken');
export const customerOfPolicyErrors = refuse.codes;

/** The details of a customer that a purchase or an import knows. */
export type CustomerDetails = Pick<
  CustomerState,
  'reference' | 'fullName' | 'email' | 'phone' | 'dateOfBirth' | 'address'
>;

/** The customer whom a purchase or an import names. */
interface NamedCustomer {
  readonly details: CustomerDetails;
  readonly merchantShortCode: string;
  /** Business day of a registration or an update. */
  readonly today: Day;
  /**
   * When the details of a purchase were given: they change nothing if the customer was changed later. Undefined: they
   * change nothing of a customer that exists, but for a missing reference.
   */
  readonly givenAt?: Instant;
}

/** The customer of a new policy. */
interface PolicyCustomer extends ReferencedResource<CustomerState> {
  /**
   * Reserves the values of the customer, before what only one command can have. Returns another customer if a
   * concurrent command has reserved a value first.
   * @throws {Refusal} when the reference is taken
   */
  reserve(writes: Writes): Promise<PolicyCustomer>;
}

/**
 * Finds the customer of a policy (docs/insurance.md#customers): with a reference the one that has it, else the first
 * one with this e-mail and name and without a reference, which gets it; without a reference the first one with this
 * e-mail and name. Without any, refers to a new customer with these details. If another command has reserved the
 * customer but not yet registered it, `register` completes the registration, because the new policy refers to that
 * customer.
 * @throws {Refusal} when the customer with the reference has another name and another e-mail
 */
export async function customerOfPolicy(context: CommandContext, named: NamedCustomer): Promise<PolicyCustomer> {
  const { details } = named;
  const { reference } = details;
  const byReference = reference === null ? undefined : await findByReference(context, context.environment, reference);
  if (reference !== null && byReference?.found !== undefined) {
    checkReference(reference, byReference.found.details, details);
    return await referTo(context, named, byReference.found);
  }
  const byNameAndEmail = await findByNameAndEmail(
    context,
    context.environment,
    details,
    (one) => reference === null || one.reference === null || hasReference(one, reference),
  );
  const freeReference = byReference?.found === undefined ? byReference?.free : undefined;
  return byNameAndEmail.found === undefined
    ? newCustomer(context, named, [byNameAndEmail.free, freeReference])
    : await referTo(context, named, byNameAndEmail.found, freeReference);
}

function checkReference(reference: string, { fullName, email }: CustomerState, details: CustomerDetails): void {
  if (isSame(fullName, details.fullName) || isSame(email, details.email)) return;
  throw referenceTaken(reference);
}

/** Returns the refusal of the reference of another customer, naming `customer_reference`. */
export function referenceTaken(reference: string): Refusal {
  const fields = [{ field: 'customer_reference', message: 'is the reference of another customer' }];
  return refuse('customer_reference_taken', `The reference ${reference} is that of another customer`, { fields });
}

function newCustomer(
  context: CommandContext,
  named: NamedCustomer,
  [nameAndEmail, reference]: readonly [NumberedReservation, NumberedReservation | undefined],
): PolicyCustomer {
  const { merchantId, environmentId, testMode } = context.environment;
  const { merchantShortCode, details } = named;
  // Another command may have registered the customer of an earlier reservation of this one, which was then changed.
  const customerId = context.derive('customer', nameAndEmail.value);
  const planned = { customerId, merchantId, merchantShortCode, environmentId, testMode, ...details };
  const toReserve = [nameAndEmail, ...(reference === undefined ? [] : [reference])];
  const reservations = toReserve.map((numbered) => reservationOfNew(numbered, planned, reference));
  return planRegistration(context, named, planned, reservations);
}

/** Refers to a customer that is registered before the policy is recorded. @param reservations of its values */
function planRegistration(
  context: CommandContext,
  named: NamedCustomer,
  planned: CustomerState,
  reservations: readonly CustomerReservation[],
): PolicyCustomer {
  const registration: TaggedEvents = {
    events: [{ type: CustomerRegistered.type, data: { ...planned, effectiveAt: named.today } }],
    tags: customerTags(planned),
  };
  const register = async (writes: Writes): Promise<CustomerState> => {
    const { events, tags } = registration;
    await writes.append(customerStream(planned.customerId), events, tags);
    return planned;
  };
  return withReserve(context, named, { details: planned, appends: [registration], register }, reservations);
}

/**
 * Adds how the values are reserved; where a concurrent command has reserved one first, the customer is decided again.
 */
function withReserve(
  context: CommandContext,
  named: NamedCustomer,
  referenced: Omit<ReferencedResource<CustomerState>, 'reservations'>,
  reservations: readonly CustomerReservation[] = [],
): PolicyCustomer {
  const customer: PolicyCustomer = {
    ...referenced,
    reservations,
    reserve: async (writes) => {
      for (const reservation of reservations)
        if (!(await isReserved(writes, reservation)))
          return await (await customerOfPolicy(context, named)).reserve(writes);
      return customer;
    },
  };
  return customer;
}

/**
 * Reserves a value, and returns whether it is now reserved for this customer at this revision, by this command or
 * another one. A reservation at an earlier revision no longer counts (`findByReference`).
 */
async function isReserved(writes: Writes, reservation: CustomerReservation): Promise<boolean> {
  const outcome = await writes.reserve(reservation);
  if (outcome.kind === 'ours') return true;
  const { by } = outcome;
  const { customerId, customerRevision } = reservation.event.data;
  return (
    by.type === 'CustomerReserved' && by.data.customerId === customerId && by.data.customerRevision === customerRevision
  );
}

/**
 * Refers to a customer that another command has reserved and not yet registered.
 * @param freeReference as of `referTo`
 */
async function completeRegistration(
  context: CommandContext,
  named: NamedCustomer,
  reserved: ReservedCustomer,
  freeReference?: NumberedReservation,
): Promise<PolicyCustomer> {
  const { details } = reserved;
  const { reference } = named.details;
  if (freeReference !== undefined && details.reference === null) {
    const planned = { ...details, reference };
    return planRegistration(context, named, planned, [reservationOfNew(freeReference, planned, freeReference)]);
  }
  const toReserve = await openReservations(context, reserved);
  // Meanwhile its reference was reserved for another customer.
  if (toReserve === undefined) return await customerOfPolicy(context, named);
  const reservations = toReserve.map((numbered) => reservationOfNew(numbered, details, numbered));
  return planRegistration(context, named, details, reservations);
}

/**
 * Refers to a customer that exists, or that another command has reserved.
 * @param freeReference where to reserve the reference that it gets
 */
async function referTo(
  context: CommandContext,
  named: NamedCustomer,
  reserved: ReservedCustomer,
  freeReference?: NumberedReservation,
): Promise<PolicyCustomer> {
  const { loaded } = reserved;
  const { state } = loaded;
  if (state === undefined) return await completeRegistration(context, named, reserved, freeReference);
  const changes = { ...detailChanges(named, reserved, state), ...newReference(state, named) };
  const events = customerUpdated(state, changes, named.today);
  if (events.length === 0 || (await isChangedBy(context, loaded.stream)))
    return withReserve(context, named, existing(state));
  const tags = customerTags(state);
  const changed = { ...state, ...changes };
  const reservations = freeReference === undefined ? [] : [reservationOfKnown(freeReference, changed, loaded.revision)];
  const register = async (writes: Writes): Promise<CustomerState> => {
    await writes.append(loaded, events, tags);
    return changed;
  };
  return withReserve(context, named, { details: changed, appends: [{ events, tags }], register }, reservations);
}

/** This command may have changed the customer before it was interrupted. */
async function isChangedBy(context: CommandContext, stream: string): Promise<boolean> {
  return (await context.read(stream)).some(({ metadata }) => metadata.command.id === context.commandId);
}

/** A customer that was found, and has not the reference that is given, gets it. */
function newReference(state: CustomerState, { details: { reference } }: NamedCustomer): Partial<ChangeableDetails> {
  return reference === null || hasReference(state, reference) ? {} : { reference };
}

function detailChanges(
  { details, givenAt }: NamedCustomer,
  { loaded: { recordedAt = '' } }: ReservedCustomer,
  state: CustomerState,
): Partial<ChangeableDetails> {
  return givenAt === undefined || recordedAt > givenAt ? {} : changesOfPurchase(state, details);
}
