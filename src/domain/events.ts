import { type Aggregate, foldState } from '#event-sourcing/aggregate.ts';
import { codecOf, type RawEvent } from '#event-sourcing/codec.ts';
import type { DomainEvent, RecordedEvent } from '#event-sourcing/event.ts';
import {
  IdempotencyRecorded,
  idempotencyStream,
  NumberTaken,
  ParkedRetryRequested,
  REBUILDS_STREAM,
  RebuildRequested,
  sequenceStream,
} from '#event-sourcing/system-events.ts';
import { apiKey } from './api-key/api-key.ts';
import { claim } from './claim/claim.ts';
import { customer } from './customer/customer.ts';
import { environment } from './environment/environment.ts';
import { mailJob } from './mail-job/mail-job.ts';
import { merchant } from './merchant/merchant.ts';
import { person } from './person/person.ts';
import { policy } from './policy/policy.ts';
import { product } from './product/product.ts';
import { provider } from './provider/provider.ts';
import { quoteRequest } from './quote/quote.ts';
import { CustomerReserved, ValueReserved } from './reservations.ts';
import { metadataSchema } from './tags.ts';

/** Every aggregate of the domain. */
export const AGGREGATES = [
  merchant,
  environment,
  apiKey,
  person,
  provider,
  product,
  customer,
  quoteRequest,
  policy,
  claim,
  mailJob,
] as const;

/** The events that belong to no aggregate, with the names of their streams. */
export const SYSTEM_EVENTS = [
  { event: ValueReserved, stream: '<kind>-<scope>-<SHA-256 of the value>' },
  {
    event: CustomerReserved,
    stream: '<customerReference or customerIdentity>-<tenant id>-<live or test>-<SHA-256 of the value>',
  },
  { event: IdempotencyRecorded, stream: idempotencyStream('<command id>') },
  { event: NumberTaken, stream: sequenceStream('<name>') },
  { event: ParkedRetryRequested, stream: 'parked-<collection>-<SHA-256 of the key>' },
  { event: RebuildRequested, stream: REBUILDS_STREAM },
];

type EventTypeOf<A> = A extends { evolve: (state: never, event: infer E) => unknown }
  ? E extends { readonly type: infer Type extends string }
    ? Type
    : never
  : never;
export type EventType = EventTypeOf<(typeof AGGREGATES)[number]> | (typeof SYSTEM_EVENTS)[number]['event']['type'];

const codec = codecOf(
  [...AGGREGATES.flatMap(({ events }) => events), ...SYSTEM_EVENTS.map(({ event }) => event)],
  metadataSchema,
);

export const EVENT_DEFINITIONS = codec.definitions;
/** As in `Codec`, for every event of the domain. */
export const { decode, decodeMetadata, encode, keepDecoded, typeOf } = codec;

/**
 * Reads a stream and folds it to the state of its aggregate; undefined when the stream does not exist.
 * @throws {UnreadableEvent}
 */
export async function loadState<State, E extends DomainEvent>(
  aggregate: Aggregate<State, E>,
  stream: string,
  store: { readStream(stream: string): Promise<readonly RawEvent[]> },
): Promise<State | undefined> {
  const events = await store.readStream(stream);
  return foldState(
    aggregate,
    events.map((raw) => decode(raw) as RecordedEvent<E>),
  );
}
