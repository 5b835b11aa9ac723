import { z } from 'zod';
import { loadState } from '#domain/events.ts';
import { environment, environmentStream } from '#domain/environment/environment.ts';
import { merchant, merchantStream } from '#domain/merchant/merchant.ts';
import type { Aggregate } from '#event-sourcing/aggregate.ts';
import type { DomainEvent } from '#event-sourcing/event.ts';
import { defineQuery, EVERY_ROLE, type QueryContext } from './query.ts';
import { environmentItemSchema } from '#projections/environments/environments.ts';
import { merchantSchema } from '#projections/merchants/merchants.ts';
import { environmentsOf } from './merchants.ts';
import { instant } from '#event-sourcing/time.ts';
import { accessSchema, authorityResource, ROLES } from '#domain/values/rights.ts';
import { authorityResourceSchema } from '#projections/persons/persons.ts';
import { keySchema } from '#projections/api-keys/api-keys.ts';

const environmentSchema = z.strictObject({
  id: z.int().meta({ description: 'Its number' }),
  name: z.string(),
  test_mode: z.boolean(),
  time_zone: environmentItemSchema.shape.time_zone,
});

const meSchema = z
  .strictObject({
    role: z.enum(ROLES),
    key_id: keySchema.shape.key_id.nullable().meta({ description: 'Null for a session that was opened without a key' }),
    label: keySchema.shape.label.nullable().meta({ description: 'Null for a session that was opened without a key' }),
    person: z
      .strictObject({ person_id: z.uuid(), name: z.string() })
      .nullable()
      .meta({ description: 'Null for a key of no person' }),
    authority: authorityResourceSchema,
    access: accessSchema.meta({ description: '`read`: changes nothing' }),
    expires_at: instant.nullable().meta({ description: 'From then on the key is rejected' }),
    provider_id: z.uuid().nullable().meta({ description: 'The insurer of the role `insurer`; null for other roles' }),
    merchant: z
      .strictObject({ short_code: z.string(), name: merchantSchema.shape.name })
      .nullable()
      .meta({ description: 'Null for other roles than `merchant`' }),
    environment: environmentSchema.nullable().meta({ description: 'Null for other roles than `merchant`' }),
    environments: z.array(environmentSchema).meta({
      description:
        'Of a person of a merchant without a key those of the merchant, of which `Surety-Environment` names one; of a key its own; none for other roles',
    }),
  })
  .meta({ id: 'Me' });

/** Reads the log, as the check of a key does, so that it answers also while the read models are built. */
export const getMe = defineQuery({
  name: 'GetMe',
  summary: 'Shows what the key of the request is: its role and label, its merchant and environment or its insurer.',
  description:
    "What the key of the request is: its role, id and label, and of a merchant's key its merchant and environment, of an insurer's key its insurer. The label of the administrator's key of the settings is `first admin key`.",
  errors: [],
  roles: EVERY_ROLE,
  readsOnlyLog: true,
  response: meSchema,
  async respond(_input, { reader, key, eventStore, readModels }) {
    const { role } = reader;
    const { keyId: key_id, label, person, access, expiresAt: expires_at } = key;
    const authority = authorityResource(key.authority);
    const provider_id = reader.role === 'insurer' ? reader.providerId : null;
    const owner =
      reader.role === 'merchant'
        ? await ownerOfKey(reader, eventStore)
        : { merchant: null, environment: null, environments: [] };
    if (reader.role === 'merchant' && key_id === null)
      owner.environments = (await environmentsOf(reader.merchantId, readModels)).map(
        ({ environment_id: id, environment_name: name, test_mode, time_zone }) => ({ id, name, test_mode, time_zone }),
      );
    return {
      kind: 'resource',
      body: JSON.stringify({ role, key_id, label, person, authority, access, expires_at, provider_id, ...owner }),
      etag: undefined,
    };
  },
});

async function ownerOfKey(
  { merchantId, environmentId }: Extract<QueryContext['reader'], { readonly role: 'merchant' }>,
  eventStore: QueryContext['eventStore'],
): Promise<Pick<z.infer<typeof meSchema>, 'merchant' | 'environment' | 'environments'>> {
  const [{ shortCode, name }, { environmentName, testMode, timeZone }] = await Promise.all([
    stateIn(eventStore, merchant, merchantStream(merchantId)),
    stateIn(eventStore, environment, environmentStream(environmentId)),
  ]);
  const own = { id: environmentId, name: environmentName, test_mode: testMode, time_zone: timeZone };
  return { merchant: { short_code: shortCode, name }, environment: own, environments: [own] };
}

/** Folds a stream to its state. @throws {Error} when the stream does not exist */
async function stateIn<State, E extends DomainEvent>(
  eventStore: QueryContext['eventStore'],
  aggregate: Aggregate<State, E>,
  stream: string,
): Promise<State> {
  const state = await loadState(aggregate, stream, eventStore);
  if (state === undefined) throw new Error(`${stream} is empty`);
  return state;
}
