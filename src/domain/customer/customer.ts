import { z } from 'zod';
import type { Aggregate } from '#event-sourcing/aggregate.ts';
import { day } from '#event-sourcing/time.ts';
import { defineEvent, type EventOf, type RecordedEvent } from '#event-sourcing/event.ts';
import { personal } from '../values/fields.ts';
import { uuid } from '#event-sourcing/identifiers.ts';
import { merchantTags, type Tags } from '../tags.ts';

export const customerStream = (customerId: string): string => `customer-${customerId}`;

/** The details of a customer that can be changed. */
const details = {
  // It is no personal data: public events of policies have it.
  reference: z.string().nullable().describe("The merchant's number of the customer."),
  fullName: personal(z.string(), 'customer'),
  email: personal(z.string(), 'customer'),
  phone: personal(z.string().nullable(), 'customer'),
  dateOfBirth: personal(day.nullable(), 'customer'),
  address: personal(z.string().nullable(), 'customer'),
};

/** The details of a customer. The reservations of its values have them too. */
export const customerFields = {
  customerId: uuid,
  merchantId: uuid,
  merchantShortCode: z.string(),
  environmentId: z.int(),
  testMode: z.boolean(),
  ...details,
};

export const CustomerRegistered = defineEvent('CustomerRegistered.v1', 'A customer was registered.', customerFields);

export const CustomerUpdated = defineEvent('CustomerUpdated.v1', 'Details of a customer were changed.', {
  customerId: uuid,
  merchantId: uuid,
  environmentId: z.int(),
  testMode: z.boolean(),
  changes: z.object(details).partial().describe('The new values only.'),
});

export type CustomerEvent = EventOf<typeof CustomerRegistered> | EventOf<typeof CustomerUpdated>;
export type CustomerState = Omit<EventOf<typeof CustomerRegistered>['data'], 'effectiveAt'>;

export type ChangeableDetails = Pick<CustomerState, keyof typeof details>;

function evolve(state: CustomerState | undefined, event: RecordedEvent<CustomerEvent>): CustomerState {
  if (event.type === 'CustomerRegistered') {
    const { effectiveAt: _, ...details } = event.data;
    return details;
  }
  if (state === undefined) throw new Error(`${event.type} in ${event.stream} before the customer exists`);
  return { ...state, ...(event.data.changes as Partial<ChangeableDetails>) };
}

export const customer: Aggregate<CustomerState, CustomerEvent> = {
  category: 'customer',
  events: [CustomerRegistered, CustomerUpdated],
  evolve,
};

export function customerTags(details: Pick<CustomerState, 'merchantId' | 'testMode' | 'customerId'>): Tags {
  return { ...merchantTags(details), customer: details.customerId };
}
