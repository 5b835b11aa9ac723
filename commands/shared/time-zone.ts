import { environment, environmentStream } from '../../src/domain/environment/environment.ts';
import { type TimeZone, UTC } from '../../src/domain/values/dates.ts';
import type { CommandContext } from '../command.ts';

/** Returns the time zone of the acting environment, and UTC outside any environment. */
export async function timeZoneOf(context: CommandContext): Promise<TimeZone> {
  if (context.environmentIfAny === undefined) return UTC;
  const { state } = await context.load(environment, environmentStream(context.environmentIfAny.environmentId));
  if (state === undefined) throw new Error('the acting environment exists');
  return state.timeZone;
}
