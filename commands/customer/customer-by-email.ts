import {
  type CustomerState,
  CustomerRegistered,
  customer,
  customerStream,
} from '../../src/domain/customer/customer.ts';
import { type Tags, merchantTags } from '../../src/domain/tags.ts';
import { worldOf } from '../../src/domain/values/world.ts';
import { CustomerEmailReserved, merchantScope } from '../../src/domain/reservations.ts';
import type { CommandContext } from '../../src/command-handling/command.ts';

/** The details of a customer that a purchase or an import knows. */
export type CustomerDetails = Pick<
  CustomerState,
  'reference' | 'fullName' | 'email' | 'phone' | 'dateOfBirth' | 'address'
>;

/**
 * Returns the customer with this e-mail in the merchant's world, after registering it with these details if there is
 * none. Call it after `commitTo`. If another command has reserved the e-mail but not yet registered its customer, this
 * completes the registration, because the new policy refers to that customer.
 */
export async function customerByEmail(context: CommandContext, details: CustomerDetails): Promise<CustomerState> {
  const { merchantId, environmentId, testMode } = context.environment;
  const newCustomer: CustomerState = {
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
  const before = await context.findReservation(email);
  const outcome =
    before === undefined
      ? await context.reserveWith(
          email,
          { type: CustomerEmailReserved.type, data: { customer: newCustomer } },
          customerTags(newCustomer),
        )
      : ({ kind: 'taken', by: before } as const);
  if (outcome.kind === 'ours') {
    await register(context, newCustomer, context.commandId);
    return newCustomer;
  }
  if (outcome.by.type !== CustomerEmailReserved.type) throw new Error('the reservation of the e-mail has no customer');
  const reserved = outcome.by.data.customer;
  const { state } = await context.load(customer, customerStream(reserved.customerId));
  if (state !== undefined) return state;
  await register(context, reserved, outcome.by.metadata.command.id);
  return reserved;
}

async function register(context: CommandContext, facts: CustomerState, commandId: string): Promise<void> {
  const events = [{ type: CustomerRegistered.type, data: facts }];
  await context.create(customerStream(facts.customerId), events, customerTags(facts), commandId);
}

function customerTags(facts: CustomerState): Tags {
  return { ...merchantTags(facts), customer: facts.customerId };
}
