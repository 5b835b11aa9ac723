import { createHash, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import type { Instant } from '#event-sourcing/time.ts';
import type { NewEvent } from '#event-sourcing/event.ts';
import { normalise } from '#event-sourcing/identifiers.ts';
import { type MerchantEvent, type MerchantState, merchant, merchantStream } from '#domain/merchant/merchant.ts';
import { type Refusal, refusalsOf } from '#domain/refusals.ts';
import { targetOf } from '#domain/reservations.ts';
import { type CommandContext, defineCommand } from '../command.ts';
import { requireExisting } from '../shared/require-existing.ts';
import { shortCodeField } from '../shared/fields.ts';
import { shortCodeReservation } from './find-merchant.ts';

const refuse = refusalsOf('invalid_verification_token');

/** The same for every cause, so that the client cannot learn whether code, token or time was wrong. */
export function invalidToken(): Refusal {
  return refuse('invalid_verification_token', 'Invalid verification token');
}

/** Tenant id that is checked in place of an unknown merchant, so that the check takes the same time. */
const UNKNOWN_TENANT_ID = '00000000-0000-8000-8000-000000000000';

/** @throws {Refusal} when the merchant is verified or a newer link exists */
function decideVerifyMerchant(
  current: MerchantState,
  { serial }: { readonly serial: number },
): NewEvent<MerchantEvent>[] {
  if (current.verified || current.verification?.serial !== serial) throw invalidToken();
  return [{ type: 'MerchantVerified', data: { tenantId: current.tenantId, serial } }];
}

function isValid(verification: MerchantState['verification'], now: Instant): verification is Verification {
  return verification !== undefined && now < verification.expiresAt;
}
type Verification = NonNullable<MerchantState['verification']>;

export const verifyMerchant = defineCommand({
  name: 'VerifyMerchant',
  summary: 'Verifies the e-mail of a merchant by the token that was mailed to it, and mails it what to do next.',
  description: `Verifies the e-mail address of a merchant with the token of the mailed link. The token is valid for 24 hours and can be used once; a second call within that time
returns the same response and sends nothing. Onboarding instructions are then sent by mail; the verification remains valid if that fails.

A wrong, missing, expired or replaced token, a token of another merchant and an unknown code have the same response: 400 with \`error\` = \`Invalid verification token\`.`,
  input: z.strictObject({
    short_code: shortCodeField,
    token: z.string().meta({ description: 'From the link in the verification mail' }),
  }),
  example: { short_code: 'ACM-20E3', token: 'JXE61_Egg2gjjjzbPHe87uFSI3DmAu56' },
  response: z.strictObject({}),
  errors: refuse.codes,
  roles: ['merchant', 'admin'],
  /** A second click is the same command, so it returns the recorded result and writes nothing. */
  identity: ({ short_code: shortCode, token }) => [normalise(shortCode), token],
  aggregate: merchant,
  decide: decideVerifyMerchant,
  handle: async ({ short_code: shortCode, token }, context) => {
    const { stream, serial } = await checkLink(shortCode, token, context);
    const found = requireExisting(await context.loadTarget(merchant, stream), invalidToken);
    const events = decideVerifyMerchant(found.state, { serial });
    return { target: found, events, tags: { merchant: found.state.tenantId } };
  },
});

/**
 * Checks the token against the newest link of the merchant. Returns the stream of the merchant and the serial of the
 * link. It does the same work whatever is wrong.
 * @throws {Refusal} for every wrong token alike
 */
async function checkLink(shortCode: string, token: string, context: CommandContext) {
  const reserved = await context.findReservation(shortCodeReservation(shortCode));
  const stream = reserved === undefined ? merchantStream(UNKNOWN_TENANT_ID) : targetOf(reserved);
  const { state } = await context.load(merchant, stream);
  const expected = context.services.verificationToken(
    state?.tenantId ?? UNKNOWN_TENANT_ID,
    state?.verification?.serial ?? 0,
  );
  const matches = isSameText(expected, token);
  if (!isValid(state?.verification, context.now) || !matches) throw invalidToken();
  return { stream, serial: state.verification.serial };
}

/** Compares in a time that reveals neither where two texts differ nor how long the expected text is. */
function isSameText(expected: string, actual: string): boolean {
  const [a, b] = [expected, actual].map((text) => createHash('sha256').update(text, 'utf8').digest());
  return a !== undefined && b !== undefined && timingSafeEqual(a, b);
}
