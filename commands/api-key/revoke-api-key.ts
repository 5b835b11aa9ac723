import { z } from 'zod';
import { ApiKeyRevoked, apiKey, apiKeyStream, merchantOf } from '#domain/api-key/api-key.ts';
import { merchantTags } from '#domain/tags.ts';
import { refusalsOf } from '#domain/refusals.ts';
import { defineChange } from '../command.ts';
import { requireExisting } from '../shared/require-existing.ts';
import { line } from '../shared/fields.ts';

const refuse = refusalsOf('key_not_found', 'key_already_revoked');

/**
 * Revokes a key. The key enters the list of revoked keys before the response, even if the command is refused because
 * the key was revoked before, so it is rejected from the next request on, however far the projector lags.
 */
export const revokeApiKey = defineChange({
  name: 'RevokeApiKey',
  summary: 'Revokes an API key; it is rejected from the next request on.',
  description: 'Revokes the key permanently, with immediate effect.',
  input: z.strictObject({ key_id: line(255) }),
  example: { key_id: 'bsras3sbRVoC' },
  response: z.strictObject({}),
  errors: refuse.codes,
  roles: ['admin'],
  aggregate: apiKey,
  find: async ({ key_id: keyId }, context) => {
    const loaded = await context.loadTarget(apiKey, apiKeyStream(keyId));
    return requireExisting(loaded, () => refuse('key_not_found', `There is no key with the id ${keyId}`));
  },
  prepare: async ({ key_id: keyId }, context, found) => {
    await context.services.revokeKey(keyId);
    return found;
  },
  decide({ keyId, status }) {
    if (status === 'revoked') throw refuse('key_already_revoked', `The key ${keyId} is revoked already`);
    return [{ type: ApiKeyRevoked.type, data: { keyId } }];
  },
  tags: ({ grant }) => merchantTags(merchantOf(grant)),
});
