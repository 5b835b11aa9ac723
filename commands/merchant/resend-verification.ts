import { z } from 'zod';
import { type Instant, instantAfter } from '#event-sourcing/time.ts';
import type { NewEvent } from '#event-sourcing/event.ts';
import type { MerchantEvent } from '#domain/merchant/merchant.ts';
import { Refusal } from '#domain/refusals.ts';
import { defineChange } from '../command.ts';
import { shortCodeField } from '../shared/fields.ts';
import { changeOfMerchant } from './find-merchant.ts';

const LINK_LIFETIME_MS = 24 * 60 * 60 * 1000;

/** Returns the event that requests a verification mail; its link expires after 24 hours. */
export function verificationRequest(tenantId: string, serial: number, now: Instant): NewEvent<MerchantEvent> {
  return {
    type: 'MerchantVerificationRequested',
    data: { tenantId, serial, expiresAt: instantAfter(now, LINK_LIFETIME_MS) },
  };
}

export const resendVerification = defineChange({
  ...changeOfMerchant,
  name: 'ResendVerification',
  summary: 'Mails a merchant a new verification link; earlier links stop working.',
  input: z.strictObject({ short_code: shortCodeField }),
  decide({ tenantId, shortCode, verified, verification }, { now }) {
    if (verified) throw new Refusal('merchant_already_verified', `${shortCode} has verified its e-mail already`);
    return [verificationRequest(tenantId, (verification?.serial ?? 0) + 1, now)];
  },
});
