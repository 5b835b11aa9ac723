/**
 * Runs actions side by side, but those that share a key strictly one after the other, in the order in which they were
 * handed in.
 */
export class Lanes {
  readonly #last = new Map<string, Promise<void>>();

  async run<T>(keys: readonly string[], action: () => Promise<T>): Promise<T> {
    const before = keys.map((key) => this.#last.get(key)).filter((one) => one !== undefined);
    const running = before.length === 0 ? action() : Promise.all(before).then(action);
    const ended = running.then(
      () => undefined,
      () => undefined,
    );
    for (const key of keys) this.#last.set(key, ended);
    try {
      return await running;
    } finally {
      // Without this every key of the file would stay in memory.
      for (const key of keys) if (this.#last.get(key) === ended) this.#last.delete(key);
    }
  }
}

const MOST_REMEMBERED = 1_000;

/**
 * Lets the first action of a key end before others of that key begin; then they run side by side. For what many rows
 * would otherwise make at the same time.
 */
export class Firsts {
  readonly #first = new Map<string, Promise<unknown>>();

  async run<T>(key: string, action: () => Promise<T>): Promise<T> {
    const first = this.#first.get(key);
    if (first !== undefined) {
      await first;
      return await action();
    }
    // To forget a key costs one more wait and nothing else.
    if (this.#first.size >= MOST_REMEMBERED) this.#first.clear();
    const running = action();
    this.#first.set(
      key,
      running.catch(() => undefined),
    );
    return await running;
  }
}
