import { z } from 'zod';
import { merchantTags } from '../../src/domain/tags.ts';
import type { NewEvent } from '../../src/event-sourcing/event.ts';
import { type Visibility, worldOf } from '../../src/domain/values/world.ts';
import { type ProviderEvent, provider, providerStream } from '../../src/domain/provider/provider.ts';
import {
  type ActingEnvironment,
  type ExecutedCommand,
  defineCommand,
  stateOf,
} from '../../src/command-handling/command.ts';
import { providerFields } from './provider-fields.ts';
import { checkNameIsFree, reserveName } from './provider-name.ts';

const input = z.strictObject(providerFields);

/** A provider is known from now on, where it may be seen. */
export function decideRegisterProvider(
  registration: z.output<typeof input>,
  given: { readonly providerId: string; readonly visibility: Visibility },
): NewEvent<ProviderEvent>[] {
  const { name, support_email: supportEmail, support_phone: supportPhone, address = null } = registration;
  return [{ type: 'ProviderRegistered', data: { ...given, name, supportEmail, supportPhone, address } }];
}

/** The back office registers for both worlds, a merchant's key for its own (`decisions`: Keys, roles, tenancy). */
export function visibilityFor(environment: ActingEnvironment | undefined): Visibility {
  return environment === undefined ? 'both' : worldOf(environment.testMode);
}

/** Registers an insurer (`decisions`: Providers). */
export const registerProvider = defineCommand({
  name: 'RegisterProvider',
  summary: 'Registers a provider (insurer) under a name that nobody else has.',
  input,
  roles: ['merchant', 'admin'],
  inEnvironment: false,
  creates: true,
  handle: async (registration, context) => {
    const visibility = visibilityFor(context.environmentIfAny);
    const providerId = context.derive('provider');
    const stream = providerStream(providerId);
    await checkNameIsFree(context, registration.name, visibility, stream);
    await context.commitTo(stream);
    const tags = merchantTags(context.environmentIfAny);
    await reserveName(context, registration.name, visibility, { stream, tags });
    await context.create(stream, decideRegisterProvider(registration, { providerId, visibility }), tags);
    return { stream };
  },
  result: ({ history }: ExecutedCommand<ProviderEvent>) => {
    const { providerId, name, supportEmail } = stateOf(provider, history);
    return { provider_id: providerId, name, support_email: supportEmail };
  },
});
