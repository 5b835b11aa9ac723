import type { ZodError } from 'zod';
import { apiKey } from './api-key.ts';
import {
  BOOKKEEPING_UPCASTERS,
  IdempotencyRecorded,
  IdempotencyRecordedV1,
  NumberTaken,
  ParkedRetryRequested,
} from './bookkeeping.ts';
import { claim } from './claim.ts';
import { customer } from './customer.ts';
import { type Moment, moment } from './dates.ts';
import { environment } from './environment.ts';
import { type DomainEvent, type EventDefinition, metadataSchema, type Recorded, type Upcaster } from './event.ts';
import { mailJob } from './mail-job.ts';
import { merchant } from './merchant.ts';
import { policy } from './policy.ts';
import { product } from './product.ts';
import { provider } from './provider.ts';
import { quoteRequest } from './quote.ts';
import { CustomerEmailReserved, ValueReserved } from './reservation.ts';

/** Every aggregate of the domain. */
export const AGGREGATES = [
  merchant,
  environment,
  apiKey,
  provider,
  product,
  customer,
  quoteRequest,
  policy,
  claim,
  mailJob,
] as const;

/** What stands in the log besides: it belongs to no aggregate. */
export const BOOKKEEPING = [
  ValueReserved,
  CustomerEmailReserved,
  IdempotencyRecordedV1,
  IdempotencyRecorded,
  NumberTaken,
  ParkedRetryRequested,
];

type EventNameOf<A> = A extends { evolve: (state: never, event: infer E) => unknown }
  ? E extends { readonly type: infer Name extends string }
    ? Name
    : never
  : never;
export type BookkeepingName = (typeof BOOKKEEPING)[number]['type'];
/** The name of every event that may be written, with its version. */
export type StoredEventName = EventNameOf<(typeof AGGREGATES)[number]> | BookkeepingName;

/** What the codec needs of a stored event; `StoredEvent` of the event store's port is one. */
export interface RawEvent {
  readonly id: string;
  readonly stream: string;
  readonly revision: number;
  readonly position: bigint;
  readonly type: string;
  readonly data: unknown;
  readonly metadata: unknown;
}

/** An event of the log that this program cannot read: unknown, or not what its schema says. The log of errors shows where it lies. */
export class UnreadableEvent extends Error {
  override readonly name = 'UnreadableEvent';
  readonly eventId: string;
  readonly stream: string;
  readonly revision: number;
  constructor(reason: string, { id, stream, revision }: Pick<RawEvent, 'id' | 'stream' | 'revision'>) {
    super(reason);
    this.eventId = id;
    this.stream = stream;
    this.revision = revision;
  }
}

/** When an event was recorded, also when the rest of it cannot be read; undefined when it does not tell. */
export function rawRecordedAt({ metadata }: Pick<RawEvent, 'metadata'>): Moment | undefined {
  const told = moment.safeParse((metadata as { recordedAt?: unknown } | null | undefined)?.recordedAt);
  return told.success ? told.data : undefined;
}

/** Reads and checks the events of a set of definitions. */
export interface Codec {
  /** Every event that may stand in the log, by its stored name. */
  readonly definitions: ReadonlyMap<string, EventDefinition>;
  /**
   * The one edge at which stored events come in: parses data and metadata by their schemas and brings old versions up.
   * @throws {UnreadableEvent}
   */
  readonly decode: (raw: RawEvent) => Recorded;
  /** The one edge at which events go out. @throws {Error} when an event breaks its own storage contract. */
  readonly assertStorable: (event: DomainEvent) => void;
}

/** The codec of these definitions; an upcaster stands under the name of the version that it brings up. */
export function codecOf(known: readonly EventDefinition[], upcasters: ReadonlyMap<string, Upcaster>): Codec {
  const definitions = new Map(known.map((definition) => [definition.type, definition]));

  function decode(raw: RawEvent): Recorded {
    const definition = definitions.get(raw.type);
    if (definition === undefined) throw new UnreadableEvent(`unknown event type ${raw.type}`, raw);
    const data = definition.schema.safeParse(raw.data);
    if (!data.success) throw new UnreadableEvent(`data of ${raw.type}: ${explain(data.error)}`, raw);
    const metadata = metadataSchema.safeParse(raw.metadata);
    if (!metadata.success) throw new UnreadableEvent(`metadata of ${raw.type}: ${explain(metadata.error)}`, raw);
    let event: DomainEvent = { type: raw.type, data: data.data };
    for (let up = upcasters.get(event.type); up !== undefined; up = upcasters.get(event.type))
      event = up(event.data as never);
    const { id, stream, revision, position } = raw;
    return { ...event, id, stream, revision, position, metadata: metadata.data };
  }

  function assertStorable(event: DomainEvent): void {
    const definition = definitions.get(event.type);
    if (definition === undefined) throw new Error(`event type ${event.type} is not declared`);
    const parsed = definition.schema.safeParse(event.data);
    if (!parsed.success) throw new Error(`${event.type} breaks its contract: ${explain(parsed.error)}`);
  }

  return { definitions, decode, assertStorable };
}

const codec = codecOf(
  [...AGGREGATES.flatMap(({ events }) => events), ...BOOKKEEPING],
  new Map([...AGGREGATES.map(({ upcasters }) => upcasters), BOOKKEEPING_UPCASTERS].flatMap(Object.entries)),
);

/** Every event that may stand in the log, by its stored name. */
export const EVENT_DEFINITIONS = codec.definitions;
/** As in `Codec`, for every event of the domain. */
export const decode = codec.decode;
/** As in `Codec`, for every event of the domain. */
export const assertStorable = codec.assertStorable;

/** Names the wrong fields, never their values: the text may end in a log. */
function explain(error: ZodError): string {
  return error.issues.map((issue) => `${issue.path.join('.') || '(root)'} ${issue.code}`).join(', ');
}
