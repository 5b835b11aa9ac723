import { z } from 'zod';
import type { Aggregate } from '#event-sourcing/aggregate.ts';
import { defineEvent, type EventOf, type RecordedEvent } from '#event-sourcing/event.ts';
import { sha256Hex, uuid } from '#event-sourcing/identifiers.ts';
import { instant } from '#event-sourcing/time.ts';
import type { KeyKind } from './key-format.ts';
import { accessSchema, authoritySchema } from '../values/rights.ts';

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
    z.object({ role: z.literal('insurer'), providerId: uuid }),
    z.object({ role: z.enum(['claims', 'admin', 'auditor']) }),
  ]),
  personId: uuid
    .nullable()
    .describe('The person who uses it, whose rights at each request count in place of those of the key.'),
  authority: authoritySchema.nullable().describe('Null: without a bound.'),
  access: accessSchema,
  expiresAt: instant.nullable().describe('From then on it is rejected.'),
});
export const ApiKeyRevoked = defineEvent('ApiKeyRevoked.v1', 'An API key was revoked.', { keyId: z.string() });

export type ApiKeyEvent = EventOf<typeof ApiKeyIssued> | EventOf<typeof ApiKeyRevoked>;

export type KeyGrant = EventOf<typeof ApiKeyIssued>['data']['grant'];

export function merchantOf(grant: KeyGrant): Extract<KeyGrant, { readonly role: 'merchant' }> | undefined {
  return grant.role === 'merchant' ? grant : undefined;
}

export function kindFor(grant: KeyGrant): KeyKind {
  if (grant.role !== 'merchant') return 'platform';
  return grant.testMode ? 'test' : 'live';
}

export type ApiKeyDetails = Omit<EventOf<typeof ApiKeyIssued>['data'], 'effectiveAt'>;
export type ApiKeyState = ApiKeyDetails & { readonly status: 'usable' | 'revoked' };

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
