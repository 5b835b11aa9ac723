import { expect, test } from '@jest/globals';
import { derivedId } from '#event-sourcing/identifiers.ts';
import { MERCHANT_ID, type SampleEvent, toRecorded } from '#test/support/sample-events.ts';
import { type ApiKeyDocument, apiKeys } from './api-keys.ts';

const sample = (type: string, data: object): SampleEvent => ({
  stream: 'apiKey-k1',
  type,
  data: { keyId: 'k1', ...data },
  tags: {},
});
const issued = (grant: object) =>
  sample('ApiKeyIssued', {
    keyHash: 'a'.repeat(64),
    label: 'web shop',
    grant,
    personId: null,
    authority: null,
    access: 'full',
    expiresAt: null,
  });
const foldEvents = (...samples: readonly SampleEvent[]): ApiKeyDocument | undefined =>
  toRecorded(...samples).reduce<ApiKeyDocument | undefined>(
    (document, event) => apiKeys.fold(document, event),
    undefined,
  );

test('A key of an environment is found by its number, and its document has neither the hash nor the merchant', () => {
  const document = foldEvents(
    issued({ role: 'merchant', environmentId: 7, testMode: false, merchantId: MERCHANT_ID }),
    sample('ApiKeyRevoked', {}),
  );
  expect(document).toEqual({
    key_id: 'k1',
    label: 'web shop',
    role: 'merchant',
    provider_id: null,
    person_id: null,
    access: 'full',
    expires_at: null,
    environment_id: 7,
    created_at: expect.any(String),
    revoked_at: expect.any(String),
  });
  expect(document && apiKeys.indexes(document)).toEqual({ environment: 7, expires: null, environment_expires: null });
});

test('A key of the platform has no environment, and a key that is not revoked no time of revocation', () => {
  const document = foldEvents(issued({ role: 'auditor' }));
  expect(document).toMatchObject({ role: 'auditor', environment_id: null, revoked_at: null });
  expect(document && apiKeys.indexes(document)).toEqual({
    environment: null,
    expires: null,
    environment_expires: null,
  });
});

test('A key of an insurer has its id, and is listed among those of the platform', () => {
  const providerId = derivedId('provider');
  const document = foldEvents(issued({ role: 'insurer', providerId }));
  expect(document).toMatchObject({ role: 'insurer', provider_id: providerId, environment_id: null });
});

test('A revocation before the issue is rejected', () => {
  expect(() => foldEvents(sample('ApiKeyRevoked', {}))).toThrow('ApiKeyRevoked.v1 came before what it changes');
});
