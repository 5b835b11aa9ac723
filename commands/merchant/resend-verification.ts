import { z } from 'zod';
import type { Moment } from '../../src/event-sourcing/time.ts';
import type { NewEvent } from '../../src/event-sourcing/event.ts';
import { type MerchantEvent, type MerchantState, merchant } from '../../src/domain/merchant/merchant.ts';
import { Refusal } from '../../src/domain/refusals.ts';
import { defineCommand } from '../command.ts';
import { shortCodeField } from '../shared/fields.ts';
import { findTargetMerchant } from './find-merchant.ts';
import { verificationRequest } from './verification.ts';

/** @throws {Refusal} `merchant_already_verified` */
export function decideResendVerification(
  current: MerchantState,
  { now }: { readonly now: Moment },
): NewEvent<MerchantEvent>[] {
  if (current.verified) {
    throw new Refusal('merchant_already_verified', `${current.shortCode} has verified its e-mail already`);
  }
  return [verificationRequest(current.tenantId, (current.verification?.serial ?? 0) + 1, now)];
}

export const resendVerification = defineCommand({
  name: 'ResendVerification',
  summary: 'Mails a merchant a new verification link; earlier links stop working.',
  input: z.strictObject({ short_code: shortCodeField }),
  roles: ['admin'],
  inEnvironment: false,
  creates: false,
  takesIfMatch: true,
  aggregate: merchant,
  decide: decideResendVerification,
  handle: async ({ short_code: shortCode }, context) => {
    const found = await findTargetMerchant(context, shortCode);
    const events = decideResendVerification(found.state, context);
    return { target: found, events, tags: { merchant: found.state.tenantId } };
  },
  result: () => ({}),
});
