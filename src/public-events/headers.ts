import { z } from 'zod';
import { uuid } from '#event-sourcing/identifiers.ts';
import { instant } from '#event-sourcing/time.ts';

/** Digits of the attribute `sequence`, so that it compares as text. */
export const SEQUENCE_DIGITS = 10;

const traceparent = z.string().exactOptional();

/**
 * The headers of a public message: the attributes of the CloudEvent, with the prefix of the Kafka protocol binding
 * (CloudEvents 1.0), and those of Kafka clients.
 */
export const messageHeaders = z.strictObject({
  ce_specversion: z.literal('1.0').describe('Version of CloudEvents.'),
  ce_id: uuid.describe('Id of the event, the same in every repeat: drop ids that you have processed.'),
  ce_source: z.literal('urn:surety').describe('The producer.'),
  ce_type: z.string().describe('Type of the event, which names the schema of its data.'),
  ce_time: instant.describe('When the event was recorded, in UTC.'),
  ce_subject: uuid.describe('The key of the message: the policy, claim, merchant, provider or product.'),
  ce_sequence: z
    .string()
    .regex(/^\d+$/)
    .min(SEQUENCE_DIGITS)
    .describe(
      `Revision of the event in the stream of the subject, padded to ${SEQUENCE_DIGITS} digits: it grows, with gaps, because not every event is public.`,
    ),
  ce_dataschema: z.url().describe('Address of the JSON Schema of the data.'),
  ce_merchant: uuid.exactOptional().describe('The merchant (tenant id); absent where the event belongs to none.'),
  ce_traceparent: traceparent.describe('W3C trace context of the request that caused the event, if it had one.'),
  traceparent: traceparent.describe('The same, for clients that continue traces from headers.'),
  'content-type': z.literal('application/json').describe('Type of the data.'),
});

export type MessageHeaders = z.infer<typeof messageHeaders>;

/** Prefix of the headers that are attributes of the CloudEvent. */
export const ATTRIBUTE_PREFIX = 'ce_';
