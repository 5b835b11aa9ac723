/** Runs actions concurrently, but actions that share a key one after another, in the order of the calls. */
export class KeyedQueue {
  readonly #last = new Map<string, Promise<void>>();

  async run<T>(key: string, action: () => Promise<T>): Promise<T> {
    const previous = this.#last.get(key);
    const running = previous === undefined ? action() : previous.then(action);
    const ended = running.then(
      () => undefined,
      () => undefined,
    );
    this.#last.set(key, ended);
    try {
      return await running;
    } finally {
      // Otherwise every key of the file would stay in memory.
      if (this.#last.get(key) === ended) this.#last.delete(key);
    }
  }
}

/** More than there are concurrent actions. */
const MAX_KEYS = 1_000;

/**
 * Lets the first action of a key finish before other actions of that key start; these then run concurrently. It avoids
 * conflicts when many rows would create the same provider, product or customer.
 */
export class FirstRunGate {
  /** Undefined once the first run has ended. */
  readonly #firstRuns = new Map<string, Promise<void> | undefined>();

  async run<T>(key: string, action: () => Promise<T>): Promise<T> {
    return await this.start(key, async (firstRun) => {
      await firstRun;
      return await action();
    });
  }

  /** Calls the action at once, which waits for the first run itself; undefined: there is none to wait for. */
  async start<T>(key: string, action: (firstRun: Promise<void> | undefined) => Promise<T>): Promise<T> {
    if (this.#firstRuns.has(key)) return await action(this.#firstRuns.get(key));
    if (this.#firstRuns.size >= MAX_KEYS) this.#forgetEnded();
    const running = action(undefined);
    const end = (): void => void this.#firstRuns.set(key, undefined);
    this.#firstRuns.set(key, running.then(end, end));
    return await running;
  }

  /** Forgetting a key only costs another wait. */
  #forgetEnded(): void {
    for (const [key, firstRun] of this.#firstRuns) if (firstRun === undefined) this.#firstRuns.delete(key);
  }
}
