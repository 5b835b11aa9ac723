import { z } from 'zod';
import type { NewEvent } from '#event-sourcing/event.ts';
import type { ActingEnvironment } from '#domain/environment/environment.ts';
import { type VisibilityFields, visibilityTags } from '#domain/visibility.ts';
import { modeOf } from '#domain/values/mode.ts';
import { type ProviderEvent, type ProviderState, provider, providerStream } from '#domain/provider/provider.ts';
import { defineCommand } from '../command.ts';
import { emailAddress } from '#domain/values/email.ts';
import { line, postalAddress } from '../shared/fields.ts';
import { checkNameIsFree, nameReservations, providerName, providerNameErrors, reserveName } from './provider-name.ts';

export const providerFields = {
  name: providerName,
  support_email: emailAddress,
  support_phone: line(20),
  address: postalAddress.nullable().optional(),
};
const input = z.strictObject(providerFields);

interface ProviderRegistration extends Pick<ProviderState, 'providerId' | 'visibility' | 'merchantId' | 'imported'> {
  readonly registration: z.output<typeof input>;
}

function decideRegisterProvider(
  _state: undefined,
  { registration, ...ids }: ProviderRegistration,
): NewEvent<ProviderEvent>[] {
  const { name, support_email: supportEmail, support_phone: supportPhone, address = null } = registration;
  return [{ type: 'ProviderRegistered', data: { ...ids, name, supportEmail, supportPhone, address } }];
}

/**
 * An administrator registers for every merchant in both modes, a merchant for itself in the mode of its key until the
 * provider is confirmed.
 */
function visibilityFor(environment: ActingEnvironment | undefined): VisibilityFields {
  if (environment === undefined) return { visibility: 'both', merchantId: null };
  return { visibility: modeOf(environment.testMode), merchantId: environment.merchantId };
}

export const registerProvider = defineCommand({
  name: 'RegisterProvider',
  summary: 'Registers a provider (insurer) under a unique name.',
  description: `Registers an insurer. The name is unique; case, full-width letters and invisible characters make no difference. An insurer registered by the platform is one for every merchant, in live and test mode. An insurer registered with a merchant's key is visible to this merchant alone, in the mode of the key, until
the platform confirms it (\`ConfirmProvider\`); its name is taken at once. The name of an insurer registered with a test key is reserved in test mode only; names that are reserved in live mode are refused there too.`,
  input,
  example: { name: 'Harbour Mutual', support_email: 'help@harbour.example', support_phone: '+2348011112222' },
  response: z.strictObject({ provider_id: z.uuid(), name: z.string(), support_email: z.string().nullable() }),
  errors: providerNameErrors,
  roles: ['merchant', 'admin'],
  creates: true,
  aggregate: provider,
  decide: decideRegisterProvider,
  handle: async (registration, context) => {
    const { environmentIfAny: environment } = context;
    const ids = { providerId: context.derive('provider'), ...visibilityFor(environment), imported: false };
    const stream = providerStream(ids.providerId);
    await checkNameIsFree(context, registration.name, ids, stream);
    const tags = visibilityTags(ids);
    const decision = { target: stream, events: decideRegisterProvider(undefined, { registration, ...ids }), tags };
    const reservations = nameReservations(registration.name, ids, stream, tags);
    const writes = context.commit({ ...decision, reservations });
    await reserveName(writes, reservations, registration.name);
    return decision;
  },
  result: ({ state: { providerId, name, supportEmail } }) => ({
    provider_id: providerId,
    name,
    support_email: supportEmail,
  }),
});
