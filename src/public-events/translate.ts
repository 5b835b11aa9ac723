import { decode } from '../domain/events.ts';
import { belongToMerchant, isPublicEvent } from '../domain/public-events.ts';
import type { RawEvent } from '../event-sourcing/codec.ts';
import type { DomainEvent } from '../event-sourcing/event.ts';
import type { PublicMessage } from '../messaging/public-events.ts';
import { claims } from './claims.ts';
import type { PublicEvent, PublicEventsOf } from './definition.ts';
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

export const PUBLIC_EVENTS: readonly PublicEvent[] = [
  ...new Map([...TRANSLATIONS.values()].map(({ definition }) => [definition.type, definition])).values(),
];

/** Digits of the attribute `sequence`, so that it compares as text. */
const SEQUENCE_DIGITS = 10;

/** Translates stored events to public ones. */
export interface Translator {
  /**
   * Returns the public message of a stored event, as a CloudEvent 1.0 in binary mode; undefined when the event is not public. The same
   * event always gives the same message.
   * @throws {UnreadableEvent} when the event may be public in a newer version
   */
  readonly messageOf: (event: RawEvent) => PublicMessage | undefined;
}

/**
 * Creates a translator.
 * @param origin Address of Surety, of which `dataschema` is made: it locates the schemas and identifies nothing
 */
export function createTranslator(origin: string): Translator {
  return { messageOf: (event) => messageOf(event, origin) };
}

function messageOf(event: RawEvent, origin: string): PublicMessage | undefined {
  if (!isPublicEvent(event)) return undefined;
  const recorded = decode(event);
  const translation = TRANSLATIONS.get(recorded.type);
  if (translation === undefined) return undefined;
  const { subject, aggregateIdOf, visibilityOf, definition } = translation;
  const { recordedAt, traceparent, merchant } = recorded.metadata;
  const aggregateId = aggregateIdOf(recorded.data);
  const isOfMerchant = belongToMerchant(event.stream) && typeof merchant === 'string';
  return {
    topic: topicOf(subject, visibilityOf(recorded.data)),
    key: aggregateId,
    headers: {
      ce_specversion: '1.0',
      ce_id: event.id,
      ce_source: 'urn:surety',
      ce_type: definition.type,
      ce_time: recordedAt,
      ce_subject: aggregateId,
      ce_sequence: String(event.revision).padStart(SEQUENCE_DIGITS, '0'),
      ce_dataschema: `${origin}/docs/public-events/${definition.type}.json`,
      ...(isOfMerchant ? { ce_merchant: merchant } : {}),
      ...(traceparent === undefined ? {} : { ce_traceparent: traceparent, traceparent }),
      'content-type': 'application/json',
    },
    value: JSON.stringify(definition.translate(recorded)),
  };
}

const ATTRIBUTE = 'ce_';

/** Returns a public message as a CloudEvent 1.0 in structured mode, whose `data` are the value byte for byte. */
export function structuredEvent({ headers, value }: PublicMessage): string {
  const attributes = Object.entries(headers).flatMap(([name, text]) =>
    name.startsWith(ATTRIBUTE) ? [[name.slice(ATTRIBUTE.length), text] as const] : [],
  );
  const envelope = { ...Object.fromEntries(attributes), datacontenttype: headers['content-type'] };
  return `${JSON.stringify(envelope).slice(0, -1)},"data":${value}}`;
}
