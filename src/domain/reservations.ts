import { z } from 'zod';
import { customerFields, customerStream } from './customer/customer.ts';
import { actorSchema, defineEvent, type EventOf } from '#event-sourcing/event.ts';
import { uuid } from '#event-sourcing/identifiers.ts';
import { instant } from '#event-sourcing/time.ts';
import type { ActingEnvironment } from './environment/environment.ts';
import { personal } from './values/fields.ts';
import { modeOf } from './values/mode.ts';

/**
 * Kinds of reserved values, each with its own category of streams. Stored in events: kinds are added and never removed.
 */
const RESERVATION_KINDS = [
  'policyNumber',
  'claimReference',
  'customerReference',
  'customerIdentity',
  'shortCode',
  'providerName',
  'productName',
  'quotePurchase',
  'personEmail',
] as const;
export type ReservationKind = (typeof RESERVATION_KINDS)[number];

/** Returns the scope of a merchant's values in one mode. Values of different scopes never collide. */
export function merchantScope({ merchantId, testMode }: Pick<ActingEnvironment, 'merchantId' | 'testMode'>): string {
  return `${merchantId}-${modeOf(testMode)}`;
}

export const ValueReserved = defineEvent('ValueReserved.v1', 'A unique value was reserved permanently.', {
  kind: z.enum(RESERVATION_KINDS),
  scope: z.string(),
  value: z.string(),
  target: z.string().describe('Stream of the resource that has the value.'),
  decidedAt: instant.describe("Time of the command's decision; its completion uses the same."),
  actor: actorSchema,
  environment: z.object({ environmentId: z.int(), merchantId: uuid, testMode: z.boolean() }).nullable(),
  input: personal(z.json(), 'customer').describe(
    'Of the command, by which another process completes it with the same ids; contents by their SHA-256.',
  ),
});

export const CustomerReserved = defineEvent('CustomerReserved.v1', "A customer's reference or identity was reserved.", {
  customerId: uuid,
  registration: z.object(customerFields).nullable().describe('The customer, if it is to be registered with the value.'),
  referenceNumber: z
    .int()
    .nullable()
    .describe('Number of the reservation of the reference with which it is registered.'),
  customerRevision: z
    .int()
    .nullable()
    .describe('Revision of its stream at which it gets the value, if it is registered.'),
});

export type ReservationEvent = EventOf<typeof ValueReserved> | EventOf<typeof CustomerReserved>;

export function targetOf(reserved: ReservationEvent): string {
  return reserved.type === 'ValueReserved' ? reserved.data.target : customerStream(reserved.data.customerId);
}
