import { z } from 'zod';
import type { Aggregate } from '../../event-sourcing/aggregate.ts';
import { day } from '../../event-sourcing/time.ts';
import { defineEvent, type EventOf, personal, type Recorded } from '../../event-sourcing/event.ts';
import { uuid } from '../../event-sourcing/identifiers.ts';

/** Stream of a customer. */
export const customerStream = (customerId: string): string => `customer-${customerId}`;

/** Everything a customer is registered with; the reservation of the e-mail carries it too. */
export const customerFacts = {
  customerId: uuid,
  merchantId: uuid,
  environmentId: z.int(),
  testMode: z.boolean(),
  /** The number another book knew the customer by. */
  reference: personal(z.string().nullable(), 'customer'),
  fullName: personal(z.string(), 'customer'),
  email: personal(z.string(), 'customer'),
  phone: personal(z.string().nullable(), 'customer'),
  dateOfBirth: personal(day.nullable(), 'customer'),
  address: personal(z.string().nullable(), 'customer'),
};

export const CustomerRegistered = defineEvent('CustomerRegistered.v1', customerFacts);

export type CustomerEvent = EventOf<typeof CustomerRegistered>;
export type CustomerState = Omit<CustomerEvent['data'], 'effectiveAt'>;

function evolve(_state: CustomerState | undefined, event: Recorded<CustomerEvent>): CustomerState {
  const { effectiveAt: _, ...facts } = event.data;
  return facts;
}

export const customer: Aggregate<CustomerState, CustomerEvent> = {
  category: 'customer',
  events: [CustomerRegistered],
  evolve,
};
