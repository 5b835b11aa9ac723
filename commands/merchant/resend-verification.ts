import { z } from 'zod';
import { type Instant, instantAfter } from '../../src/event-sourcing/time.ts';
import type { NewEvent } from '../../src/event-sourcing/event.ts';
import { type MerchantEvent, type MerchantState, merchant } from '../../src/domain/merchant/merchant.ts';
import { Refusal } from '../../src/domain/refusals.ts';
import { defineCommand } from '../command.ts';
import { shortCodeField } from '../shared/fields.ts';
import { findTargetMerchant } from './find-merchant.ts';

const LINK_LIFETIME_MS = 24 * 60 * 60 * 1000;

/** Returns the event that requests a verification mail; its link expires after 24 hours. */
export function verificationRequest(tenantId: string, serial: number, now: Instant): NewEvent<MerchantEvent> {
  return {
    type: 'MerchantVerificationRequested',
    data: { tenantId, serial, expiresAt: instantAfter(now, LINK_LIFETIME_MS) },
  };
}

function decideResendVerification(
  current: MerchantState,
  { now }: { readonly now: Instant },
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
  takesIfMatch: true,
  aggregate: merchant,
  decide: decideResendVerification,
  handle: async ({ short_code: shortCode }, context) => {
    const found = await findTargetMerchant(context, shortCode);
    const events = decideResendVerification(found.state, context);
    return { target: found, events, tags: { merchant: found.state.tenantId } };
  },
});
