import { z } from 'zod';
import type { Instant } from '../../src/event-sourcing/time.ts';
import type { NewEvent } from '../../src/event-sourcing/event.ts';
import {
  type MerchantDetails,
  type MerchantEvent,
  type MerchantState,
  merchant,
} from '../../src/domain/merchant/merchant.ts';
import { defineCommand } from '../command.ts';
import { changesAnything, changesTo, GIVE_A_CHANGE } from '../shared/changes.ts';
import { shortCodeField } from '../shared/fields.ts';
import { findTargetMerchant } from './find-merchant.ts';
import { merchantDetails, merchantFields } from './merchant-fields.ts';
import { verificationRequest } from './resend-verification.ts';

const input = z
  .strictObject({ short_code: shortCodeField, ...z.object(merchantFields).partial().shape })
  .refine(changesAnything('short_code'), GIVE_A_CHANGE);

/**
 * Records only the fields that differ; null clears a field. An unverified merchant with a new e-mail gets a new
 * verification link, because the previous link, sent to the previous e-mail, would verify the new one.
 * @throws {Refusal} `nothing_to_change`
 */
function decideUpdateMerchant(
  current: MerchantState,
  { update, now }: { readonly update: z.output<typeof input>; readonly now: Instant },
): NewEvent<MerchantEvent>[] {
  const { tenantId, verified, verification } = current;
  const changes = changesTo<MerchantDetails>(current, merchantDetails(update));
  const updated = { type: 'MerchantUpdated', data: { tenantId, changes } } as const;
  if (changes.businessEmail === undefined || verified || verification === undefined) return [updated];
  return [updated, verificationRequest(tenantId, verification.serial + 1, now)];
}

export const updateMerchant = defineCommand({
  name: 'UpdateMerchant',
  summary:
    'Changes the details of a merchant; a field given as null is cleared. A new business e-mail that is not verified yet is mailed a link.',
  input,
  roles: ['admin'],
  takesIfMatch: true,
  aggregate: merchant,
  decide: decideUpdateMerchant,
  handle: async (update, context) => {
    const found = await findTargetMerchant(context, update.short_code);
    const events = decideUpdateMerchant(found.state, { update, now: context.now });
    return { target: found, events, tags: { merchant: found.state.tenantId } };
  },
});
