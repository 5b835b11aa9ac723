import type { ChildProcess } from 'node:child_process';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { inspect } from 'node:util';

/** Pause between two checks; it grows with the time waited. */
const PAUSE_MS = { least: 2, most: 50 };
/** Below jest's timeout for tests on servers, so that the error gives the reason. */
const TIMEOUT_MS = 100_000;
/** Limit for `describe`, which may hang as well. */
const DESCRIBE_TIMEOUT_MS = 10_000;
const MAX_OUTPUT_CHARS = 4_000;

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
    const found = await withTimeout(condition, end - performance.now());
    if (found !== false && found !== undefined) return found;
    const waited = performance.now() - begin;
    await pause(Math.min(Math.max(waited / 20, PAUSE_MS.least), PAUSE_MS.most));
  } while (performance.now() < end);
  const description = await withTimeout(async () => await describe(), DESCRIBE_TIMEOUT_MS).catch(String);
  throw new Error(`Condition not met within ${timeoutMs / 1000} s: ${asText(description)}`);
}

/** Like `waitUntil`, but an error of the condition counts as not met: a server may be unreachable or slow for a while. */
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

/** Keeps the recent output of a server process, and lets waits end when the process exits. */
export class MonitoredProcess {
  readonly #name: string;
  readonly #child: ChildProcess;
  #tail = '';
  #error: Error | undefined;

  /** Starts to read stdout and stderr of the child. */
  constructor(name: string, child: ChildProcess) {
    this.#name = name;
    this.#child = child;
    child.on('error', (error) => (this.#error = error));
    for (const stream of [child.stdout, child.stderr])
      stream
        ?.setEncoding('utf8')
        .on('data', (text: string) => (this.#tail = (this.#tail + text).slice(-MAX_OUTPUT_CHARS)));
  }

  get recentOutput(): string {
    return `${this.#name} printed last:\n${this.#tail}`;
  }

  /** Waits for the first line of output, which reports readiness. @throws {Error} with the recent output when the process exits or on timeout */
  async waitForFirstLine(): Promise<void> {
    const { stdout } = this.#child;
    if (stdout === null) throw new Error(`stdout of ${this.#name} is not a pipe`);
    let hasPrinted = false;
    createInterface({ input: stdout }).once('line', () => (hasPrinted = true));
    await waitUntil(
      () => {
        this.expectRunning();
        return hasPrinted;
      },
      () => this.recentOutput,
    );
  }

  /** @throws {Error} with the recent output when the process has exited */
  expectRunning(): void {
    const { exitCode, signalCode } = this.#child;
    const end = this.#error ?? exitCode ?? signalCode;
    if (end !== null) throw new Error(`${this.#name} exited with ${String(end)}\n${this.recentOutput}`);
  }
}

async function withTimeout<Found>(check: Condition<Found>, milliseconds: number): Promise<Found | false | undefined> {
  const over = new AbortController();
  const limit = pause(Math.max(1, milliseconds), undefined, { signal: over.signal }).catch(() => undefined);
  try {
    return await Promise.race([check(), limit]);
  } finally {
    over.abort();
  }
}

function asText(value: unknown): string {
  return typeof value === 'string' ? value : inspect(value);
}
