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

/** What is told of a customer when a policy is made for them. */
export type CustomerDetails = Pick<
  CustomerState,
  'reference' | 'fullName' | 'email' | 'phone' | 'dateOfBirth' | 'address'
>;

/**
 * The customer with this e-mail, made from these details if there is none yet: one customer for a merchant, world and e-mail
 * (`decisions`: Customers and claims). Reserves the e-mail, so it may only be called after `accept`. A rival that came first
 * is completed, because the policy that follows refers to its customer (design, Writing).
 */
export async function customerByEmail(context: CommandContext, details: CustomerDetails): Promise<CustomerState> {
  const { merchantId, environmentId, testMode } = context.environment;
  const made: CustomerState = {
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
          { type: CustomerEmailReserved.type, data: { customer: made } },
          belongsToCustomer(made),
        )
      : ({ kind: 'taken', by: before } as const);
  if (outcome.kind === 'ours') {
    await register(context, made, context.commandId);
    return made;
  }
  if (outcome.by.type !== CustomerEmailReserved.type) throw new Error('an e-mail is reserved without its customer');
  const reserved = outcome.by.data.customer;
  const { state } = await context.load(customer, customerStream(reserved.customerId));
  if (state !== undefined) return state;
  await register(context, reserved, outcome.by.metadata.command.id);
  return reserved;
}

async function register(context: CommandContext, facts: CustomerState, madeBy: string): Promise<void> {
  const events = [{ type: CustomerRegistered.type, data: facts }];
  await context.create(customerStream(facts.customerId), events, belongsToCustomer(facts), madeBy);
}

function belongsToCustomer(facts: CustomerState): Tags {
  return { ...merchantTags(facts), customer: facts.customerId };
}
