import { z } from 'zod';
import {
  type ApiKeyEvent,
  type ApiKeyState,
  apiKey,
  apiKeyStream,
  type KeyGrant,
  merchantOf,
} from '#domain/api-key/api-key.ts';
import { environment, environmentStream } from '#domain/environment/environment.ts';
import { merchantTags } from '#domain/tags.ts';
import type { NewEvent } from '#event-sourcing/event.ts';
import { refusalsOf } from '#domain/refusals.ts';
import { formatKey, hashKey, keyIdFrom, SECRET_BYTES } from '#domain/api-key/key-format.ts';
import type { ExecutedCommand } from '#event-sourcing/executor/command.ts';
import { type CommandContext, defineCommand } from '../command.ts';
import { requireExisting } from '../shared/require-existing.ts';
import { line } from '../shared/fields.ts';

const refuse = refusalsOf('environment_not_found');

const input = z
  .strictObject({
    environment_id: z.int().positive().optional().meta({ description: 'For a key of a merchant' }),
    role: z.enum(['admin', 'auditor']).optional().meta({ description: 'For a key of the platform' }),
    label: line(120).meta({ description: 'Who or what uses the key' }),
  })
  .superRefine(({ environment_id: environmentId, role }, issues) => {
    if ((environmentId === undefined) !== (role === undefined)) return;
    const message =
      role === undefined ? 'give either environment_id or role' : 'give only one of environment_id and role';
    for (const field of ['environment_id', 'role']) issues.addIssue({ code: 'custom', path: [field], message });
  });

/** Records the hash of a key; the key itself is stored nowhere. */
function decideIssueApiKey(
  _state: undefined,
  key: Pick<ApiKeyState, 'keyId' | 'keyHash' | 'label' | 'grant'>,
): NewEvent<ApiKeyEvent>[] {
  return [{ type: 'ApiKeyIssued', data: key }];
}

export const issueApiKey = defineCommand({
  name: 'IssueApiKey',
  summary: 'Issues an API key, which only this response shows.',
  description: `Issues a key of an environment (\`environment_id\`) or of the platform (\`role\`); exactly one of both is required. \`label\` says who or what uses it. Only a hash of the key is stored: it is shown in this response only, and \`api_key\` is
null in a repeated response.`,
  input,
  example: { environment_id: 1, label: 'web shop' },
  response: z.strictObject({ key_id: z.string(), api_key: z.string().nullable() }),
  errors: refuse.codes,
  roles: ['admin'],
  creates: true,
  aggregate: apiKey,
  decide: decideIssueApiKey,
  handle: async ({ environment_id: environmentId, role = 'admin', label }, context) => {
    const grant: KeyGrant = environmentId === undefined ? { role } : await merchantGrant(environmentId, context);
    const keyId = keyIdFrom(context.commandId);
    const key = formatKey(kindOf(grant), keyId, context.services.randomBytes(SECRET_BYTES));
    const keyHash = hashKey(key);
    return {
      target: apiKeyStream(keyId),
      events: decideIssueApiKey(undefined, { keyId, keyHash, label, grant }),
      tags: merchantTags(merchantOf(grant)),
      // If the same command ran concurrently, it may have stored another key; a key that does not work is never
      // returned.
      unstored: ({ state }: ExecutedCommand<ApiKeyEvent, ApiKeyState>) =>
        state.keyHash === keyHash ? { api_key: key } : {},
    };
  },
  result: ({ state }) => ({ key_id: state.keyId, api_key: null }),
});

async function merchantGrant(environmentId: number, context: CommandContext): Promise<KeyGrant> {
  const loaded = await context.load(environment, environmentStream(environmentId));
  const { state } = requireExisting(loaded, () =>
    refuse('environment_not_found', `There is no environment ${environmentId}`),
  );
  return { role: 'merchant', environmentId, testMode: state.testMode, merchantId: state.merchantId };
}

function kindOf(grant: KeyGrant): 'live' | 'test' | 'platform' {
  if (grant.role !== 'merchant') return 'platform';
  return grant.testMode ? 'test' : 'live';
}
