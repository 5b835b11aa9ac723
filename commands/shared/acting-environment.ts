import { environment, environmentStream, type ActingEnvironment } from '#domain/environment/environment.ts';
import { inOtherMode, type OwnedCode, type Refusal, refusalsOf } from '#domain/refusals.ts';
import { type TimeZone, UTC } from '#domain/values/dates.ts';
import type { CommandContext } from '../command.ts';

const refuse = refusalsOf('policy_not_found', 'claim_not_found', 'customer_not_found', 'quote_not_found');

type Owner = Pick<ActingEnvironment, 'merchantId' | 'testMode'>;

/**
 * Returns whether the command may act on what a merchant owns: an administrator on all, a merchant on its own in its
 * own mode.
 */
export function isOwn({ environmentIfAny: acting }: CommandContext, owner: Owner): boolean {
  return acting === undefined || (acting.merchantId === owner.merchantId && acting.testMode === owner.testMode);
}

/** Returns the merchant of the command in its other mode; undefined for the platform outside an environment. */
export function otherModeOf({ environmentIfAny: acting }: CommandContext): Owner | undefined {
  return acting && { merchantId: acting.merchantId, testMode: !acting.testMode };
}

/**
 * Makes the refusal of what the command does not find or may not act on. Only its own merchant learns that it is in the
 * other mode.
 */
export function notFound(code: OwnedCode, context: CommandContext, owner: Owner | undefined): Refusal {
  const other = otherModeOf(context);
  const isThere = other !== undefined && owner?.merchantId === other.merchantId && owner.testMode === other.testMode;
  return isThere ? inOtherMode(code, !other.testMode) : refuse(code);
}

export async function timeZoneOf(context: CommandContext): Promise<TimeZone> {
  if (context.environmentIfAny === undefined) return UTC;
  const { state } = await context.load(environment, environmentStream(context.environmentIfAny.environmentId));
  if (state === undefined) throw new Error('the acting environment exists');
  return state.timeZone;
}
