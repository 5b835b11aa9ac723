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
import { defineCommand } from '../../src/command-handling/command.ts';
import { existing } from '../../src/command-handling/existing.ts';
import { line } from '../shared/fields.ts';

/** The key opens nothing any more, for good. @throws {Refusal} `key_already_revoked` */
export function decideRevokeApiKey(present: ApiKeyState): NewEvent<ApiKeyEvent>[] {
  if (present.situation === 'revoked') {
    throw new Refusal('key_already_revoked', `The key ${present.keyId} is revoked already`);
  }
  return [{ type: 'ApiKeyRevoked', data: { keyId: present.keyId } }];
}

/**
 * Revokes a key. It stands in the list of revoked keys before anything is answered, also before a refusal because it was
 * revoked earlier, so that it acts on the next request wherever the projector stands (`decisions`: Keys, roles, tenancy).
 */
export const revokeApiKey = defineCommand({
  name: 'RevokeApiKey',
  summary: 'Revokes an API key; from the answer on it opens nothing.',
  input: z.strictObject({ key_id: line(255) }),
  roles: ['admin'],
  inEnvironment: false,
  creates: false,
  handle: async ({ key_id: keyId }, context) => {
    const stream = apiKeyStream(keyId);
    const loaded = await context.loadTarget(apiKey, stream);
    const found = existing(loaded, 'key_not_found', `There is no key with the id ${keyId}`);
    context.checkIfMatch(found);
    await context.revokeKey(keyId);
    const events = decideRevokeApiKey(found.state);
    await context.commitTo(stream);
    await context.append(found, events, merchantTags(merchantOf(found.state.grant)));
    return { stream };
  },
  result: () => ({}),
});
