import { environment, environmentStream } from '#domain/environment/environment.ts';
import { type TimeZone, UTC } from '#domain/values/dates.ts';
import type { CommandContext } from '../command.ts';

/** Returns whether the command may act on what a merchant owns: an administrator on all, a merchant on its own in its own mode. */
export function isOwn(
  { environmentIfAny: acting }: CommandContext,
  owner: { readonly merchantId: string; readonly testMode: boolean },
): boolean {
  return acting === undefined || (acting.merchantId === owner.merchantId && acting.testMode === owner.testMode);
}

export async function timeZoneOf(context: CommandContext): Promise<TimeZone> {
  if (context.environmentIfAny === undefined) return UTC;
  const { state } = await context.load(environment, environmentStream(context.environmentIfAny.environmentId));
  if (state === undefined) throw new Error('the acting environment exists');
  return state.timeZone;
}
