import { z } from 'zod';
import type { Aggregate } from '../../event-sourcing/aggregate.ts';
import { day } from '../../event-sourcing/time.ts';
import { defineEvent, type EventOf, personal, type RecordedEvent } from '../../event-sourcing/event.ts';
import { uuid } from '../../event-sourcing/identifiers.ts';

/** Returns the stream of a customer. */
export const customerStream = (customerId: string): string => `customer-${customerId}`;

/** The details of a customer. The reservation of the e-mail has them too. */
export const customerFacts = {
  customerId: uuid,
  merchantId: uuid,
  environmentId: z.int(),
  testMode: z.boolean(),
  /** Customer number in the book from which the customer was imported. */
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

function evolve(_state: CustomerState | undefined, event: RecordedEvent<CustomerEvent>): CustomerState {
  const { effectiveAt: _, ...facts } = event.data;
  return facts;
}

export const customer: Aggregate<CustomerState, CustomerEvent> = {
  category: 'customer',
  events: [CustomerRegistered],
  evolve,
};
