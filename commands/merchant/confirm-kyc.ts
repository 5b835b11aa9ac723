import { z } from 'zod';
import { MerchantKycConfirmed } from '#domain/merchant/merchant.ts';
import { refusalsOf } from '#domain/refusals.ts';
import { defineChange } from '../command.ts';
import { shortCodeField } from '../shared/fields.ts';
import { changeOfMerchant, findMerchantErrors } from './find-merchant.ts';

const refuse = refusalsOf('kyc_already_confirmed');

export const confirmKyc = defineChange({
  ...changeOfMerchant,
  name: 'ConfirmKyc',
  summary: 'Records that the platform has verified a merchant (kyc_verified).',
  description: 'Sets `kyc_verified`, which is independent of the verification of the e-mail.',
  input: z.strictObject({ short_code: shortCodeField }),
  example: { short_code: 'HAR-6C87' },
  response: z.strictObject({}),
  errors: [...findMerchantErrors, ...refuse.codes],
  decide({ tenantId, shortCode, kycVerified }) {
    if (kycVerified) throw refuse('kyc_already_confirmed', `The platform has confirmed ${shortCode} already`);
    return [{ type: MerchantKycConfirmed.type, data: { tenantId } }];
  },
});
