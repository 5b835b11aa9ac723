import { z } from 'zod';
import type { NewEvent } from '../../src/event-sourcing/event.ts';
import { type MerchantEvent, type MerchantState, merchant } from '../../src/domain/merchant/merchant.ts';
import { Refusal } from '../../src/domain/refusals.ts';
import { defineCommand } from '../command.ts';
import { shortCodeField } from '../shared/fields.ts';
import { findTargetMerchant } from './find-merchant.ts';

function decideConfirmKyc(current: MerchantState): NewEvent<MerchantEvent>[] {
  if (current.kycVerified)
    throw new Refusal('kyc_already_confirmed', `The platform has confirmed ${current.shortCode} already`);
  return [{ type: 'MerchantKycConfirmed', data: { tenantId: current.tenantId } }];
}

export const confirmKyc = defineCommand({
  name: 'ConfirmKyc',
  summary: 'Records that the platform has verified a merchant (kyc_verified).',
  input: z.strictObject({ short_code: shortCodeField }),
  roles: ['admin'],
  takesIfMatch: true,
  aggregate: merchant,
  decide: decideConfirmKyc,
  handle: async ({ short_code: shortCode }, context) => {
    const found = await findTargetMerchant(context, shortCode);
    const events = decideConfirmKyc(found.state);
    return { target: found, events, tags: { merchant: found.state.tenantId } };
  },
});
