import { z } from 'zod';
import { type ChangeableDetails, customer, customerStream, customerTags } from '../../src/domain/customer/customer.ts';
import { dayIn } from '../../src/domain/values/dates.ts';
import { Refusal, wrongField } from '../../src/domain/refusals.ts';
import { day } from '../../src/event-sourcing/time.ts';
import { defineChange } from '../command.ts';
import { differences } from '../shared/changes.ts';
import { line, postalAddress, resourceId } from '../shared/fields.ts';
import { isOwn, timeZoneOf } from '../shared/acting-environment.ts';
import { customerUpdated } from './customer-changes.ts';

/** The path and the body of `PATCH /api/v1/customers/{id}/`; the path names the customer. */
export const updateCustomerInput = z.strictObject({
  customer_id: resourceId,
  full_name: line(255).optional(),
  customer_phone: line(20).nullable().optional().meta({ description: 'null clears it' }),
  address: postalAddress.nullable().optional().meta({ description: 'null clears it' }),
  date_of_birth: day.nullable().optional().meta({ description: 'null clears it; not in the future' }),
});

/** Records the fields that differ. Without any, it records nothing. @throws {Refusal} `invalid_request` */
export const updateCustomer = defineChange({
  name: 'UpdateCustomer',
  summary:
    'Changes the name, phone, address or date of birth of a customer. Equal values change nothing. Policies keep the details of the holder as bought.',
  input: updateCustomerInput,
  roles: ['merchant', 'admin'],
  takesIfMatch: true,
  changesOneStream: true,
  aggregate: customer,
  find: async ({ customer_id: customerId }, context) => {
    const found = await context.loadTarget(customer, customerStream(customerId));
    const { state } = found;
    if (state === undefined || !isOwn(context, state)) throw new Refusal('customer_not_found');
    context.checkIfMatch(found);
    return { ...found, state };
  },
  lookUp: async (_update, context) => ({ today: dayIn(await timeZoneOf(context), context.now) }),
  decide(state, { full_name: fullName, customer_phone: phone, date_of_birth: dateOfBirth, address, today }) {
    if ((dateOfBirth ?? today) > today) throw wrongField('date_of_birth', 'must not be in the future');
    return customerUpdated(
      state,
      differences<ChangeableDetails>(state, { fullName, phone, dateOfBirth, address }),
      today,
    );
  },
  tags: customerTags,
  result: ({ history }, { resources }) => ({ ...resources.customerDetailsOf(history) }),
});
