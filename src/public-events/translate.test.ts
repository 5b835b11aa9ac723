import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { anyDataOf, PERSONAL_MARK } from '#test/support/any-event.ts';
import { MERCHANT_ID, sampleId, policyPurchased, toStored, valueReserved } from '#test/support/sample-events.ts';
import { AGGREGATES, decode } from '#domain/events.ts';
import { type RawEvent, UnreadableEvent } from '#event-sourcing/codec.ts';
import { SUBJECTS } from './definition.ts';
import { readCorpus } from '#test/support/corpus.ts';
import { messageOf, TEST_ORIGIN } from '#test/support/translator.ts';
import { PUBLIC_EVENTS } from './translate.ts';

const SUBJECT_OF: Readonly<Record<string, string>> = {
  policy: 'policies',
  claim: 'claims',
  merchant: 'merchants',
  provider: 'providers',
  product: 'products',
};
/** Every event of a stream category that has public events. */
const DEFINITIONS = AGGREGATES.filter(({ category }) => category in SUBJECT_OF).flatMap(({ category, events }) =>
  events.map((definition) => [definition.wireName, category, definition] as const),
);

const stored = (category: string, type: string, data: unknown): RawEvent => ({
  id: '4c4c4c4c-0000-4000-8000-000000000001',
  stream: `${category}-4c4c4c4c-0000-4000-8000-000000000002`,
  revision: 0,
  position: 1n,
  type,
  data,
  metadata: {
    recordedAt: '2026-03-01T10:00:00.000Z',
    $correlationId: 'c',
    $causationId: 'c',
    actor: { role: 'system', keyId: null },
    requestId: PERSONAL_MARK,
    command: { name: 'Any', id: 'c' },
  },
});

describe('Over any events', () => {
  test.each(DEFINITIONS)('%s leaks nothing personal and is as its schema says', (type, category, definition) => {
    fc.assert(
      fc.property(anyDataOf(definition), (data) => {
        const event = stored(category, type, data);
        expect(() => decode(event)).not.toThrow();
        const message = messageOf(event);
        if (message === undefined) return;
        expect(JSON.stringify(message)).not.toContain(PERSONAL_MARK);
        const publicDefinition = PUBLIC_EVENTS.find((one) => one.type === message.headers['ce_type']);
        expect(publicDefinition?.schema.safeParse(JSON.parse(message.value)).error).toBeUndefined();
        expect(message.topic).toMatch(new RegExp(`^surety\\.(test\\.)?${SUBJECT_OF[category] ?? ''}\\.v1$`));
        const isTest = data['testMode'] === true || data['visibility'] === 'test';
        expect(message.topic.startsWith('surety.test.')).toBe(isTest);
        expect(message.value).toContain(message.key);
      }),
      { numRuns: 100 },
    );
  });

  test('every public event is the translation of a stored one', () => {
    const published = DEFINITIONS.flatMap(([type, category, definition]) =>
      fc
        .sample(anyDataOf(definition), { numRuns: 30, seed: 1 })
        .map((data) => messageOf(stored(category, type, data))?.headers['ce_type']),
    );
    for (const { type } of PUBLIC_EVENTS) expect(published).toContain(type);
  });
});

describe('A policy that was bought', () => {
  test('becomes a CloudEvent in binary mode', () => {
    const [event] = toStored(policyPurchased(1, 1));
    if (event === undefined) throw new Error('nothing happened');
    const message = messageOf({ ...event, metadata: { ...(event.metadata as object), traceparent: '00-aa-bb-01' } });
    expect(message).toEqual({
      topic: 'surety.policies.v1',
      key: sampleId('policy', 1),
      headers: {
        ce_specversion: '1.0',
        ce_id: event.id,
        ce_source: 'urn:surety',
        ce_type: 'surety.policy.purchased.v1',
        ce_time: '2026-03-01T10:00:00.000Z',
        ce_subject: sampleId('policy', 1),
        ce_sequence: '0000000000',
        ce_dataschema: `${TEST_ORIGIN}/docs/public-events/surety.policy.purchased.v1.json`,
        ce_merchant: MERCHANT_ID,
        ce_traceparent: '00-aa-bb-01',
        'content-type': 'application/json',
        traceparent: '00-aa-bb-01',
      },
      value: expect.any(String),
    });
    expect(JSON.parse(message?.value ?? '')).toMatchObject({
      status: 'active',
      currency: 'NGN',
      premium: '100.00',
      effective_from: '2025-01-01',
      policy_duration: 365,
    });
  });

  test('is published to the test topic when it was bought in test mode', () => {
    const [event] = toStored(policyPurchased(1, 1, undefined, { testMode: true }));
    expect(messageOf(event as RawEvent)?.topic).toBe('surety.test.policies.v1');
  });
});

test('A note and a document of a claim are published without text, name and label', () => {
  const ids = { claimId: sampleId('claim', 1), policyId: sampleId('policy', 1), customerId: sampleId('customer', 1) };
  const base = {
    ...ids,
    effectiveAt: '2026-03-10',
    merchantId: MERCHANT_ID,
    environmentId: 1,
    testMode: false,
    currency: 'NGN',
  };
  const document = {
    name: 'secret.pdf',
    evidenceType: 'photo',
    contentType: 'application/pdf',
    sha256: 'a'.repeat(64),
    bytes: 1,
    uploadedAt: '2026-03-10T00:00:00.000Z',
  };
  const event = (type: string, data: object) => {
    const { metadata, ...rest } = stored('claim', type, { ...base, ...data });
    const actor = { role: 'merchant', keyId: 'k1', label: 'a label' };
    return messageOf({ ...rest, metadata: { ...(metadata as object), actor } })?.value ?? '';
  };
  const by = { role: 'merchant', key_id: 'k1' };
  expect(JSON.parse(event('ClaimNoteAdded.v1', { text: 'secret' }))).toMatchObject({ claim_id: ids.claimId, by });
  expect(JSON.parse(event('ClaimDocumentsAdded.v1', { documents: [document] }))).toMatchObject({
    documents: [{ sha256: document.sha256 }],
    by,
  });
  for (const text of [
    event('ClaimNoteAdded.v1', { text: 'secret' }),
    event('ClaimDocumentsAdded.v1', { documents: [document] }),
  ])
    expect(text).not.toMatch(/secret|a label/);
});

describe('Events that are not public', () => {
  test('give no message', () => {
    const [event] = toStored(valueReserved(1));
    expect(messageOf(event as RawEvent)).toBeUndefined();
  });

  test('throw when this version does not know them, because they may be public in a newer one', () => {
    expect(() => messageOf(stored('policy', 'PolicyExtended.v1', {}))).toThrow(UnreadableEvent);
    expect(() => messageOf(stored('novelty', 'NoveltyMade.v1', {}))).toThrow(UnreadableEvent);
    expect(() => messageOf(stored('policy', 'PolicyActivated.v1', {}))).toThrow(UnreadableEvent);
  });
});

test('every event of the corpus becomes a message that fits its schema, or none', () => {
  const messages = readCorpus().flatMap((event) => messageOf(event) ?? []);
  expect(messages.length).toBeGreaterThan(SUBJECTS.length);
  for (const { headers, value } of messages) {
    const publicDefinition = PUBLIC_EVENTS.find(({ type }) => type === headers['ce_type']);
    expect(publicDefinition?.schema.safeParse(JSON.parse(value)).error).toBeUndefined();
  }
});
