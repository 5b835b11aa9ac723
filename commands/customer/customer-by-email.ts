import {
  type CustomerState,
  CustomerRegistered,
  customer,
  customerStream,
} from '../../src/domain/customer/customer.ts';
import { merchantTags } from '../../src/domain/tags.ts';
import type { RecordedEvent } from '../../src/event-sourcing/event.ts';
import { worldOf } from '../../src/domain/values/world.ts';
import { CustomerEmailReserved, merchantScope, type ReservationEvent } from '../../src/domain/reservations.ts';
import type { CommandContext, TaggedEvents } from '../../src/command-handling/command.ts';
import { existing, type Reference } from '../shared/reference.ts';

/** The details of a customer that a purchase or an import knows. */
export type CustomerDetails = Pick<
  CustomerState,
  'reference' | 'fullName' | 'email' | 'phone' | 'dateOfBirth' | 'address'
>;

/**
 * Finds the customer with this e-mail in the merchant's world; without one, refers to a new customer with these details.
 * If another command has reserved the e-mail but not yet registered its customer, `register` completes the registration,
 * because the new policy refers to that customer.
 */
export async function customerByEmail(
  context: CommandContext,
  details: CustomerDetails,
): Promise<Reference<CustomerState>> {
  const { merchantId, environmentId, testMode } = context.environment;
  const facts: CustomerState = {
    customerId: context.derive('customer'),
    merchantId,
    environmentId,
    testMode,
    ...details,
  };
  const email = {
    kind: 'customerEmail',
    scope: merchantScope(merchantId, worldOf(testMode)),
    value: details.email,
  } as const;
  const by = await context.findReservation(email);
  if (by !== undefined) return await reservedCustomer(context, by);
  const event = { type: CustomerEmailReserved.type, data: { customer: facts } } as const;
  const registration = registrationOf(facts);
  return {
    facts,
    reservations: [],
    appends: [{ events: [event], tags: registration.tags }, registration],
    register: async () => {
      const outcome = await context.reserveWith(email, event, registration.tags);
      if (outcome.kind === 'taken') return await (await reservedCustomer(context, outcome.by)).register();
      await register(context, facts, context.commandId);
      return facts;
    },
  };
}

async function reservedCustomer(
  context: CommandContext,
  by: RecordedEvent<ReservationEvent>,
): Promise<Reference<CustomerState>> {
  if (by.type !== CustomerEmailReserved.type) throw new Error('the reservation of the e-mail has no customer');
  const facts = by.data.customer;
  const { state } = await context.load(customer, customerStream(facts.customerId));
  if (state !== undefined) return existing(state);
  return {
    facts,
    reservations: [],
    appends: [registrationOf(facts)],
    register: async () => {
      await register(context, facts, by.metadata.command.id);
      return facts;
    },
  };
}

async function register(context: CommandContext, facts: CustomerState, commandId: string): Promise<void> {
  const { events, tags } = registrationOf(facts);
  await context.createReferenced(customerStream(facts.customerId), events, tags, commandId);
}

function registrationOf(facts: CustomerState): TaggedEvents {
  const tags = { ...merchantTags(facts), customer: facts.customerId };
  return { events: [{ type: CustomerRegistered.type, data: facts }], tags };
}
