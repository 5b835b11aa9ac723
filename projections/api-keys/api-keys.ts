import { z } from 'zod';
import type { ApiKeyEvent } from '#domain/api-key/api-key.ts';
import { instant } from '#event-sourcing/time.ts';
import type { RecordedEvent } from '#event-sourcing/event.ts';
import { accessSchema, ROLES } from '#domain/values/rights.ts';
import { ownedValue } from '../owner.ts';
import { defineProjection, requireDocument } from '../projection.ts';
import type { ResourceOf } from '../schema.ts';

export const keySchema = z
  .strictObject({
    key_id: z.string().meta({ description: 'The public id, by which it is revoked' }),
    label: z.string().meta({ description: 'Who or what uses the key' }),
    role: z.enum(ROLES).meta({ description: 'Of a key of a person: at the time of the issue' }),
    provider_id: z.uuid().nullable().meta({
      description: 'The insurer of a key with the role `insurer`; of a key of a person: at the time of the issue',
    }),
    person_id: z.uuid().nullable().meta({ description: 'The person whose key it is' }),
    access: accessSchema.meta({ description: '`read`: changes nothing' }),
    expires_at: instant.nullable().meta({ description: 'From then on it is rejected' }),
    created_at: instant,
    revoked_at: instant.nullable(),
  })
  .meta({ id: 'ApiKey' });

export interface ApiKeyDocument extends ResourceOf<typeof keySchema> {
  /** Null for a key of the platform or of an insurer. */
  readonly environment_id: number | null;
}

/**
 * API keys by their public id, for lists only: the check of a key reads its stream
 * (`src/service/security/key-ring.ts`).
 */
export const apiKeys = defineProjection<ApiKeyDocument>({
  name: 'api_keys',
  version: 2,
  categories: ['apiKey'],
  indexNames: ['environment', 'expires', 'environment_expires'],
  fold: (document, event) => fold(document, event as RecordedEvent<ApiKeyEvent>),
  indexes: ({ environment_id, expires_at, revoked_at }) => {
    const expires = revoked_at === null ? expires_at : null;
    const isOfEnvironment = expires !== null && environment_id !== null;
    const environment_expires = isOfEnvironment ? ownedValue(String(environment_id), expires) : null;
    return { environment: environment_id, expires, environment_expires };
  },
});

function fold(document: ApiKeyDocument | undefined, event: RecordedEvent<ApiKeyEvent>): ApiKeyDocument {
  const at = event.metadata.recordedAt;
  if (event.type === 'ApiKeyRevoked') return { ...requireDocument(document, event), revoked_at: at };
  const { keyId, label, grant, personId: person_id, access, expiresAt: expires_at } = event.data;
  return {
    key_id: keyId,
    label,
    role: grant.role,
    provider_id: grant.role === 'insurer' ? grant.providerId : null,
    person_id,
    access,
    expires_at,
    environment_id: grant.role === 'merchant' ? grant.environmentId : null,
    created_at: at,
    revoked_at: null,
  };
}
