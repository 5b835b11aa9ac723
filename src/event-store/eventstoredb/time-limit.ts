import { unavailable } from './errors.ts';

/** Returns the outcome of `call`; a later result is ignored. @throws {StoreUnavailable} */
export async function withTimeout<T>(limitMs: number, call: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(noAnswer(limitMs)), limitMs);
  });
  try {
    return await Promise.race([call, limit]);
  } finally {
    clearTimeout(timer);
  }
}

/** The outcome of `call`, or undefined as soon as the signal aborts; a later result is ignored. */
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

/** A moment by which several calls have to be over together. */
export class Deadline {
  readonly #at: number;

  constructor(inMs: number) {
    this.#at = performance.now() + inMs;
  }

  get leftMs(): number {
    return Math.max(0, this.#at - performance.now());
  }

  /** The outcome of `call`, if it comes by then. @throws {StoreUnavailable} */
  async bound<T>(call: Promise<T>): Promise<T> {
    return await withTimeout(this.leftMs, call);
  }
}

/** Whether the call had an effect is unknown. */
export function noAnswer(limitMs: number): Error {
  return unavailable(`EventStoreDB did not answer within ${Math.round(limitMs)} ms`);
}
