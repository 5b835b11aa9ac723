import { z } from 'zod';
import { type Instant, instantAfter } from '#event-sourcing/time.ts';
import type { NewEvent } from '#event-sourcing/event.ts';
import type { MerchantEvent } from '#domain/merchant/merchant.ts';
import { refusalsOf } from '#domain/refusals.ts';
import { defineChange } from '../command.ts';
import { shortCodeField } from '../shared/fields.ts';
import { changeOfMerchant, findMerchantErrors } from './find-merchant.ts';

const refuse = refusalsOf('merchant_already_verified');

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
  description: 'Sends a new verification mail, whose token replaces the previous one.',
  input: z.strictObject({ short_code: shortCodeField }),
  example: { short_code: 'HAR-6C87' },
  response: z.strictObject({}),
  errors: [...findMerchantErrors, ...refuse.codes],
  decide({ tenantId, shortCode, verified, verification }, { now }) {
    if (verified) throw refuse('merchant_already_verified', `${shortCode} has verified its e-mail already`);
    return [verificationRequest(tenantId, (verification?.serial ?? 0) + 1, now)];
  },
});
