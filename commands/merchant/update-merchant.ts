import { z } from 'zod';
import { type MerchantDetails, MerchantUpdated } from '#domain/merchant/merchant.ts';
import { defineChange } from '../command.ts';
import { changesAnything, changesTo, changesToErrors, GIVE_A_CHANGE } from '../shared/changes.ts';
import { shortCodeField } from '../shared/fields.ts';
import { changeOfMerchant, findMerchantErrors } from './find-merchant.ts';
import { merchantDetails, merchantFields } from './merchant-fields.ts';
import { verificationRequest } from './resend-verification.ts';

/**
 * Records only the fields that differ; null clears a field. An unverified merchant with a new e-mail gets a new
 * verification link, because the previous link, sent to the previous e-mail, would verify the new one.
 */
export const updateMerchant = defineChange({
  ...changeOfMerchant,
  name: 'UpdateMerchant',
  summary:
    'Changes the details of a merchant; a field given as null is cleared. A merchant that is not verified yet is mailed a new link when its business e-mail changes.',
  description:
    'Changes any field of a registration; null clears a field. The short code does not change. A new business e-mail before verification gets a new verification link, which replaces the previous one.',
  input: z
    .strictObject({ short_code: shortCodeField, ...z.object(merchantFields).partial().shape })
    .refine(changesAnything('short_code'), GIVE_A_CHANGE),
  example: { short_code: 'HAR-6C87', support_email: 'support@harmony.example' },
  response: z.strictObject({}),
  errors: [...findMerchantErrors, ...changesToErrors],
  decide(current, { now, ...update }) {
    const { tenantId, verified, verification } = current;
    const changes = changesTo<MerchantDetails>(current, merchantDetails(update));
    const updated = { type: MerchantUpdated.type, data: { tenantId, changes } };
    if (changes.businessEmail === undefined || verified || verification === undefined) return [updated];
    return [updated, verificationRequest(tenantId, verification.serial + 1, now)];
  },
});
