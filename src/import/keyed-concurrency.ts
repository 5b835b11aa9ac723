/** Runs actions concurrently, but actions that share a key one after another, in the order of the calls. */
export class KeyedQueue {
  readonly #last = new Map<string, Promise<void>>();

  async run<T>(keys: readonly string[], action: () => Promise<T>): Promise<T> {
    const previous = keys.map((key) => this.#last.get(key)).filter((one) => one !== undefined);
    const running = previous.length === 0 ? action() : Promise.all(previous).then(action);
    const ended = running.then(
      () => undefined,
      () => undefined,
    );
    for (const key of keys) this.#last.set(key, ended);
    try {
      return await running;
    } finally {
      // Otherwise every key of the file would stay in memory.
      for (const key of keys) if (this.#last.get(key) === ended) this.#last.delete(key);
    }
  }
}

const MAX_KEYS = 1_000;

/**
 * Lets the first action of a key finish before other actions of that key start; these then run concurrently. It avoids
 * conflicts when many rows would create the same provider or product.
 */
export class FirstRunGate {
  readonly #firstRuns = new Map<string, Promise<unknown>>();

  async run<T>(key: string, action: () => Promise<T>): Promise<T> {
    const firstRun = this.#firstRuns.get(key);
    if (firstRun !== undefined) {
      await firstRun;
      return await action();
    }
    // Dropping a key only costs another wait.
    if (this.#firstRuns.size >= MAX_KEYS) this.#firstRuns.clear();
    const running = action();
    this.#firstRuns.set(
      key,
      running.catch(() => undefined),
    );
    return await running;
  }
}
