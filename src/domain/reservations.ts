import { z } from 'zod';
import { customerFields, customerStream } from './customer/customer.ts';
import { actorSchema, defineEvent, type EventOf } from '#event-sourcing/event.ts';
import { uuid } from '#event-sourcing/identifiers.ts';
import { instant } from '#event-sourcing/time.ts';
import type { ActingEnvironment } from './environment/acting-environment.ts';
import { personal } from './values/personal.ts';
import { modeOf } from './values/mode.ts';

/** Kinds of reserved values, each with its own category of streams. Stored in events: kinds are added and never removed. */
const RESERVATION_KINDS = [
  'policyNumber',
  'claimReference',
  'customerReference',
  'customerIdentity',
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

/** A value is reserved. The event has the input of the command, so that another process can finish the command with the same ids. */
export const ValueReserved = defineEvent('ValueReserved.v1', {
  kind: z.enum(RESERVATION_KINDS),
  scope: z.string(),
  value: z.string(),
  /** Stream of the resource that has the value. */
  target: z.string(),
  /** Time of the command's decision; its completion uses the same. */
  decidedAt: instant,
  actor: actorSchema,
  /** Environment of the command; null for platform commands without one. */
  environment: z.object({ environmentId: z.int(), merchantId: uuid, testMode: z.boolean() }).nullable(),
  /** Input of the command, with the SHA-256 of contents that are in records. */
  input: personal(z.json(), 'customer'),
});

/** A reference, or an e-mail with a name, is reserved for a customer. */
export const CustomerReserved = defineEvent('CustomerReserved.v1', {
  customerId: uuid,
  /** The details with which the customer is to be registered; null: it is registered. */
  registration: z.object(customerFields).nullable(),
  /** Number of the reservation of its reference, with which it is registered; null: it has none, or is registered. */
  referenceNumber: z.int().nullable(),
  /** Revision of its stream at which it gets the value; null: it is registered with it. */
  customerRevision: z.int().nullable(),
});

export type ReservationEvent = EventOf<typeof ValueReserved> | EventOf<typeof CustomerReserved>;

export function targetOf(reserved: ReservationEvent): string {
  return reserved.type === 'ValueReserved' ? reserved.data.target : customerStream(reserved.data.customerId);
}
