import { CannotFold } from '../../projections/projection.ts';
import { UnreadableEvent } from '../domain/codec.ts';
import { StoreUnavailable } from '../event-store/event-store.ts';
import { ReadModelsAhead, SubscriptionEnded } from './failures.ts';

/** Errors whose messages are written not to hold a value of anybody's data. */
const SAFE = [UnreadableEvent, CannotFold, StoreUnavailable, ReadModelsAhead, SubscriptionEnded];

/** An error in words that may be shown, stored and logged: of errors of unknown origin the name alone. */
export function describeError(error: unknown): string {
  if (!(error instanceof Error)) return 'something other than an error was thrown';
  return SAFE.some((kind) => error instanceof kind) ? error.message : error.name;
}

/** Where an error was thrown: the first frames of its stack, without the message, which may quote data. */
export function originOf(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  const frames = error.stack?.split('\n').filter((line) => /^\s+at /.test(line)) ?? [];
  return frames
    .slice(0, 3)
    .map((frame) => frame.trim())
    .join(' | ');
}
