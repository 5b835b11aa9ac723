import { publicReasonOf } from '../../projections/working-document.ts';
import { StoreUnavailable } from '../event-store/event-store.ts';
import { StaleDocument } from '../read-models/read-models.ts';
import { WriterFenced } from '../records/records.ts';
import { ReadModelsAhead, ReadModelsMissing, SubscriptionEnded } from './failures.ts';

/** Errors beside those of a fold whose messages are written not to hold a value of data. */
const SAFE = [StoreUnavailable, ReadModelsAhead, ReadModelsMissing, SubscriptionEnded, StaleDocument, WriterFenced];

/** A line of a stack: `at`, a function, and where it is in a file. */
const FRAME = /^\s+at .*(?::\d+:\d+|<anonymous>|native|index \d+)\)?$/;

/** Describes an error in words that may be shown, stored and logged: an error of unknown origin by its name alone. */
export function describeError(error: unknown): string {
  return error instanceof Error && SAFE.some((kind) => error instanceof kind) ? error.message : publicReasonOf(error);
}

/** Returns where an error was thrown: the first frames of its stack. */
export function originOf(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  return framesOf(error)
    .slice(0, 3)
    .map((frame) => frame.trim())
    .join(' | ');
}

/** Returns the frames of a stack, without the message before them, which may quote data, also in lines that look like frames. */
export function framesOf({ stack = '', message }: Error): readonly string[] {
  const at = stack.indexOf(message);
  const lines = (at === -1 ? stack : stack.slice(at + message.length)).split('\n');
  return lines.slice(lines.findLastIndex((line) => !FRAME.test(line)) + 1);
}
