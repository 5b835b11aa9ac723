import { z } from 'zod';
import type { NewEvent } from '../../src/domain/event.ts';
import type { MerchantDetails, MerchantEvent, MerchantState } from '../../src/domain/merchant.ts';
import { defineCommand } from '../command.ts';
import { changesAnything, changesTo, GIVE_A_CHANGE } from '../shared/changes.ts';
import { shortCodeField } from '../shared/fields.ts';
import { findTargetMerchant } from './find-merchant.ts';
import { merchantDetails, merchantFields } from './merchant-fields.ts';
import { recordDecision } from '../shared/record-decision.ts';

const input = z
  .strictObject({ short_code: shortCodeField, ...z.object(merchantFields).partial().shape })
  .refine(changesAnything('short_code'), GIVE_A_CHANGE);

/** Only what differs is recorded; a field given as null is cleared. @throws {Refusal} `nothing_to_change` */
export function decideUpdateMerchant(
  update: z.output<typeof input>,
  present: MerchantState,
): NewEvent<MerchantEvent>[] {
  const changes = changesTo<MerchantDetails>(present, merchantDetails(update));
  return [{ type: 'MerchantUpdated.v1', data: { tenantId: present.tenantId, changes } }];
}

/** Changes what a merchant tells about itself. */
export const updateMerchant = defineCommand({
  name: 'UpdateMerchant',
  summary: 'Changes the details of a merchant; a field given as null is cleared.',
  input,
  roles: ['admin'],
  inEnvironment: false,
  creates: false,
  handle: async (update, context) => {
    const found = await findTargetMerchant(context, update.short_code);
    const events = decideUpdateMerchant(update, found.state);
    return await recordDecision(context, found, events, { merchant: found.state.tenantId });
  },
  result: () => ({}),
});
