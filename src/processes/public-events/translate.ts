import { AGGREGATES, decode, typeOf } from '../../domain/events.ts';
import { categoryOf } from '../../event-sourcing/aggregate.ts';
import type { RawEvent } from '../../event-sourcing/codec.ts';
import type { DomainEvent, RecordedEvent } from '../../event-sourcing/event.ts';
import type { PublicMessage } from '../../messaging/public-events.ts';
import { CLAIM_EVENTS, claimTranslations } from './claims.ts';
import type { PublicEvent, PublicEventDefinition, Translation } from './definition.ts';
import { MERCHANT_EVENTS, merchantTranslations, PROVIDER_EVENTS, providerTranslations } from './parties.ts';
import { POLICY_EVENTS, policyTranslations } from './policies.ts';
import { PRODUCT_EVENTS, productTranslations } from './products.ts';
import { topicOf } from './topics.ts';

export const PUBLIC_EVENTS: readonly PublicEventDefinition[] = [
  ...POLICY_EVENTS,
  ...CLAIM_EVENTS,
  ...MERCHANT_EVENTS,
  ...PROVIDER_EVENTS,
  ...PRODUCT_EVENTS,
];

const SOURCE = 'urn:surety';

/** By the newest stored name of the event; all other events are not public. */
const TRANSLATIONS: ReadonlyMap<string, Translation> = new Map(
  Object.entries({
    ...policyTranslations,
    ...claimTranslations,
    ...merchantTranslations,
    ...providerTranslations,
    ...productTranslations,
  }).flatMap(([type, translation]) =>
    translation === undefined ? [] : [[type, translation as Translation<DomainEvent>] as const],
  ),
);

/** Stream categories with public events. A known event of another category need not be decoded. */
const CATEGORIES: ReadonlySet<string> = new Set(
  AGGREGATES.filter(({ events }) => events.some(({ type }) => TRANSLATIONS.has(type))).map(({ category }) => category),
);

/**
 * Returns the public message of a stored event, as a CloudEvent 1.0 in binary mode; undefined when the event is not public. The same
 * event always gives the same message.
 * @throws {UnreadableEvent} when the event may be public in a newer version
 */
export function messageOf(event: RawEvent): PublicMessage | undefined {
  if (!CATEGORIES.has(categoryOf(event.stream)) && typeOf(event) !== undefined) return undefined;
  const recorded = decode(event);
  const translation = TRANSLATIONS.get(recorded.type);
  return translation === undefined ? undefined : toMessage(recorded, translation(recorded));
}

function toMessage(event: RecordedEvent, { definition, aggregateId, visibility, data }: PublicEvent): PublicMessage {
  const { recordedAt, traceparent } = event.metadata;
  return {
    topic: topicOf(definition.subject, visibility),
    key: aggregateId,
    headers: {
      ce_specversion: '1.0',
      ce_id: event.id,
      ce_source: SOURCE,
      ce_type: definition.type,
      ce_time: recordedAt,
      ce_subject: aggregateId,
      'content-type': 'application/json',
      ...(traceparent === undefined ? {} : { traceparent }),
    },
    value: JSON.stringify(data),
  };
}
