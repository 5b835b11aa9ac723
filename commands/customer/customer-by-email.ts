import {
  type CustomerEvent,
  type CustomerState,
  CustomerRegistered,
  customer,
  customerStream,
  customerTags,
} from '../../src/domain/customer/customer.ts';
import type { RecordedEvent } from '../../src/event-sourcing/event.ts';
import type { Day, Instant } from '../../src/event-sourcing/time.ts';
import { CustomerEmailReserved, merchantScope, type ReservationEvent } from '../../src/domain/reservations.ts';
import type { LoadedStream, TaggedEvents, Writes } from '../../src/command-handling/command.ts';
import type { CommandContext } from '../command.ts';
import { existing, type Reference } from '../shared/reference.ts';
import { changesOfPurchase, customerUpdated } from './customer-changes.ts';

/** The details of a customer that a purchase or an import knows. */
export type CustomerDetails = Pick<
  CustomerState,
  'reference' | 'fullName' | 'email' | 'phone' | 'dateOfBirth' | 'address'
>;

interface PurchaseUpdate {
  readonly details: CustomerDetails;
  /** When the details were given. They change nothing if the customer was changed later. */
  readonly givenAt: Instant;
}

/**
 * Finds the customer with this e-mail of the merchant in this mode; without one, refers to a new customer with these details.
 * If another command has reserved the e-mail but not yet registered its customer, `register` completes the registration,
 * because the new policy refers to that customer.
 * @param merchantShortCode of the merchant of the environment
 * @param today business day of a registration or an update
 * @param givenAt when the details of a purchase were given; undefined: a customer that exists stays as it is
 */
export async function customerByEmail(
  context: CommandContext,
  merchantShortCode: string,
  details: CustomerDetails,
  today: Day,
  givenAt?: Instant,
): Promise<Reference<CustomerState>> {
  const { merchantId, environmentId, testMode } = context.environment;
  const customerState: CustomerState = {
    customerId: context.derive('customer'),
    merchantId,
    merchantShortCode,
    environmentId,
    testMode,
    ...details,
  };
  const email = {
    kind: 'customerEmail',
    scope: merchantScope(context.environment),
    value: details.email,
  } as const;
  const by = await context.findReservation(email);
  const update = givenAt === undefined ? undefined : { details, givenAt };
  if (by !== undefined) return await reservedCustomer(context, by, today, update);
  const event = { type: CustomerEmailReserved.type, data: { customer: customerState } } as const;
  const registration = registrationOf(customerState, today);
  const reservation = { ...email, event, tags: registration.tags };
  return {
    details: customerState,
    reservations: [reservation],
    appends: [registration],
    register: async (writes) => {
      const outcome = await writes.reserve(reservation);
      if (outcome.kind === 'taken') return await (await reservedCustomer(context, outcome.by, today)).register(writes);
      await register(writes, customerState, today);
      return customerState;
    },
  };
}

async function reservedCustomer(
  context: CommandContext,
  by: RecordedEvent<ReservationEvent>,
  today: Day,
  update?: PurchaseUpdate,
): Promise<Reference<CustomerState>> {
  if (by.type !== CustomerEmailReserved.type) throw new Error('the reservation of the e-mail has no customer');
  const customerState = by.data.customer;
  const loaded = await context.load(customer, customerStream(customerState.customerId));
  const { state } = loaded;
  if (state !== undefined)
    return update === undefined ? existing(state) : updated(context, { ...loaded, state }, today, update);
  return {
    details: customerState,
    reservations: [],
    appends: [registrationOf(customerState, today)],
    register: async (writes) => {
      await register(writes, customerState, today, by.metadata.command.id);
      return customerState;
    },
  };
}

/** Refers to a customer that the details of a purchase update before the policy is recorded. */
function updated(
  context: CommandContext,
  loaded: LoadedStream<CustomerState, CustomerEvent> & { readonly state: CustomerState },
  today: Day,
  { details, givenAt }: PurchaseUpdate,
): Reference<CustomerState> {
  const { state, events: history } = loaded;
  const isStale = history.some(({ metadata }) => metadata.recordedAt > givenAt);
  const isDone = history.some(({ metadata }) => metadata.command.id === context.commandId);
  const changes = isStale || isDone ? {} : changesOfPurchase(state, details);
  const events = customerUpdated(state, changes, today);
  if (events.length === 0) return existing(state);
  const tags = customerTags(state);
  const changed = { ...state, ...changes };
  return {
    details: changed,
    reservations: [],
    appends: [{ events, tags }],
    register: async (writes) => {
      await writes.append(loaded, events, tags);
      return changed;
    },
  };
}

async function register(writes: Writes, customerState: CustomerState, today: Day, commandId?: string): Promise<void> {
  const { events, tags } = registrationOf(customerState, today);
  await writes.append(customerStream(customerState.customerId), events, tags, commandId);
}

function registrationOf(customerState: CustomerState, today: Day): TaggedEvents {
  return {
    events: [{ type: CustomerRegistered.type, data: { ...customerState, effectiveAt: today } }],
    tags: customerTags(customerState),
  };
}
