import { codecOf } from '../event-sourcing/codec.ts';
import {
  IdempotencyRecorded,
  NumberTaken,
  ParkedRetryRequested,
  RebuildEnded,
  RebuildRequested,
} from '../event-sourcing/system-events.ts';
import { apiKey } from './api-key/api-key.ts';
import { claim } from './claim/claim.ts';
import { customer } from './customer/customer.ts';
import { environment } from './environment/environment.ts';
import { mailJob } from './mail-job/mail-job.ts';
import { merchant } from './merchant/merchant.ts';
import { policy } from './policy/policy.ts';
import { product } from './product/product.ts';
import { provider } from './provider/provider.ts';
import { quoteRequest } from './quote/quote.ts';
import { CustomerEmailReserved, ValueReserved } from './reservations.ts';
import { metadataSchema } from './tags.ts';

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

/** The events that belong to no aggregate. */
export const SYSTEM_EVENTS = [
  ValueReserved,
  CustomerEmailReserved,
  IdempotencyRecorded,
  NumberTaken,
  ParkedRetryRequested,
  RebuildRequested,
  RebuildEnded,
];

type EventTypeOf<A> = A extends { evolve: (state: never, event: infer E) => unknown }
  ? E extends { readonly type: infer Type extends string }
    ? Type
    : never
  : never;
export type SystemEventType = (typeof SYSTEM_EVENTS)[number]['type'];
/** The type of every event. */
export type EventType = EventTypeOf<(typeof AGGREGATES)[number]> | SystemEventType;

const codec = codecOf([...AGGREGATES.flatMap(({ events }) => events), ...SYSTEM_EVENTS], metadataSchema);

/** Every event that may be in the log, by its wire name. */
export const EVENT_DEFINITIONS = codec.definitions;
/** As in `Codec`, for every event of the domain. */
export const { decode, decodeMetadata, encode, typeOf } = codec;
