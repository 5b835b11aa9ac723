import { describe, expect, test } from '@jest/globals';
import { apiKey } from '#domain/api-key/api-key.ts';
import { derivedId } from '#event-sourcing/identifiers.ts';
import { given } from '#test/support/given.ts';
import { issueApiKey } from './issue-api-key.ts';
import { revokeApiKey } from './revoke-api-key.ts';

const grant = { role: 'merchant', environmentId: 3, testMode: true, merchantId: derivedId('merchant') } as const;
const rights = { personId: null, authority: null, access: 'full', expiresAt: null } as const;
const key = { keyId: 'k1', keyHash: 'a'.repeat(64), label: 'till', grant, ...rights };
const issued = { type: 'ApiKeyIssued', data: key };
const revoked = { type: 'ApiKeyRevoked', data: { keyId: 'k1' } };

test('IssueApiKey records the hash of the key with its label and grant', () => {
  given().when(issueApiKey, key).then(issued);
});

describe('RevokeApiKey', () => {
  test('revokes a usable key', () => {
    given(issued).when(revokeApiKey, {}).then(revoked);
  });

  test('refuses a revoked key', () => {
    given(issued, revoked).when(revokeApiKey, {}).thenRefused('key_already_revoked');
  });
});

test('A key is what was issued, until it is revoked', () => {
  expect(given(issued).foldedBy(apiKey)).toEqual({ ...key, status: 'usable' });
  expect(given(issued, revoked).foldedBy(apiKey)).toEqual({ ...key, status: 'revoked' });
  expect(() => given(revoked).foldedBy(apiKey)).toThrow('before the key exists');
});
