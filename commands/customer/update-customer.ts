import { z } from 'zod';
import {
  type ChangeableDetails,
  type CustomerEvent,
  type CustomerState,
  customer,
  customerStream,
  customerTags,
} from '#domain/customer/customer.ts';
import { dayIn } from '#domain/values/dates.ts';
import { wrongField } from '#domain/refusals.ts';
import type { NewEvent } from '#event-sourcing/event.ts';
import { type Day, day } from '#event-sourcing/time.ts';
import type { EventReservation, Writes } from '#event-sourcing/executor/command.ts';
import { type CommandContext, defineChange } from '../command.ts';
import { differences } from '../shared/changes.ts';
import { emailAddress } from '#domain/values/email.ts';
import { customerReference, line, postalAddress, resourceId } from '../shared/fields.ts';
import { isOwn, notFound, timeZoneOf } from '../shared/acting-environment.ts';
import type { ExistingStream } from '../shared/require-existing.ts';
import { customerUpdated } from './customer-changes.ts';
import { customerOfPolicyErrors, referenceTaken } from './customer-of-policy.ts';
import {
  findByReference,
  findReservedNameAndEmail,
  hasNameAndEmail,
  hasReference,
  reservationOfKnown,
} from './find-customer.ts';

const NOT_FOUND = 'customer_not_found';

/** The path and the body of `PATCH /api/v1/customers/{id}/`; the path names the customer. */
const updateCustomerInput = z.strictObject({
  customer_id: resourceId,
  full_name: line(255).optional(),
  customer_email: emailAddress.optional(),
  customer_phone: line(20).nullable().optional().meta({ description: 'null clears it' }),
  address: postalAddress.nullable().optional().meta({ description: 'null clears it' }),
  date_of_birth: day.nullable().optional().meta({ description: 'null clears it; not in the future' }),
  customer_reference: customerReference.nullable().optional().meta({ description: 'null clears it' }),
});

interface Update extends z.output<typeof updateCustomerInput> {
  readonly today: Day;
}

/** Records the fields that differ. Without any, it records nothing. @throws {Refusal} */
function decideUpdate(state: CustomerState, update: Update): readonly NewEvent<CustomerEvent>[] {
  const { today, date_of_birth: dateOfBirth } = update;
  if ((dateOfBirth ?? today) > today) throw wrongField('date_of_birth', 'must not be in the future');
  return customerUpdated(state, changesOf(state, update), today);
}

function changesOf(
  state: CustomerState,
  {
    full_name: fullName,
    customer_email: email,
    customer_phone: phone,
    date_of_birth: dateOfBirth,
    address,
    customer_reference: reference,
  }: Update,
): Partial<ChangeableDetails> {
  return differences<ChangeableDetails>(state, { reference, fullName, email, phone, dateOfBirth, address });
}

type Found = ExistingStream<CustomerState>;

/**
 * Finds where a value that the customer gets is reserved for it; undefined when it is reserved already.
 * @throws {Refusal}
 */
type FindReservation = () => Promise<EventReservation | undefined>;

/** Returns how the values are found by which later purchases find the customer, if they change. */
function newValues(context: CommandContext, { state, revision }: Found, changed: CustomerState): FindReservation[] {
  const { reference } = changed;
  const values: FindReservation[] = [];
  if (reference !== null && !hasReference(state, reference))
    values.push(async () => {
      const search = await findByReference(context, changed, reference);
      if (search.found === undefined) return reservationOfKnown(search.free, changed, revision);
      if (search.found.details.customerId !== state.customerId) throw referenceTaken(reference);
      return undefined;
    });
  if (!hasNameAndEmail(state, changed))
    values.push(async () => {
      const search = await findReservedNameAndEmail(context, changed);
      return search.found === undefined ? reservationOfKnown(search.free, changed, revision) : undefined;
    });
  return values;
}

/** Reserves a value where it was found to be free, and searches again where another command has reserved it first. */
async function reserve(
  writes: Writes,
  find: FindReservation,
  found: Awaited<ReturnType<FindReservation>>,
): Promise<void> {
  for (let reservation = found; reservation !== undefined; reservation = await find())
    if ((await writes.reserve(reservation)).kind === 'ours') return;
}

export const updateCustomer = defineChange({
  name: 'UpdateCustomer',
  summary:
    'Changes the name, e-mail, phone, address, date of birth or reference of a customer. Equal values change nothing. Policies keep the details of the holder as bought, but show the reference that the customer has now.',
  description: `Changes \`full_name\`, \`customer_email\`, \`customer_phone\`, \`address\`, \`date_of_birth\` or \`customer_reference\`; null clears all but the first two, and a field that is left out stays. What changes nothing records nothing. Policies keep the holder as bought, and so do their
claims, but policies show the reference that the customer has now. A reference is that of one customer of the merchant and mode (\`customer_reference_taken\`); two customers may have one e-mail. For the platform the business day is the UTC day.

A later purchase changes a customer too: a phone and an address that were given and differ, a date of birth that was not known, and a missing reference. Data of a quote request that is older than the last change of the customer change nothing.

A retry with the same \`Idempotency-Key\` gets the details of the first response, and the policies and claims of now.`,
  input: updateCustomerInput,
  example: {
    customer_id: 'b88fa058-22c9-51f7-9ea9-cdfcc300d50a',
    customer_phone: '+2348098765432',
    address: '12 Marina Road, Lagos',
  },
  resource: 'customerDetailsOf',
  errors: [NOT_FOUND, ...customerOfPolicyErrors],
  roles: ['merchant', 'admin'],
  takesIfMatch: true,
  aggregate: customer,
  find: async ({ customer_id: customerId }, context) => {
    const loaded = await context.loadTarget(customer, customerStream(customerId));
    const { state } = loaded;
    if (state === undefined || !isOwn(context, state)) throw notFound(NOT_FOUND, context, state);
    return { ...loaded, state };
  },
  lookUp: async (_input, context) => ({ today: dayIn(await timeZoneOf(context), context.now) }),
  decide: decideUpdate,
  tags: customerTags,
  reserve: async (update, context, decision) => {
    const { target } = decision;
    const values = newValues(context, target, { ...target.state, ...changesOf(target.state, update) });
    if (values.length === 0) return;
    const searched = await Promise.all(values.map(async (find) => [find, await find()] as const));
    const reservations = searched.flatMap(([, reservation]) => reservation ?? []);
    const writes = context.commit({ ...decision, reservations });
    for (const [find, reservation] of searched) await reserve(writes, find, reservation);
  },
  result: ({ state }, { resources }) => ({ ...resources.customerDetailsOf(state) }),
});
