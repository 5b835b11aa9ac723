import { z } from 'zod';
import type { NewEvent } from '#event-sourcing/event.ts';
import {
  caseFoldedName,
  type ProviderDetails,
  type ProviderEvent,
  type ProviderState,
  provider,
  providerIds,
} from '#domain/provider/provider.ts';
import { visibilityTags } from '#domain/visibility.ts';
import { defineCommand } from '../command.ts';
import { changesAnything, changesTo, GIVE_A_CHANGE } from '../shared/changes.ts';
import { resourceId } from '../shared/fields.ts';
import { providerFields } from './register-provider.ts';
import { findTargetProvider } from './confirm-and-withdraw.ts';
import { checkNameIsFree, nameReservations, reserveName } from './provider-name.ts';

const input = z
  .strictObject({ provider_id: resourceId, ...z.object(providerFields).partial().shape })
  .refine(changesAnything('provider_id'), GIVE_A_CHANGE);

/** Records only the fields that differ; null clears the address. @throws {Refusal} `nothing_to_change` */
function decideUpdateProvider(current: ProviderState, update: z.output<typeof input>): NewEvent<ProviderEvent>[] {
  const { name, support_email: supportEmail, support_phone: supportPhone, address } = update;
  const changes = changesTo<ProviderDetails>(current, { name, supportEmail, supportPhone, address });
  return [{ type: 'ProviderUpdated', data: { ...providerIds(current), changes } }];
}

export const updateProvider = defineCommand({
  name: 'UpdateProvider',
  summary: 'Changes the details of a provider; a new name must be free, and the old one stays taken.',
  input,
  roles: ['admin'],
  aggregate: provider,
  decide: decideUpdateProvider,
  handle: async (update, context) => {
    const found = await findTargetProvider(context, update.provider_id);
    const { stream } = found;
    const tags = visibilityTags(found.state);
    const decision = { target: found, events: decideUpdateProvider(found.state, update), tags };
    const { name: currentName } = found.state;
    const newName =
      update.name !== undefined && caseFoldedName(update.name) !== caseFoldedName(currentName) && update.name;
    if (newName) {
      await checkNameIsFree(context, newName, found.state, stream);
      const reservations = nameReservations(newName, found.state, stream, tags);
      const writes = context.commit({ ...decision, reservations });
      await reserveName(writes, reservations, newName);
    }
    return decision;
  },
  result: ({ state }) => ({ provider_id: state.providerId }),
});
