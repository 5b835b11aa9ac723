import { z } from 'zod';
import { customerFacts, customerStream } from './customer/customer.ts';
import { moment } from '../event-sourcing/time.ts';
import { actorSchema, defineEvent, type EventOf, personal } from '../event-sourcing/event.ts';
import { normalised, sha256, uuid } from '../event-sourcing/identifiers.ts';
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

/** Scope of what belongs to a merchant: neither another merchant nor the other world is ever met. */
export function merchantScope(tenantId: string, world: World): string {
  return `${tenantId}-${world}`;
}

/** Stream that reserves a value: appended with "no stream", so exactly one can have it. It is never released. */
export function reservationStream(kind: ReservationKind, scope: string, value: string): string {
  return `${kind}-${scope}-${sha256(normalised(value))}`;
}

/**
 * A value is taken. The reservation carries the whole command (name and id stand in its metadata), so that whoever finds it
 * unfinished can finish it with the same ids; personal fields may stand in its input.
 */
export const ValueReserved = defineEvent('ValueReserved.v1', {
  kind: z.enum(RESERVATION_KINDS),
  scope: z.string(),
  value: z.string(),
  /** Stream of the thing that has the value. */
  target: z.string(),
  /** Time the command was judged at; its completion uses the same. */
  decidedAt: moment,
  actor: actorSchema,
  /** The environment the command acts in; null when the platform runs it in none. */
  environment: z.object({ environmentId: z.int(), merchantId: uuid, testMode: z.boolean() }).nullable(),
  /** The command's own input; bytes that lie in records stand in it as their SHA-256. */
  input: personal(z.json(), 'customer'),
});

/** A customer's e-mail is taken, by a customer who is registered with these facts. */
export const CustomerEmailReserved = defineEvent('CustomerEmailReserved.v1', {
  customer: z.object(customerFacts),
});

export type ReservationEvent = EventOf<typeof ValueReserved> | EventOf<typeof CustomerEmailReserved>;

/** Stream of the thing that has the value. */
export function targetOf(reserved: ReservationEvent): string {
  return reserved.type === 'ValueReserved' ? reserved.data.target : customerStream(reserved.data.customer.customerId);
}
