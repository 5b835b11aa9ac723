import { z } from 'zod';
import { merchantTags } from '../../src/domain/tags.ts';
import type { NewEvent } from '../../src/event-sourcing/event.ts';
import type { ActingEnvironment } from '../../src/domain/environment/acting-environment.ts';
import type { Audience } from '../../src/domain/audience.ts';
import { merchantScope } from '../../src/domain/reservations.ts';
import { type Visibility, worldOf } from '../../src/domain/values/world.ts';
import { type ProviderEvent, provider, providerStream } from '../../src/domain/provider/provider.ts';
import { type ExecutedCommand, stateOf } from '../../src/command-handling/command.ts';
import { defineCommand } from '../command.ts';
import { emailAddress, line, postalAddress } from '../shared/fields.ts';
import { checkNameIsFree, nameReservation, nameScopes, providerName, reserveName } from './provider-name.ts';

/** Fields of a provider that can be set and changed. */
export const providerFields = {
  name: providerName,
  support_email: emailAddress,
  support_phone: line(20),
  address: postalAddress.nullable().optional(),
};
const input = z.strictObject(providerFields);

export function decideRegisterProvider(
  registration: z.output<typeof input>,
  ids: Audience & { readonly providerId: string },
): NewEvent<ProviderEvent>[] {
  const { name, support_email: supportEmail, support_phone: supportPhone, address = null } = registration;
  return [{ type: 'ProviderRegistered', data: { ...ids, name, supportEmail, supportPhone, address } }];
}

/** An administrator registers for both worlds, a merchant for the world of its key. */
export function visibilityFor(environment: ActingEnvironment | undefined): Visibility {
  return environment === undefined ? 'both' : worldOf(environment.testMode);
}

export const registerProvider = defineCommand({
  name: 'RegisterProvider',
  summary: 'Registers a provider (insurer) under a unique name.',
  input,
  roles: ['merchant', 'admin'],
  inEnvironment: false,
  creates: true,
  handle: async (registration, context) => {
    const { environmentIfAny: environment } = context;
    const audience = { visibility: visibilityFor(environment), merchantId: null };
    const providerId = context.derive('provider');
    const stream = providerStream(providerId);
    // An import of the merchant may have taken the name for it alone.
    const scopes = [...nameScopes(audience), ...(environment === undefined ? [] : [merchantScope(environment)])];
    await checkNameIsFree(context, registration.name, scopes, stream);
    const tags = merchantTags(environment);
    const decision = {
      target: stream,
      events: decideRegisterProvider(registration, { providerId, ...audience }),
      tags,
    };
    const reservation = nameReservation(registration.name, audience, stream, tags);
    context.commitTo({ decision, reservations: [reservation] });
    await reserveName(context, reservation, registration.name);
    return decision;
  },
  result: ({ history }: ExecutedCommand<ProviderEvent>) => {
    const { providerId, name, supportEmail } = stateOf(provider, history);
    return { provider_id: providerId, name, support_email: supportEmail };
  },
});
