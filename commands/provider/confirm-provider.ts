import { z } from 'zod';
import type { NewEvent } from '../../src/event-sourcing/event.ts';
import { type ProviderEvent, type ProviderState, provider, providerIds } from '../../src/domain/provider/provider.ts';
import { Refusal } from '../../src/domain/refusals.ts';
import { type ExecutedCommand, stateOf } from '../../src/command-handling/command.ts';
import { defineCommand } from '../command.ts';
import { resourceId } from '../shared/fields.ts';
import { findTargetProvider } from './find-provider.ts';
import { checkNameIsFree } from './provider-name.ts';

/** @throws {Refusal} `provider_withdrawn`, `provider_not_confirmable`, `provider_already_confirmed` */
export function decideConfirmProvider(current: ProviderState): NewEvent<ProviderEvent>[] {
  const { name, isWithdrawn, imported, merchantId } = current;
  if (isWithdrawn) throw new Refusal('provider_withdrawn', `${name} is withdrawn`);
  if (imported)
    throw new Refusal('provider_not_confirmable', `An import registered ${name}: only its merchant sees it`);
  if (merchantId === null) throw new Refusal('provider_already_confirmed', `Every merchant sees ${name} already`);
  return [{ type: 'ProviderConfirmed', data: providerIds(current) }];
}

export const confirmProvider = defineCommand({
  name: 'ConfirmProvider',
  summary: 'Shows a provider that a merchant registered, and its products, to every merchant.',
  input: z.strictObject({ provider_id: resourceId }),
  roles: ['admin'],
  inEnvironment: false,
  creates: false,
  aggregate: provider,
  decide: decideConfirmProvider,
  handle: async ({ provider_id: providerId }, context) => {
    const found = await findTargetProvider(context, providerId);
    const events = decideConfirmProvider(found.state);
    // A provider of the live world may have taken the name of one of the test world meanwhile.
    await checkNameIsFree(context, found.state.name, { ...found.state, merchantId: null }, found.stream);
    return { target: found, events, tags: {} };
  },
  result: ({ history }: ExecutedCommand<ProviderEvent>) => ({ provider_id: stateOf(provider, history).providerId }),
});
