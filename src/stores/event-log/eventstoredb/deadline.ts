import { unavailable } from './errors.ts';

export class Deadline {
  readonly #limitMs: number;
  #at: number;

  constructor(limitMs: number) {
    this.#limitMs = limitMs;
    this.#at = performance.now() + limitMs;
  }

  get remainingMs(): number {
    return Math.max(0, this.#at - performance.now());
  }

  /** Grants the whole time again, because the server has sent data. */
  restart(): void {
    this.#at = performance.now() + this.#limitMs;
  }

  /** Returns the result of `call`. @throws {StoreUnavailable} after the deadline; a later result is ignored */
  async limit<T>(call: Promise<T>): Promise<T> {
    const { promise: expired, reject } = Promise.withResolvers<never>();
    let timer: NodeJS.Timeout | undefined;
    const check = (): void => {
      const left = this.remainingMs;
      // The call may have had an effect.
      if (left === 0) reject(unavailable(`EventStoreDB did not answer within ${Math.round(this.#limitMs)} ms`));
      else timer = setTimeout(check, left);
    };
    check();
    try {
      return await Promise.race([call, expired]);
    } finally {
      clearTimeout(timer);
    }
  }
}
