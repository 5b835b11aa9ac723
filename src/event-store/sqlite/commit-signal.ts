/** Notifies subscriptions of new commits. The log has one writer, in this process, so subscriptions need not poll. */
export class CommitSignal {
  readonly #waiting = new Set<() => void>();
  #last = 0;
  #isClosed = false;

  get last(): number {
    return this.#last;
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  advance(position: number): void {
    if (position <= this.#last) return;
    this.#last = position;
    this.#wake();
  }

  close(): void {
    this.#isClosed = true;
    this.#wake();
  }

  /** Waits for a commit after `position`. Also resolves when the store is closed or the signal aborts. */
  waitForCommitAfter(position: number, signal: AbortSignal): Promise<void> {
    if (this.#last > position || this.#isClosed || signal.aborted) return Promise.resolve();
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
