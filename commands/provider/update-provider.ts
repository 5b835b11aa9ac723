import { z } from 'zod';
import type { NewEvent } from '../../src/event-sourcing/event.ts';
import { normalise } from '../../src/event-sourcing/identifiers.ts';
import {
  type ProviderDetails,
  type ProviderEvent,
  type ProviderState,
  provider,
  providerStream,
} from '../../src/domain/provider/provider.ts';
import { type ExecutedCommand, stateOf } from '../../src/command-handling/command.ts';
import { defineCommand } from '../command.ts';
import { changesAnything, changesTo, GIVE_A_CHANGE } from '../shared/changes.ts';
import { requireExisting } from '../shared/require-existing.ts';
import { resourceId } from '../shared/fields.ts';
import { providerFields } from './register-provider.ts';
import { checkNameIsFree, nameReservation, nameScopes, reserveName } from './provider-name.ts';

const input = z
  .strictObject({ provider_id: resourceId, ...z.object(providerFields).partial().shape })
  .refine(changesAnything('provider_id'), GIVE_A_CHANGE);

/** Records only the fields that differ; null clears the address. @throws {Refusal} `nothing_to_change` */
export function decideUpdateProvider(
  update: z.output<typeof input>,
  current: ProviderState,
): NewEvent<ProviderEvent>[] {
  const { name, support_email: supportEmail, support_phone: supportPhone, address } = update;
  const changes = changesTo<ProviderDetails>(current, { name, supportEmail, supportPhone, address });
  const { providerId, visibility } = current;
  return [{ type: 'ProviderUpdated', data: { providerId, visibility, changes } }];
}

/** Changes a provider. A new name is reserved; the previous one is never released. */
export const updateProvider = defineCommand({
  name: 'UpdateProvider',
  summary: 'Changes the details of a provider; a new name must be free, and the old one stays taken.',
  input,
  roles: ['admin'],
  inEnvironment: false,
  creates: false,
  handle: async (update, context) => {
    const stream = providerStream(update.provider_id);
    const loaded = await context.loadTarget(provider, stream);
    const found = requireExisting(loaded, 'provider_not_found', `There is no provider ${update.provider_id}`);
    const decision = { target: found, events: decideUpdateProvider(update, found.state), tags: {} };
    const { name: currentName } = found.state;
    const newName = update.name !== undefined && normalise(update.name) !== normalise(currentName) && update.name;
    if (newName) {
      await checkNameIsFree(context, newName, nameScopes(found.state), stream);
      const reservation = nameReservation(newName, found.state, stream, {});
      context.commitTo({ decision, reservations: [reservation] });
      await reserveName(context, reservation);
    }
    return decision;
  },
  result: ({ history }: ExecutedCommand<ProviderEvent>) => ({ provider_id: stateOf(provider, history).providerId }),
});
