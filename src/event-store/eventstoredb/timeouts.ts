import { unavailable } from './errors.ts';

/** Returns the result of `call`. @throws {StoreUnavailable} after `limitMs`; a later result is ignored */
export async function withTimeout<T>(limitMs: number, call: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(timeoutError(limitMs)), limitMs);
  });
  try {
    return await Promise.race([call, limit]);
  } finally {
    clearTimeout(timer);
  }
}

/** Returns the result of `call`, or undefined as soon as the signal aborts; a later result is ignored. */
export async function unlessAborted<T>(call: Promise<T>, signal: AbortSignal): Promise<T | undefined> {
  const aborted = Promise.withResolvers<undefined>();
  const abort = (): void => aborted.resolve(undefined);
  if (signal.aborted) abort();
  signal.addEventListener('abort', abort, { once: true });
  try {
    return await Promise.race([call, aborted.promise]);
  } finally {
    signal.removeEventListener('abort', abort);
  }
}

export class Deadline {
  readonly #at: number;

  constructor(inMs: number) {
    this.#at = performance.now() + inMs;
  }

  get remainingMs(): number {
    return Math.max(0, this.#at - performance.now());
  }

  /** Returns the result of `call`. @throws {StoreUnavailable} after the deadline */
  async limit<T>(call: Promise<T>): Promise<T> {
    return await withTimeout(this.remainingMs, call);
  }
}

/** Creates the error for a call without an answer; it may have had an effect. */
export function timeoutError(limitMs: number): Error {
  return unavailable(`EventStoreDB did not answer within ${Math.round(limitMs)} ms`);
}
