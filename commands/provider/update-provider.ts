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
import { changesAnything, changesTo, changesToErrors, GIVE_A_CHANGE } from '../shared/changes.ts';
import { resourceId } from '../shared/fields.ts';
import { providerFields } from './register-provider.ts';
import { findProviderErrors, findTargetProvider, providerIdSchema } from './confirm-and-withdraw.ts';
import { checkNameIsFree, nameReservations, providerNameErrors, reserveName } from './provider-name.ts';

const input = z
  .strictObject({ provider_id: resourceId, ...z.object(providerFields).partial().shape })
  .refine(changesAnything('provider_id'), GIVE_A_CHANGE);

/** Records only the fields that differ; null clears the address. @throws {Refusal} when none differs */
function decideUpdateProvider(current: ProviderState, update: z.output<typeof input>): NewEvent<ProviderEvent>[] {
  const { name, support_email: supportEmail, support_phone: supportPhone, address } = update;
  const changes = changesTo<ProviderDetails>(current, { name, supportEmail, supportPhone, address });
  return [{ type: 'ProviderUpdated', data: { ...providerIds(current), changes } }];
}

export const updateProvider = defineCommand({
  name: 'UpdateProvider',
  summary: 'Changes the details of a provider; a new name must be free, and the old one stays taken.',
  description:
    'Changes any field of a registration. A new name must be unused, and the old name remains reserved. Existing policies keep the name.',
  input,
  example: { provider_id: '1a78dc16-56f5-5684-8a55-0fe7364a9e20', support_phone: '+23412345679' },
  response: providerIdSchema,
  errors: [...findProviderErrors, ...providerNameErrors, ...changesToErrors],
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
