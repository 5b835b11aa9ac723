import type { StoredEvent } from '../event-store.ts';

/**
 * Between a subscription that pushes and a reader that takes batches. It holds no more than `capacity` events: then the
 * subscription waits, and with it, by gRPC's flow control, the server.
 */
export class Inbox {
  readonly #capacity: number;
  #events: StoredEvent[] = [];
  #ended: { readonly cause: unknown } | undefined;
  #closed = false;
  #wakeReader = (): void => {};
  #wakeWriter = (): void => {};

  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  get size(): number {
    return this.#events.length;
  }

  /** Set once the subscription is over, by an error or by an end from the server alike. */
  get ended(): { readonly cause: unknown } | undefined {
    return this.#ended;
  }

  /** Takes in all that the subscription gives; never rejects. */
  async fill(subscription: AsyncIterable<StoredEvent | undefined>): Promise<void> {
    let cause: unknown;
    try {
      for await (const event of subscription) {
        if (event !== undefined) await this.#put(event);
        if (this.#closed) break;
      }
    } catch (error) {
      cause = error;
    }
    this.#ended = { cause };
    this.#wakeReader();
  }

  async #put(event: StoredEvent): Promise<void> {
    while (this.#events.length >= this.#capacity && !this.#closed) {
      await new Promise<void>((resolve) => {
        this.#wakeWriter = resolve;
      });
    }
    this.#events.push(event);
    this.#wakeReader();
  }

  /** Removes the oldest events, at most `count`. */
  take(count: number): StoredEvent[] {
    const taken = this.#events.slice(0, count);
    this.#events = this.#events.slice(count);
    this.#wakeWriter();
    return taken;
  }

  /** Resolves when there is something to take, the subscription is over, or the signal aborts. */
  async news(signal: AbortSignal): Promise<void> {
    if (this.#events.length > 0 || this.#ended !== undefined || signal.aborted) return;
    await new Promise<void>((resolve) => {
      const wake = (): void => {
        signal.removeEventListener('abort', wake);
        resolve();
      };
      this.#wakeReader = wake;
      signal.addEventListener('abort', wake, { once: true });
    });
  }

  /** Nothing is taken in any more; a subscription that waits for room goes on and ends. */
  close(): void {
    this.#closed = true;
    this.#wakeWriter();
  }
}
