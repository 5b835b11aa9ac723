import { createHash, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import type { Moment } from '../../src/event-sourcing/time.ts';
import type { NewEvent } from '../../src/event-sourcing/event.ts';
import { normalise } from '../../src/event-sourcing/identifiers.ts';
import {
  type MerchantEvent,
  type MerchantState,
  merchant,
  merchantStream,
} from '../../src/domain/merchant/merchant.ts';
import { Refusal } from '../../src/domain/refusals.ts';
import { targetOf } from '../../src/domain/reservations.ts';
import { type CommandContext, defineCommand } from '../../src/command-handling/command.ts';
import { existing } from '../../src/command-handling/existing.ts';
import { shortCodeField } from '../shared/fields.ts';
import { recordDecision } from '../../src/command-handling/record-decision.ts';
import { shortCodeReservation } from './find-merchant.ts';

/** What every token is told that does not verify, whatever the reason (specification, Merchants). */
export const INVALID_TOKEN = 'Invalid verification token';

/** The refusal of every token that does not verify: nobody learns from it whether code, token or time was wrong. */
export function invalidToken(): Refusal {
  return new Refusal('invalid_verification_token', INVALID_TOKEN);
}

/** In the place of a merchant that is not there, so that looking for it takes as long. */
const NOBODY = '00000000-0000-8000-8000-000000000000';

/**
 * The e-mail is the merchant's own, by the link with this serial.
 * @throws {Refusal} `invalid_verification_token` when another link has verified it, or a newer one has ended this one
 */
export function decideVerifyMerchant(present: MerchantState, serial: number): NewEvent<MerchantEvent>[] {
  if (present.verified || present.verification?.serial !== serial) throw invalidToken();
  return [{ type: 'MerchantVerified', data: { tenantId: present.tenantId, serial } }];
}

/** Whether the merchant's newest link could still verify it. */
function isGood(verification: MerchantState['verification'], now: Moment): verification is Verification {
  return verification !== undefined && now < verification.expiresAt;
}
type Verification = NonNullable<MerchantState['verification']>;

/** Verifies a merchant's e-mail by the token of the mail that it got (specification and `decisions`: Merchants). */
export const verifyMerchant = defineCommand({
  name: 'VerifyMerchant',
  summary: 'Verifies the e-mail of a merchant by the token that was mailed to it, and mails it what to do next.',
  input: z.strictObject({
    short_code: shortCodeField,
    token: z.string().meta({ description: 'From the link in the verification mail' }),
  }),
  roles: ['merchant', 'admin'],
  inEnvironment: false,
  creates: false,
  /** A second click is the same command: it is answered from the first one's event and writes nothing. */
  identity: ({ short_code: shortCode, token }) => [normalise(shortCode), token],
  handle: async ({ short_code: shortCode, token }, context) => {
    const { stream, serial } = await checkedLink(shortCode, token, context);
    const found = existing(await context.loadTarget(merchant, stream), 'invalid_verification_token', INVALID_TOKEN);
    const events = decideVerifyMerchant(found.state, serial);
    return await recordDecision(context, found, events, { merchant: found.state.tenantId });
  },
  result: () => ({}),
});

/**
 * The merchant's stream and the serial of its newest link, once the token was found to be that link's, in good time. The
 * work is the same whichever of it is wrong.
 * @throws {Refusal} `invalid_verification_token`
 */
async function checkedLink(shortCode: string, token: string, context: CommandContext) {
  const reserved = await context.findReservation(shortCodeReservation(shortCode));
  const stream = reserved === undefined ? merchantStream(NOBODY) : targetOf(reserved);
  const { state } = await context.load(merchant, stream);
  const wanted = context.verificationToken(state?.tenantId ?? NOBODY, state?.verification?.serial ?? 0);
  const fits = isSameText(wanted, token);
  if (!isGood(state?.verification, context.now) || !fits) throw invalidToken();
  return { stream, serial: state.verification.serial };
}

/** Compares in a time that tells nothing about where two texts differ, or how long the wanted one is. */
function isSameText(wanted: string, given: string): boolean {
  const [a, b] = [wanted, given].map((text) => createHash('sha256').update(text, 'utf8').digest());
  return a !== undefined && b !== undefined && timingSafeEqual(a, b);
}
