import { z } from 'zod';
import {
  type ProviderEvent,
  type ProviderState,
  ProviderWithdrawn,
  provider,
  providerIds,
  providerStream,
} from '#domain/provider/provider.ts';
import { refusalsOf } from '#domain/refusals.ts';
import { visibilityTags } from '#domain/visibility.ts';
import type { NewEvent } from '#event-sourcing/event.ts';
import { type CommandContext, defineChange } from '../command.ts';
import { resourceId } from '../shared/fields.ts';
import { requireExisting } from '../shared/require-existing.ts';
import { checkNameIsFree, providerNameErrors } from './provider-name.ts';

const refuseMissing = refusalsOf('provider_not_found');
export const findProviderErrors = refuseMissing.codes;
const refuseWithdrawn = refusalsOf('provider_withdrawn');
const refuse = refusalsOf('provider_not_confirmable', 'provider_already_confirmed');

const input = z.strictObject({ provider_id: resourceId });

/** What the commands that change a provider have in common. */
export const changeOfProvider = {
  response: z.strictObject({ provider_id: z.uuid() }),
  roles: ['admin'],
  aggregate: provider,
  find: async ({ provider_id: providerId }: z.output<typeof input>, context: CommandContext) => {
    const loaded = await context.loadTarget(provider, providerStream(providerId));
    return requireExisting(loaded, () => refuseMissing('provider_not_found', `There is no provider ${providerId}`));
  },
  tags: visibilityTags,
  result: ({ state }: { readonly state: ProviderState }) => ({ provider_id: state.providerId }),
} as const;

function decideConfirmProvider(state: ProviderState): NewEvent<ProviderEvent>[] {
  const { name, isWithdrawn, imported, merchantId } = state;
  if (isWithdrawn) throw refuseWithdrawn('provider_withdrawn', `${name} is withdrawn`);
  if (imported) throw refuse('provider_not_confirmable', `An import registered ${name}: only its merchant sees it`);
  if (merchantId === null) throw refuse('provider_already_confirmed', `Every merchant sees ${name} already`);
  return [{ type: 'ProviderConfirmed', data: providerIds(state) }];
}

export const confirmProvider = defineChange({
  ...changeOfProvider,
  name: 'ConfirmProvider',
  summary: 'Shows a provider that a merchant registered, and its products, to every merchant.',
  description:
    'Shows an insurer that a merchant registered, and its products, to every merchant of its mode (live or test). Before that only the merchant sees it. Imports of other merchants then use it. One that an import registered cannot be confirmed.',
  input,
  example: { provider_id: 'e7c10cbe-0ab6-5cfb-8927-fa83ee53c790' },
  errors: [...findProviderErrors, ...refuseWithdrawn.codes, ...refuse.codes, ...providerNameErrors],
  decide: decideConfirmProvider,
  // A live provider may have taken the name of one in test mode meanwhile.
  reserve: async (_input, context, { target: { state, stream } }) =>
    await checkNameIsFree(context, state.name, { ...state, merchantId: null }, stream),
});

/**
 * Withdraws a provider permanently. Its products and policies do not change: the catalogue, lists of products,
 * purchases and renewals look at their provider.
 */
export const withdrawProvider = defineChange({
  ...changeOfProvider,
  name: 'WithdrawProvider',
  summary:
    'Withdraws a provider: it is no longer listed, its products are no longer quoted or bought, and its policies are no longer renewed.',
  description:
    'Withdraws an insurer permanently: merchants no longer find it or its products in lists, and its products are not quoted. Its policies, and quotes that were made before, continue; its name stays taken.',
  input,
  example: { provider_id: 'e7c10cbe-0ab6-5cfb-8927-fa83ee53c790' },
  errors: [...findProviderErrors, ...refuseWithdrawn.codes],
  decide(state) {
    if (state.isWithdrawn) throw refuseWithdrawn('provider_withdrawn', `${state.name} is withdrawn already`);
    return [{ type: ProviderWithdrawn.type, data: providerIds(state) }];
  },
});
