import { publicReasonOf } from '#projections/working-document.ts';
import { SafeError } from '#stores/shared/errors.ts';

/** A stack frame: `at`, a function and its location. */
const FRAME = /^\s+at .*(?::\d+:\d+|<anonymous>|native|index \d+)\)?$/;

/**
 * Returns a description of an error that may be shown, stored and logged; of an error of unknown origin only its name.
 */
export function describeError(error: unknown): string {
  return error instanceof SafeError ? error.message : publicReasonOf(error);
}

export function firstFramesOf(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  return framesOf(error)
    .slice(0, 3)
    .map((frame) => frame.trim())
    .join(' | ');
}

/** Returns the frames of a stack without the message, which may quote data, also in lines that look like frames. */
export function framesOf({ stack = '', message }: Error): readonly string[] {
  const at = stack.indexOf(message);
  const lines = (at === -1 ? stack : stack.slice(at + message.length)).split('\n');
  return lines.slice(lines.findLastIndex((line) => !FRAME.test(line)) + 1);
}
