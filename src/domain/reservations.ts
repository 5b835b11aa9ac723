import { z } from 'zod';
import { customerFields, customerStream } from './customer/customer.ts';
import { defineEvent, type EventOf } from '../event-sourcing/event.ts';
import { uuid } from '../event-sourcing/identifiers.ts';
import { defineValueReserved } from '../event-sourcing/reservations.ts';
import type { ActingEnvironment } from './environment/acting-environment.ts';
import { modeOf } from './values/mode.ts';

/** Kinds of reserved values, each with its own category of streams. Stored in events: kinds are added and never removed. */
const RESERVATION_KINDS = [
  'policyNumber',
  'claimReference',
  'customerEmail',
  'shortCode',
  'providerName',
  'productName',
  'quotePurchase',
] as const;
export type ReservationKind = (typeof RESERVATION_KINDS)[number];

/** Returns the scope of a merchant's values in one mode. Values of different scopes never collide. */
export function merchantScope({ merchantId, testMode }: Pick<ActingEnvironment, 'merchantId' | 'testMode'>): string {
  return `${merchantId}-${modeOf(testMode)}`;
}

/** A value is reserved, for a command that can be completed from the event. */
export const ValueReserved = defineValueReserved({
  kinds: RESERVATION_KINDS,
  environment: z.object({ environmentId: z.int(), merchantId: uuid, testMode: z.boolean() }),
  person: 'customer',
});

/** A customer's e-mail is reserved, with the details by which the customer is registered. */
export const CustomerEmailReserved = defineEvent('CustomerEmailReserved.v1', {
  customer: z.object(customerFields),
});

export type ReservationEvent = EventOf<typeof ValueReserved> | EventOf<typeof CustomerEmailReserved>;

export function targetOf(reserved: ReservationEvent): string {
  return reserved.type === 'ValueReserved' ? reserved.data.target : customerStream(reserved.data.customer.customerId);
}
