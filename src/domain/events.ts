import { codecOf } from '../event-sourcing/codec.ts';
import {
  SYSTEM_EVENT_UPCASTERS,
  IdempotencyRecorded,
  IdempotencyRecordedV1,
  NumberTaken,
  ParkedRetryRequested,
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

/** What stands in the log besides: it belongs to no aggregate. */
export const SYSTEM_EVENTS = [
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
export type SystemEventName = (typeof SYSTEM_EVENTS)[number]['type'];
/** The name of every event that may be written, with its version. */
export type StoredEventName = EventNameOf<(typeof AGGREGATES)[number]> | SystemEventName;

const codec = codecOf(
  [...AGGREGATES.flatMap(({ events }) => events), ...SYSTEM_EVENTS],
  new Map([...AGGREGATES.map(({ upcasters }) => upcasters), SYSTEM_EVENT_UPCASTERS].flatMap(Object.entries)),
  metadataSchema,
);

/** Every event that may stand in the log, by its stored name. */
export const EVENT_DEFINITIONS = codec.definitions;
/** As in `Codec`, for every event of the domain. */
export const decode = codec.decode;
/** As in `Codec`, for every event of the domain. */
export const assertStorable = codec.assertStorable;
