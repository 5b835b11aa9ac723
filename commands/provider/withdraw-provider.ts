import { z } from 'zod';
import type { NewEvent } from '../../src/event-sourcing/event.ts';
import { type ProviderEvent, type ProviderState, provider, providerIds } from '../../src/domain/provider/provider.ts';
import { Refusal } from '../../src/domain/refusals.ts';
import { type ExecutedCommand, stateOf } from '../../src/command-handling/command.ts';
import { defineCommand } from '../command.ts';
import { resourceId } from '../shared/fields.ts';
import { findTargetProvider } from './find-provider.ts';

/** @throws {Refusal} `provider_withdrawn` */
export function decideWithdrawProvider(current: ProviderState): NewEvent<ProviderEvent>[] {
  if (current.isWithdrawn) throw new Refusal('provider_withdrawn', `${current.name} is withdrawn already`);
  return [{ type: 'ProviderWithdrawn', data: providerIds(current) }];
}

/** Withdraws a provider permanently. Its products and policies do not change; the catalogue and lists of products look at their provider. */
export const withdrawProvider = defineCommand({
  name: 'WithdrawProvider',
  summary: 'Withdraws a provider: it is no longer listed, and its products are no longer quoted.',
  input: z.strictObject({ provider_id: resourceId }),
  roles: ['admin'],
  inEnvironment: false,
  creates: false,
  aggregate: provider,
  decide: decideWithdrawProvider,
  handle: async ({ provider_id: providerId }, context) => {
    const found = await findTargetProvider(context, providerId);
    return { target: found, events: decideWithdrawProvider(found.state), tags: {} };
  },
  result: ({ history }: ExecutedCommand<ProviderEvent>) => ({ provider_id: stateOf(provider, history).providerId }),
});
