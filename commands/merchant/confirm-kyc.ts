import { z } from 'zod';
import { MerchantKycConfirmed } from '#domain/merchant/merchant.ts';
import { Refusal } from '#domain/refusals.ts';
import { defineChange } from '../command.ts';
import { shortCodeField } from '../shared/fields.ts';
import { changeOfMerchant } from './find-merchant.ts';

export const confirmKyc = defineChange({
  ...changeOfMerchant,
  name: 'ConfirmKyc',
  summary: 'Records that the platform has verified a merchant (kyc_verified).',
  input: z.strictObject({ short_code: shortCodeField }),
  decide({ tenantId, shortCode, kycVerified }) {
    if (kycVerified) throw new Refusal('kyc_already_confirmed', `The platform has confirmed ${shortCode} already`);
    return [{ type: MerchantKycConfirmed.type, data: { tenantId } }];
  },
});
