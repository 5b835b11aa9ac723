import { z } from 'zod';
import {
  type ApiKeyDetails,
  type ApiKeyEvent,
  type ApiKeyState,
  apiKey,
  apiKeyStream,
  type KeyGrant,
  kindFor,
  merchantOf,
} from '#domain/api-key/api-key.ts';
import { environment, environmentStream } from '#domain/environment/environment.ts';
import { merchantTags } from '#domain/tags.ts';
import type { NewEvent } from '#event-sourcing/event.ts';
import { refusalsOf, wrongField } from '#domain/refusals.ts';
import { instant } from '#event-sourcing/time.ts';
import { formatKey, hashKey, keyIdFrom, SECRET_BYTES } from '#domain/api-key/key-format.ts';
import type { ExecutedCommand } from '#event-sourcing/executor/command.ts';
import { type CommandContext, defineCommand } from '../command.ts';
import { requireExisting } from '../shared/require-existing.ts';
import { findProviderErrors } from '../provider/confirm-and-withdraw.ts';
import type { Role } from '#domain/values/rights.ts';
import { line, resourceId } from '../shared/fields.ts';
import {
  accessInput,
  authorityInput,
  authorityOf,
  existingProvider,
  findPersonErrors,
  loadPerson,
  requirePerson,
} from '../person/person-fields.ts';

const refuse = refusalsOf('environment_not_found');

const KEY_ROLES = ['insurer', 'claims', 'admin', 'auditor'] as const;

const input = z
  .strictObject({
    environment_id: z.int().positive().optional().meta({ description: 'For a key of a merchant' }),
    role: z.enum(KEY_ROLES).optional().meta({ description: 'For a key of the platform or of an insurer' }),
    provider_id: resourceId.optional().meta({ description: 'The insurer of a key with the role `insurer`' }),
    person_id: resourceId.optional().meta({
      description: 'For a key of a person, in place of `role`; of a person of a merchant beside `environment_id`',
    }),
    label: line(120).meta({ description: 'Who or what uses the key' }),
    authority: authorityInput.optional(),
    access: accessInput.optional(),
    expires_at: instant.optional().meta({ description: 'From then on the key is rejected' }),
  })
  .superRefine(
    ({ environment_id: environmentId, role, provider_id: providerId, person_id: personId, ...rights }, issues) => {
      const addIssue = (field: string, message: string) => issues.addIssue({ code: 'custom', path: [field], message });
      const isOfOther = environmentId !== undefined || personId !== undefined;
      if ((role === undefined) !== isOfOther) {
        const message =
          role === undefined
            ? 'give environment_id, role or person_id'
            : 'give only one of environment_id, role and person_id';
        for (const field of ['environment_id', 'role']) addIssue(field, message);
      }
      if ((role === 'insurer') !== (providerId !== undefined)) addIssue('provider_id', 'goes with the role `insurer`');
      if (rights.authority !== undefined && role !== 'claims' && role !== 'insurer')
        addIssue('authority', 'is for the roles `insurer` and `claims`');
      if (rights.access !== undefined && personId !== undefined) addIssue('access', 'is that of the person');
    },
  );

/** Records the hash of a key; the key itself is stored nowhere. */
function decideIssueApiKey(_state: undefined, key: ApiKeyDetails): NewEvent<ApiKeyEvent>[] {
  return [{ type: 'ApiKeyIssued', data: key }];
}

export const issueApiKey = defineCommand({
  name: 'IssueApiKey',
  summary: 'Issues an API key, which only this response shows.',
  description: `Issues a key of an environment (\`environment_id\`), of the platform (\`role\`), of an insurer (\`role: insurer\` with \`provider_id\`) or of a person (\`person_id\`, for a person of a merchant with \`environment_id\`), which has the role, authority and access of the person as they are at each request. \`label\` says who or what uses it. With \`access: read\` a key changes nothing; from \`expires_at\` on it is rejected. Only a hash of the key is stored: it is shown in this response only, and \`api_key\` is
null in a repeated response.`,
  input,
  example: { environment_id: 1, label: 'web shop' },
  response: z.strictObject({ key_id: z.string(), api_key: z.string().nullable() }),
  errors: [...refuse.codes, ...findPersonErrors, ...findProviderErrors],
  roles: ['admin'],
  creates: true,
  aggregate: apiKey,
  decide: decideIssueApiKey,
  handle: async (request, context) => {
    const { person_id: personId = null, label } = request;
    const grant = personId === null ? await grantOf(request, context) : await personGrant(personId, request, context);
    if (request.expires_at !== undefined && request.expires_at <= context.now)
      throw wrongField('expires_at', 'must be in the future');
    const rights = {
      authority: authorityOf(request.authority ?? null),
      access: request.access ?? 'full',
      expiresAt: request.expires_at ?? null,
    };
    const keyId = keyIdFrom(context.commandId);
    const key = formatKey(kindFor(grant), keyId, context.services.randomBytes(SECRET_BYTES));
    const keyHash = hashKey(key);
    return {
      target: apiKeyStream(keyId),
      events: decideIssueApiKey(undefined, { keyId, keyHash, label, grant, personId, ...rights }),
      tags: merchantTags(merchantOf(grant)),
      // If the same command ran concurrently, it may have stored another key; a key that does not work is never
      // returned.
      unstored: ({ state }: ExecutedCommand<ApiKeyEvent, ApiKeyState>) =>
        state.keyHash === keyHash ? { api_key: key } : {},
    };
  },
  result: ({ state }) => ({ key_id: state.keyId, api_key: null }),
});

/** Returns what a key of no person is for. @throws {Refusal} */
async function grantOf(
  { environment_id: environmentId, role = 'admin', provider_id: providerId }: z.output<typeof input>,
  context: CommandContext,
): Promise<KeyGrant> {
  if (environmentId === undefined)
    return platformGrant(role, providerId === undefined ? null : await existingProvider(context, providerId));
  const loaded = await context.load(environment, environmentStream(environmentId));
  const { state } = requireExisting(loaded, () =>
    refuse('environment_not_found', `There is no environment ${environmentId}`),
  );
  return { role: 'merchant', environmentId, testMode: state.testMode, merchantId: state.merchantId };
}

/**
 * Returns what the key of a person is for.
 * @throws {Refusal} unless the environment is that of the person's merchant
 */
async function personGrant(
  personId: string,
  request: z.output<typeof input>,
  context: CommandContext,
): Promise<KeyGrant> {
  const { role, merchant, providerId } = requirePerson(await loadPerson(context, personId)).state;
  const ofEnvironment = request.environment_id === undefined ? undefined : merchantOf(await grantOf(request, context));
  if (merchant?.merchantId !== ofEnvironment?.merchantId)
    throw wrongField('environment_id', 'must be that of an environment of the merchant of the person, if any');
  return ofEnvironment ?? platformGrant(role, providerId);
}

function platformGrant(role: Role, providerId: string | null): KeyGrant {
  if (role === 'insurer' && providerId !== null) return { role, providerId };
  if (role === 'merchant' || role === 'insurer') throw new Error(`a key of the role ${role} names what it is for`);
  return { role };
}
