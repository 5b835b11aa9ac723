import { decode, typeOf } from '../../domain/events.ts';
import type { RawEvent } from '../../event-sourcing/codec.ts';
import type { DomainEvent, Recorded } from '../../event-sourcing/event.ts';
import type { PublicMessage } from '../../messaging/public-events.ts';
import { CLAIM_EVENTS, claimTranslations } from './claims.ts';
import type { PublicEvent, PublicEventDefinition, Translation } from './definition.ts';
import { MERCHANT_EVENTS, merchantTranslations, PROVIDER_EVENTS, providerTranslations } from './parties.ts';
import { POLICY_EVENTS, policyTranslations } from './policies.ts';
import { PRODUCT_EVENTS, productTranslations } from './products.ts';
import { topicOf } from './topics.ts';

/** Every type of public event there is. */
export const PUBLIC_EVENTS: readonly PublicEventDefinition[] = [
  ...POLICY_EVENTS,
  ...CLAIM_EVENTS,
  ...MERCHANT_EVENTS,
  ...PROVIDER_EVENTS,
  ...PRODUCT_EVENTS,
];

/** `ce_source` of everything: which service it is from. */
const SOURCE = 'urn:surety';

/** The events that outsiders need (design, Outward), by type; all others stay inside. */
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

/** First part of the streams of which anything is told; what is known and stands in others need not be read. */
const CATEGORIES: ReadonlySet<string> = new Set(['policy', 'claim', 'merchant', 'provider', 'product']);

/**
 * The message by which a stored event is told to outsiders, as a CloudEvent 1.0 in binary mode; undefined when it stays inside.
 * Always the same for the same event.
 * @throws {UnreadableEvent} when it may be one that a newer program tells
 */
export function messageOf(event: RawEvent): PublicMessage | undefined {
  const category = event.stream.slice(0, event.stream.indexOf('-'));
  if (!CATEGORIES.has(category) && typeOf(event) !== undefined) return undefined;
  const recorded = decode(event);
  const translation = TRANSLATIONS.get(recorded.type);
  return translation === undefined ? undefined : asMessage(recorded, translation(recorded));
}

function asMessage(event: Recorded, { definition, aggregateId, seenIn, data }: PublicEvent): PublicMessage {
  const { recordedAt, traceparent } = event.metadata;
  return {
    topic: topicOf(definition.subject, seenIn),
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
