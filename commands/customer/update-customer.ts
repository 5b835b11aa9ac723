import { z } from 'zod';
import {
  type CustomerEvent,
  type CustomerState,
  customer,
  customerStream,
  customerTags,
} from '../../src/domain/customer/customer.ts';
import { dayIn } from '../../src/domain/values/dates.ts';
import { Refusal, wrongField } from '../../src/domain/refusals.ts';
import { type Day, day } from '../../src/event-sourcing/time.ts';
import type { NewEvent } from '../../src/event-sourcing/event.ts';
import { defineCommand } from '../command.ts';
import { line, postalAddress, resourceId } from '../shared/fields.ts';
import { isOwn, timeZoneOf } from '../shared/acting-environment.ts';
import { changedDetails, customerUpdated } from './customer-changes.ts';

/** The path and the body of `PATCH /api/v1/customers/{id}/`; the path names the customer. */
export const updateCustomerInput = z.strictObject({
  customer_id: resourceId,
  full_name: line(255).optional(),
  customer_phone: line(20).nullable().optional().meta({ description: 'null clears it' }),
  address: postalAddress.nullable().optional().meta({ description: 'null clears it' }),
  date_of_birth: day.nullable().optional().meta({ description: 'null clears it; not in the future' }),
});

type CustomerUpdate = Omit<z.output<typeof updateCustomerInput>, 'customer_id'>;

/** Records the fields that differ. Without any, it records nothing. @throws {Refusal} `invalid_request` */
function decideUpdateCustomer(
  state: CustomerState,
  { today, ...update }: CustomerUpdate & { readonly today: Day },
): readonly NewEvent<CustomerEvent>[] {
  if ((update.date_of_birth ?? today) > today) throw wrongField('date_of_birth', 'must not be in the future');
  return customerUpdated(state, changedDetails(state, detailsOf(update)), today);
}

function detailsOf({ full_name, customer_phone, address, date_of_birth }: CustomerUpdate) {
  return { fullName: full_name, phone: customer_phone, dateOfBirth: date_of_birth, address };
}

export const updateCustomer = defineCommand({
  name: 'UpdateCustomer',
  summary:
    'Changes the name, phone, address or date of birth of a customer. Equal values change nothing. Policies keep the details of the holder as bought.',
  input: updateCustomerInput,
  roles: ['merchant', 'admin'],
  takesIfMatch: true,
  changesOneStream: true,
  aggregate: customer,
  decide: decideUpdateCustomer,
  handle: async ({ customer_id: customerId, ...update }, context) => {
    const found = await context.loadTarget(customer, customerStream(customerId));
    const { state } = found;
    if (state === undefined || !isOwn(context, state)) throw new Refusal('customer_not_found');
    context.checkIfMatch(found);
    const today = dayIn(await timeZoneOf(context), context.now);
    return { target: found, events: decideUpdateCustomer(state, { ...update, today }), tags: customerTags(state) };
  },
  result: ({ history }, { resources }) => ({ ...resources.customerDetailsOf(history) }),
});
