import { z } from 'zod';
import type { NewEvent } from '#event-sourcing/event.ts';
import {
  caseFoldedName,
  type ProviderDetails,
  type ProviderEvent,
  type ProviderState,
  providerIds,
} from '#domain/provider/provider.ts';
import { defineChange } from '../command.ts';
import { changesAnything, changesTo, changesToErrors, GIVE_A_CHANGE } from '../shared/changes.ts';
import { resourceId } from '../shared/fields.ts';
import { providerFields } from './register-provider.ts';
import { changeOfProvider, findProviderErrors } from './confirm-and-withdraw.ts';
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

export const updateProvider = defineChange({
  ...changeOfProvider,
  name: 'UpdateProvider',
  summary: 'Changes the details of a provider; a new name must be free, and the old one stays taken.',
  description:
    'Changes any field of a registration. A new name must be unused, and the old name remains reserved. Existing policies keep the name.',
  input,
  example: { provider_id: '1a78dc16-56f5-5684-8a55-0fe7364a9e20', support_phone: '+23412345679' },
  errors: [...findProviderErrors, ...providerNameErrors, ...changesToErrors],
  decide: decideUpdateProvider,
  reserve: async ({ name }, context, decision) => {
    const { state, stream } = decision.target;
    if (name === undefined || caseFoldedName(name) === caseFoldedName(state.name)) return;
    await checkNameIsFree(context, name, state, stream);
    const reservations = nameReservations(name, state, stream, decision.tags);
    await reserveName(context.commit({ ...decision, reservations }), reservations, name);
  },
});
