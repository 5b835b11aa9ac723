import { z } from 'zod';
import type { Aggregate } from '#event-sourcing/aggregate.ts';
import { defineEvent, type EventOf, type RecordedEvent } from '#event-sourcing/event.ts';
import { sha256Hex, uuid } from '#event-sourcing/identifiers.ts';

export const apiKeyStream = (keyId: string): string => `apiKey-${keyId}`;

const ApiKeyIssued = defineEvent('ApiKeyIssued.v1', 'An API key was issued.', {
  keyId: z.string(),
  keyHash: sha256Hex.describe('SHA-256 of the whole key. The key itself is not stored.'),
  label: z.string(),
  grant: z.discriminatedUnion('role', [
    z.object({
      role: z.literal('merchant'),
      environmentId: z.int(),
      testMode: z.boolean(),
      merchantId: uuid.describe('Tenant id.'),
    }),
    z.object({ role: z.literal('admin') }),
    z.object({ role: z.literal('auditor') }),
  ]),
});
export const ApiKeyRevoked = defineEvent('ApiKeyRevoked.v1', 'An API key was revoked.', { keyId: z.string() });

export type ApiKeyEvent = EventOf<typeof ApiKeyIssued> | EventOf<typeof ApiKeyRevoked>;

export type KeyGrant = EventOf<typeof ApiKeyIssued>['data']['grant'];

export function merchantOf(grant: KeyGrant): Extract<KeyGrant, { readonly role: 'merchant' }> | undefined {
  return grant.role === 'merchant' ? grant : undefined;
}

interface ApiKeyDetails {
  readonly keyId: string;
  readonly keyHash: string;
  readonly label: string;
  readonly grant: KeyGrant;
}
export type ApiKeyState =
  | (ApiKeyDetails & { readonly status: 'usable' })
  | (ApiKeyDetails & { readonly status: 'revoked' });

function evolve(state: ApiKeyState | undefined, event: RecordedEvent<ApiKeyEvent>): ApiKeyState {
  if (event.type === 'ApiKeyIssued') {
    const { effectiveAt: _, ...details } = event.data;
    return { ...details, status: 'usable' };
  }
  if (state === undefined) throw new Error(`${event.type} in ${event.stream} before the key exists`);
  return { ...state, status: 'revoked' };
}

export const apiKey: Aggregate<ApiKeyState, ApiKeyEvent> = {
  category: 'apiKey',
  events: [ApiKeyIssued, ApiKeyRevoked],
  evolve,
};
