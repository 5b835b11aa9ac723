import { z } from 'zod';
import {
  type ProviderEvent,
  type ProviderState,
  ProviderWithdrawn,
  provider,
  providerIds,
  providerStream,
} from '#domain/provider/provider.ts';
import { Refusal } from '#domain/refusals.ts';
import { visibilityTags } from '#domain/visibility.ts';
import type { NewEvent } from '#event-sourcing/event.ts';
import { type CommandContext, defineChange, defineCommand } from '../command.ts';
import { resourceId } from '../shared/fields.ts';
import { type ExistingStream, requireExisting } from '../shared/require-existing.ts';
import { checkNameIsFree } from './provider-name.ts';

export async function findTargetProvider(
  context: CommandContext,
  providerId: string,
): Promise<ExistingStream<ProviderState, ProviderEvent>> {
  const loaded = await context.loadTarget(provider, providerStream(providerId));
  return requireExisting(loaded, 'provider_not_found', `There is no provider ${providerId}`);
}

const input = z.strictObject({ provider_id: resourceId });

function decideConfirmProvider(state: ProviderState): NewEvent<ProviderEvent>[] {
  const { name, isWithdrawn, imported, merchantId } = state;
  if (isWithdrawn) throw new Refusal('provider_withdrawn', `${name} is withdrawn`);
  if (imported)
    throw new Refusal('provider_not_confirmable', `An import registered ${name}: only its merchant sees it`);
  if (merchantId === null) throw new Refusal('provider_already_confirmed', `Every merchant sees ${name} already`);
  return [{ type: 'ProviderConfirmed', data: providerIds(state) }];
}

export const confirmProvider = defineCommand({
  name: 'ConfirmProvider',
  summary: 'Shows a provider that a merchant registered, and its products, to every merchant.',
  input,
  roles: ['admin'],
  aggregate: provider,
  decide: decideConfirmProvider,
  handle: async ({ provider_id: providerId }, context) => {
    const target = await findTargetProvider(context, providerId);
    const events = decideConfirmProvider(target.state);
    // A live provider may have taken the name of one in test mode meanwhile.
    await checkNameIsFree(context, target.state.name, { ...target.state, merchantId: null }, target.stream);
    return { target, events, tags: visibilityTags(target.state) };
  },
  result: ({ state }) => ({ provider_id: state.providerId }),
});

/** Withdraws a provider permanently. Its products and policies do not change: the catalogue, lists of products, purchases and renewals look at their provider. */
export const withdrawProvider = defineChange({
  name: 'WithdrawProvider',
  summary:
    'Withdraws a provider: it is no longer listed, its products are no longer quoted or bought, and its policies are no longer renewed.',
  input,
  roles: ['admin'],
  aggregate: provider,
  tags: visibilityTags,
  find: async ({ provider_id: providerId }, context) => await findTargetProvider(context, providerId),
  decide(state) {
    if (state.isWithdrawn) throw new Refusal('provider_withdrawn', `${state.name} is withdrawn already`);
    return [{ type: ProviderWithdrawn.type, data: providerIds(state) }];
  },
  result: ({ state }) => ({ provider_id: state.providerId }),
});
