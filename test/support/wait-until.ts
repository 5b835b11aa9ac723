import { setTimeout as pause } from 'node:timers/promises';
import { inspect } from 'node:util';
import { withTimeout } from '#stores/shared/timing.ts';

/** Pause between two checks; it grows with the time waited. */
const PAUSE_MS = { least: 2, most: 50 };
/** Below jest's timeout for tests on servers, so that the error gives the reason. */
const TIMEOUT_MS = 100_000;
/** Limit for `describe`, which may hang as well. */
const DESCRIBE_TIMEOUT_MS = 10_000;

/** Returns the awaited value; `false` or `undefined` when the condition is not met yet. */
export type Condition<Found> = () => Promise<Found | false | undefined> | Found | false | undefined;

/**
 * Checks a condition repeatedly and resolves with its value. An error of the condition ends the wait.
 * @throws {Error} with the text of `describe` on timeout, also when a check hangs
 */
export async function waitUntil<Found>(
  condition: Condition<Found>,
  describe: () => unknown = () => 'no description',
  timeoutMs = TIMEOUT_MS,
): Promise<Found> {
  const begin = performance.now();
  const end = begin + timeoutMs;
  do {
    const found = await limited(condition, end - performance.now());
    if (found !== false && found !== undefined) return found;
    const waited = performance.now() - begin;
    await pause(Math.min(Math.max(waited / 20, PAUSE_MS.least), PAUSE_MS.most));
  } while (performance.now() < end);
  const description = await limited(async () => await describe(), DESCRIBE_TIMEOUT_MS).catch(String);
  throw new Error(`Condition not met within ${timeoutMs / 1000} s: ${asText(description)}`);
}

/**
 * Like `waitUntil`, but an error of the condition counts as not met: a server may be unreachable or slow for a while.
 */
export async function waitUntilIgnoringErrors<Found>(
  condition: Condition<Found>,
  describe: () => unknown = () => '',
  timeoutMs = TIMEOUT_MS,
): Promise<Found> {
  let thrown: unknown;
  const check = async (): Promise<Found | false | undefined> => {
    try {
      const found = await condition();
      thrown = undefined;
      return found;
    } catch (error) {
      thrown = error;
      return undefined;
    }
  };
  const describeWithError = async (): Promise<string> =>
    `${asText(await describe())}${thrown === undefined ? '' : `\nlast error: ${thrown instanceof Error ? String(thrown) : inspect(thrown)}`}`;
  return await waitUntil(check, describeWithError, timeoutMs);
}

async function limited<Found>(check: () => Found | Promise<Found>, milliseconds: number): Promise<Found | undefined> {
  return await withTimeout(Promise.try(check), Math.max(1, milliseconds), () => undefined);
}

function asText(value: unknown): string {
  return typeof value === 'string' ? value : inspect(value);
}
