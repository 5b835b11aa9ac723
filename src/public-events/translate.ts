import { decode } from '#domain/events.ts';
import { isPublicEvent, merchantOfEvent } from '#domain/public-events.ts';
import type { RawEvent } from '#event-sourcing/codec.ts';
import type { DomainEvent } from '#event-sourcing/event.ts';
import type { PublicMessage } from '#stores/messaging/messaging.ts';
import { claims } from './claims.ts';
import type { PublicEvent, PublicEventsOf } from './definition.ts';
import { ATTRIBUTE_PREFIX, type MessageHeaders, SEQUENCE_DIGITS } from './headers.ts';
import { merchants, providers } from './parties.ts';
import { policies } from './policies.ts';
import { products } from './products.ts';
import { topicOf } from './topics.ts';

interface Translation extends Omit<PublicEventsOf<DomainEvent>, 'events'> {
  readonly definition: PublicEvent;
}

/** By the newest stored name of the event; all other events are not public. */
const TRANSLATIONS: ReadonlyMap<string, Translation> = new Map(
  [policies, claims, merchants, providers, products].flatMap(({ events, ...ofAggregate }) =>
    Object.entries(events as Readonly<Record<string, PublicEvent>>).map(
      ([type, definition]) => [type, { ...ofAggregate, definition } as Translation] as const,
    ),
  ),
);

/** Every type of public event, with the subject whose topics have it. */
export const PUBLIC_EVENTS: readonly (PublicEvent & Pick<Translation, 'subject'>)[] = [
  ...new Map(
    [...TRANSLATIONS.values()].map(({ definition, subject }) => [definition.type, { ...definition, subject }]),
  ).values(),
];

/** Translates stored events to public ones. */
export interface Translator {
  /** Address of Surety, of which `dataschema` is made. */
  readonly origin: string;
  /**
   * Returns the public message of a stored event, as a CloudEvent 1.0 in binary mode; undefined when the event is not
   * public. The same event always gives the same message.
   * @throws {UnreadableEvent} when the event may be public in a newer version
   */
  readonly messageOf: (event: RawEvent) => PublicMessage | undefined;
}

/**
 * Creates a translator.
 * @param origin Address of Surety, of which `dataschema` is made: it locates the schemas and identifies nothing
 */
export function createTranslator(origin: string): Translator {
  return { origin, messageOf: (event) => messageOf(event, origin) };
}

/** Returns the address of the JSON Schema of a type's data. @param origin empty for its path */
export function schemaAddress(origin: string, type: string): string {
  return `${origin}/docs/public-events/${type}.json`;
}

function messageOf(event: RawEvent, origin: string): PublicMessage | undefined {
  if (!isPublicEvent(event)) return undefined;
  const recorded = decode(event);
  const translation = TRANSLATIONS.get(recorded.type);
  if (translation === undefined) return undefined;
  const { subject, aggregateIdOf, visibilityOf, definition } = translation;
  const { recordedAt, traceparent } = recorded.metadata;
  const aggregateId = aggregateIdOf(recorded.data);
  const merchant = merchantOfEvent(event.stream, recorded.metadata);
  const headers: MessageHeaders = {
    ce_specversion: '1.0',
    ce_id: event.id,
    ce_source: 'urn:surety',
    ce_type: definition.type,
    ce_time: recordedAt,
    ce_subject: aggregateId,
    ce_sequence: String(event.revision).padStart(SEQUENCE_DIGITS, '0'),
    ce_dataschema: schemaAddress(origin, definition.type),
    ...(merchant === undefined ? {} : { ce_merchant: merchant }),
    ...(traceparent === undefined ? {} : { ce_traceparent: traceparent, traceparent }),
    'content-type': 'application/json',
  };
  return {
    topic: topicOf(subject, visibilityOf(recorded.data)),
    key: aggregateId,
    headers,
    value: JSON.stringify(definition.translate(recorded)),
  };
}

/** Returns a public message as a CloudEvent 1.0 in structured mode, whose `data` are the value byte for byte. */
export function structuredEvent({ headers, value }: Pick<PublicMessage, 'headers' | 'value'>): string {
  const attributes = Object.entries(headers).flatMap(([name, text]) =>
    name.startsWith(ATTRIBUTE_PREFIX) ? [[name.slice(ATTRIBUTE_PREFIX.length), text] as const] : [],
  );
  const envelope = { ...Object.fromEntries(attributes), datacontenttype: headers['content-type'] };
  return `${JSON.stringify(envelope).slice(0, -1)},"data":${value}}`;
}
