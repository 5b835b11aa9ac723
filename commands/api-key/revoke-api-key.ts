import { z } from 'zod';
import {
  type ApiKeyEvent,
  type ApiKeyState,
  apiKey,
  apiKeyStream,
  merchantOf,
} from '../../src/domain/api-key/api-key.ts';
import { merchantTags } from '../../src/domain/tags.ts';
import type { NewEvent } from '../../src/event-sourcing/event.ts';
import { Refusal } from '../../src/domain/refusals.ts';
import { defineCommand } from '../command.ts';
import { requireExisting } from '../shared/require-existing.ts';
import { line } from '../shared/fields.ts';

function decideRevokeApiKey(current: ApiKeyState): NewEvent<ApiKeyEvent>[] {
  if (current.status === 'revoked') {
    throw new Refusal('key_already_revoked', `The key ${current.keyId} is revoked already`);
  }
  return [{ type: 'ApiKeyRevoked', data: { keyId: current.keyId } }];
}

/**
 * Revokes a key. The key enters the list of revoked keys before the response, even if the command is refused because
 * the key was revoked before, so it is rejected from the next request on, however far the projector lags.
 */
export const revokeApiKey = defineCommand({
  name: 'RevokeApiKey',
  summary: 'Revokes an API key; it is rejected from the next request on.',
  input: z.strictObject({ key_id: line(255) }),
  roles: ['admin'],
  aggregate: apiKey,
  decide: decideRevokeApiKey,
  handle: async ({ key_id: keyId }, context) => {
    const loaded = await context.loadTarget(apiKey, apiKeyStream(keyId));
    const found = requireExisting(loaded, 'key_not_found', `There is no key with the id ${keyId}`);
    await context.services.revokeKey(keyId);
    const events = decideRevokeApiKey(found.state);
    return { target: found, events, tags: merchantTags(merchantOf(found.state.grant)) };
  },
});
