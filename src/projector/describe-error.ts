import { reasonOf } from '../../projections/working-document.ts';
import { StoreUnavailable } from '../event-store/event-store.ts';
import { StaleDocument } from '../read-models/read-models.ts';
import { Fenced } from '../records/records.ts';
import { ReadModelsAhead, ReadModelsMissing, SubscriptionEnded } from './failures.ts';

/** Errors beside those of a fold whose messages are written not to hold a value of anybody's data. */
const SAFE = [StoreUnavailable, ReadModelsAhead, ReadModelsMissing, SubscriptionEnded, StaleDocument, Fenced];

/** An error in words that may be shown, stored and logged: of errors of unknown origin the name alone. */
export function describeError(error: unknown): string {
  return error instanceof Error && SAFE.some((kind) => error instanceof kind) ? error.message : reasonOf(error);
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
