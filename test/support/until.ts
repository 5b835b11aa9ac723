import type { ChildProcess } from 'node:child_process';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { inspect } from 'node:util';

/** Between two looks: more, the longer the wait lasts. */
const PAUSE_MS = { least: 2, most: 50 };
/** Ends a wait that is in vain, below what jest gives a test on servers, so that the reason is told. */
const WITHIN_MS = 100_000;
/** What is told of a failure must not hang either. */
const TELL_WITHIN_MS = 10_000;
const TAIL = 4_000;

/** What a look may find: `false` and `undefined` are not yet what is waited for. */
export type Look<Found> = () => Promise<Found | false | undefined> | Found | false | undefined;

/**
 * Looks again and again until something is found, and resolves with it. What a look throws ends the wait.
 * @throws {Error} with what `tell` says when nothing is found in time, also when a look hangs
 */
export async function until<Found>(
  met: Look<Found>,
  tell: () => unknown = () => 'no further word',
  withinMs = WITHIN_MS,
): Promise<Found> {
  const begin = performance.now();
  const end = begin + withinMs;
  do {
    const found = await within(met, end - performance.now());
    if (found !== false && found !== undefined) return found;
    const waited = performance.now() - begin;
    await pause(Math.min(Math.max(waited / 20, PAUSE_MS.least), PAUSE_MS.most));
  } while (performance.now() < end);
  const told = await within(async () => await tell(), TELL_WITHIN_MS).catch(String);
  throw new Error(`It did not come true within ${withinMs / 1000} s: ${asText(told)}`);
}

/** As `until`, but a look that throws is one that finds nothing yet: of those that are asked, one may be away, or slow. */
export async function untilDespiteErrors<Found>(
  met: Look<Found>,
  tell: () => unknown = () => '',
  withinMs = WITHIN_MS,
): Promise<Found> {
  let thrown: unknown;
  const look = async (): Promise<Found | false | undefined> => {
    try {
      const found = await met();
      thrown = undefined;
      return found;
    } catch (error) {
      thrown = error;
      return undefined;
    }
  };
  const why = async (): Promise<string> =>
    `${asText(await tell())}${thrown === undefined ? '' : `\nlast thrown: ${thrown instanceof Error ? String(thrown) : inspect(thrown)}`}`;
  return await until(look, why, withinMs);
}

/** What a server that a test starts has said of late, for a wait that must not outlast the server. */
export class Watched {
  readonly #name: string;
  readonly #child: ChildProcess;
  #tail = '';
  #error: Error | undefined;

  /** Reads what the child says on pipes: nobody else has to. */
  constructor(name: string, child: ChildProcess) {
    this.#name = name;
    this.#child = child;
    child.on('error', (error) => (this.#error = error));
    for (const stream of [child.stdout, child.stderr])
      stream?.setEncoding('utf8').on('data', (text: string) => (this.#tail = (this.#tail + text).slice(-TAIL)));
  }

  get words(): string {
    return `${this.#name} said last:\n${this.#tail}`;
  }

  /** Resolves when it has said its first line, by which these servers tell that they are ready. @throws {Error} with its last words when it does not */
  async untilFirstLine(): Promise<void> {
    const { stdout } = this.#child;
    if (stdout === null) throw new Error(`What ${this.#name} says is not read`);
    let hasSpoken = false;
    createInterface({ input: stdout }).once('line', () => (hasSpoken = true));
    await until(
      () => {
        this.expectRunning();
        return hasSpoken;
      },
      () => this.words,
    );
  }

  /** @throws {Error} with its last words, when it has ended */
  expectRunning(): void {
    const { exitCode, signalCode } = this.#child;
    const end = this.#error ?? exitCode ?? signalCode;
    if (end !== null) throw new Error(`${this.#name} ended with ${String(end)}\n${this.words}`);
  }
}

async function within<Found>(look: Look<Found>, milliseconds: number): Promise<Found | false | undefined> {
  const over = new AbortController();
  const limit = pause(Math.max(1, milliseconds), undefined, { signal: over.signal }).catch(() => undefined);
  try {
    return await Promise.race([look(), limit]);
  } finally {
    over.abort();
  }
}

function asText(told: unknown): string {
  return typeof told === 'string' ? told : inspect(told);
}
