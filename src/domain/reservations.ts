import { z } from 'zod';
import { customerFacts, customerStream } from './customer/customer.ts';
import { moment } from '../event-sourcing/time.ts';
import { actorSchema, defineEvent, type EventOf, personal } from '../event-sourcing/event.ts';
import { normalise, sha256, uuid } from '../event-sourcing/identifiers.ts';
import type { World } from './values/world.ts';

/** Kinds of reserved values, each with its own category of streams. Stored in events: kinds are added and never removed. */
export const RESERVATION_KINDS = [
  'policyNumber',
  'claimReference',
  'customerEmail',
  'shortCode',
  'providerName',
  'productName',
  'quotePurchase',
] as const;
export type ReservationKind = (typeof RESERVATION_KINDS)[number];

/** Returns the scope of a merchant's values in one world. Values of different scopes never collide. */
export function merchantScope(tenantId: string, world: World): string {
  return `${tenantId}-${world}`;
}

/** Returns the stream that reserves a value. It is appended with "no stream", so only one owner gets it, and never released. */
export function reservationStream(kind: ReservationKind, scope: string, value: string): string {
  return `${kind}-${scope}-${sha256(normalise(value))}`;
}

/**
 * A value is reserved. The event has the input of the command and its metadata the name and id, so that another process can finish
 * the command with the same ids. The input can contain personal fields.
 */
export const ValueReserved = defineEvent('ValueReserved.v1', {
  kind: z.enum(RESERVATION_KINDS),
  scope: z.string(),
  value: z.string(),
  /** Stream of the resource that has the value. */
  target: z.string(),
  /** Time of the command's decision; its completion uses the same. */
  decidedAt: moment,
  actor: actorSchema,
  /** Environment of the command; null for platform commands without one. */
  environment: z.object({ environmentId: z.int(), merchantId: uuid, testMode: z.boolean() }).nullable(),
  /** Input of the command, with the SHA-256 of contents that are in records. */
  input: personal(z.json(), 'customer'),
});

/** A customer's e-mail is reserved, with the details by which the customer is registered. */
export const CustomerEmailReserved = defineEvent('CustomerEmailReserved.v1', {
  customer: z.object(customerFacts),
});

export type ReservationEvent = EventOf<typeof ValueReserved> | EventOf<typeof CustomerEmailReserved>;

/** Returns the stream of the resource that has the value. */
export function targetOf(reserved: ReservationEvent): string {
  return reserved.type === 'ValueReserved' ? reserved.data.target : customerStream(reserved.data.customer.customerId);
}
