import { z } from 'zod';
import { executeCommand } from '#event-sourcing/executor/execute-command.ts';
import type { CommandOutcome } from '#event-sourcing/executor/request.ts';
import { invalidToken, verifyMerchant } from '#commands/merchant/verify-merchant.ts';
import type { Actor } from '#event-sourcing/event.ts';
import { commandRequest } from './run-command.ts';
import type { Call, RouteContext } from '../../server/route.ts';

export const VERIFIED =
  'Your e-mail address is verified. Onboarding instructions have been e-mailed to you. If they do not arrive, check your ' +
  'spam folder, then contact support with the code ONBOARDING_MSG_NOT_RECEIVED.';

/** Query string of a verification link, for the API reference. */
export const tokenSearch = z.strictObject({
  token: z.string().meta({ description: 'The verification token, from the link in the mail' }),
});

/** Query string for parsing: a missing token is refused like a wrong one. */
export const optionalToken = tokenSearch.partial();

/** Verifies the e-mail of a merchant. @throws {Refusal} `invalid_verification_token` for every wrong code or token */
export async function verify(
  call: Call,
  shortCode: string | undefined,
  token: string | undefined,
  actor: Actor,
  { commandPorts, countCommand }: Pick<RouteContext, 'commandPorts' | 'countCommand'>,
): Promise<CommandOutcome> {
  const parsed = verifyMerchant.input.safeParse({ short_code: shortCode, token: token ?? '' });
  if (!parsed.success) throw invalidToken();
  const request = commandRequest(call, actor, { command: verifyMerchant, input: parsed.data, environment: undefined });
  return await countCommand(
    verifyMerchant.name,
    async () => await executeCommand(verifyMerchant, request, commandPorts),
  );
}
