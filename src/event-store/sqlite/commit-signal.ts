/** Tells subscriptions how far the log reaches. The log has one writer, in this process, so nobody needs to poll. */
export class CommitSignal {
  readonly #waiting = new Set<() => void>();
  #last = 0;
  #ended = false;

  /** Position of the newest committed event; 0 on an empty log. */
  get last(): number {
    return this.#last;
  }

  /** True once the store was closed: nothing will follow. */
  get ended(): boolean {
    return this.#ended;
  }

  /** The log now reaches to `position`. */
  advance(position: number): void {
    if (position <= this.#last) return;
    this.#last = position;
    this.#wake();
  }

  end(): void {
    this.#ended = true;
    this.#wake();
  }

  /** Resolves when the log reaches beyond `position`, was closed, or the signal aborts; whichever comes first. */
  beyond(position: number, signal: AbortSignal): Promise<void> {
    if (this.#last > position || this.#ended || signal.aborted) return Promise.resolve();
    return new Promise((resolve) => {
      const done = (): void => {
        this.#waiting.delete(done);
        signal.removeEventListener('abort', done);
        resolve();
      };
      this.#waiting.add(done);
      signal.addEventListener('abort', done);
    });
  }

  #wake(): void {
    for (const done of this.#waiting) done();
  }
}
