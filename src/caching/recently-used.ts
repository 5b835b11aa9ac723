/** A map that holds at most `capacity` entries and forgets those that were not asked for the longest. */
export class RecentlyUsed<Value> {
  readonly #capacity: number;
  readonly #entries = new Map<string, Value>();

  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  get size(): number {
    return this.#entries.size;
  }

  get(key: string): Value | undefined {
    const value = this.#entries.get(key);
    // Moving an entry costs more than finding it, so a map with room to spare keeps no order.
    if (value !== undefined && this.#entries.size * 2 > this.#capacity) {
      this.#entries.delete(key);
      this.#entries.set(key, value);
    }
    return value;
  }

  delete(key: string): void {
    this.#entries.delete(key);
  }

  set(key: string, value: Value): void {
    this.#entries.delete(key);
    this.#entries.set(key, value);
    if (this.#entries.size <= this.#capacity) return;
    for (const oldest of this.#entries.keys()) {
      this.#entries.delete(oldest);
      return;
    }
  }
}
