import { unavailable } from './errors.ts';

/** The outcome of `call`, unless it takes longer; what comes later is nobody's. @throws {StoreUnavailable} */
export async function within<T>(limitMs: number, call: Promise<T>): Promise<T> {
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
    return await within(this.leftMs, call);
  }
}

/** Whether the call had an effect is unknown. */
export function noAnswer(limitMs: number): Error {
  return unavailable(`EventStoreDB did not answer within ${Math.round(limitMs)} ms`);
}
