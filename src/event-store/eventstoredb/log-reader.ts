import { setTimeout as pause } from 'node:timers/promises';

import type { Position, SubscribeOptions, SubscriptionMessage } from '../event-store.ts';
import type { Calls } from './calls.ts';
import { LogWindow } from './log-window.ts';
import type { Reader } from './reading.ts';
import { subscriptionAfter } from './requests.ts';
import { unlessAborted } from './time-limit.ts';

/** The most records in one page. */
const pageSize = 500;
/** Between two reads of a busy log, so that events come together in one page. */
const busyPauseMs = 5;
/** The same where the newest event is the process's own: of the next one it will know by itself. */
const ownPauseMs = 20;
/** Number of consecutive empty pages after which the log is idle. */
const pollsBeforeIdle = 4;
/** Between two reads of an idle log, unless an event is known to have come. */
const idlePauseMs = 1_000;

/**
 * The one reader of the log in a process. It reads `$all` in pages and keeps the newest events in a window, from which every
 * subscription takes at its own pace; a subscription that is further behind reads pages by itself. A page is read only when a
 * subscription has taken everything, so slow subscriptions neither hold up others nor take memory.
 *
 * Why pages and no live subscription: docs/decisions/0004.
 */
export class LogReader {
  readonly #calls: Calls;
  readonly #reader: Reader;
  /** Undefined before a subscription reached the end of the log, and after a read failed. */
  #window: LogWindow | undefined;
  /** The read of the next page, with the pause before it; all subscriptions that wait share it. */
  #reading: Promise<void> | undefined;
  #lastReadAt = 0;
  /** An event is known to have come that no page has held yet. */
  #hasNews = false;
  /** Position of the newest event that the process has appended. */
  #appended: Position = 0n;
  #appendsInFlight = 0;
  #isBusyPause = false;
  #endPause = (): void => {};
  #isListening = false;
  #stopListening = (): void => {};
  #subscriptions = 0;

  constructor(calls: Calls, reader: Reader) {
    this.#calls = calls;
    this.#reader = reader;
  }

  /**
   * The log without the server's own events. Positions are only ever those of events that were delivered, or `after`.
   * Ends without an error when the signal aborts. @throws {StoreUnavailable}
   */
  async *subscribe(options: SubscribeOptions): AsyncGenerator<SubscriptionMessage, void, undefined> {
    if (options.signal.aborted) return;
    this.#subscriptions += 1;
    try {
      yield* this.#follow(options);
    } catch (error) {
      if (!options.signal.aborted) throw error;
    } finally {
      this.#subscriptions -= 1;
      if (this.#subscriptions === 0) this.stop();
    }
  }

  /** Runs an append of the process. Its event is read at once, unless others are in flight whose events can come in the same page. */
  async whileAppending<T extends { readonly position: Position }>(append: () => Promise<T>): Promise<T> {
    this.#appendsInFlight += 1;
    const result = await append().finally(() => (this.#appendsInFlight -= 1));
    if (result.position > this.#appended) this.#appended = result.position;
    if (this.#window !== undefined && result.position > this.#window.end) this.#wake();
    return result;
  }

  /** Cancels the pause and the wake-up subscription. */
  stop(): void {
    this.#window = undefined;
    this.#endPause();
    this.#stopListening();
  }

  async *#follow({ after, batch, signal }: SubscribeOptions): AsyncGenerator<SubscriptionMessage, void, undefined> {
    let position = after ?? 0n;
    let announced: Position | undefined;
    const readAlone = async () => await unlessAborted(this.#reader.log(position, batch), signal);
    // A subscription has caught up only when it has what the log held when it began, so it reads its first page by itself.
    for (let events = await readAlone(); ; events = this.#window?.after(position, batch) ?? (await readAlone())) {
      const newest = events?.at(-1);
      if (events !== undefined && newest !== undefined && !signal.aborted) {
        position = newest.position;
        yield { kind: 'events', events };
      }
      if (events === undefined || signal.aborted) return;
      if (events.length === batch) continue;
      const window = (this.#window ??= new LogWindow(position));
      if (announced !== position && !window.isBehind) {
        announced = position;
        yield { kind: 'caught_up', position };
        if (signal.aborted) return;
      }
      await unlessAborted(this.#nextPage(window), signal);
    }
  }

  #nextPage(window: LogWindow): Promise<void> {
    this.#reading ??= this.#readPage(window).finally(() => {
      this.#reading = undefined;
    });
    return this.#reading;
  }

  async #readPage(window: LogWindow): Promise<void> {
    await this.#pause(window);
    if (this.#window !== window) return;
    this.#hasNews = false;
    try {
      window.add(await this.#reader.recordsAfter(window.mark, pageSize), pageSize);
    } catch (error) {
      if (this.#window === window) this.stop();
      throw error;
    }
    this.#lastReadAt = performance.now();
    if (window.end >= this.#appended) this.#hasNews = false;
    // It began before these events, so it has ended with the first of them, or is silent.
    if (window.emptyPages === 0) this.#stopListening();
  }

  /** Waits until the next page is due, or until it is woken. */
  async #pause(window: LogWindow): Promise<void> {
    if (window.isBehind) return;
    const over = new AbortController();
    this.#endPause = () => over.abort();
    this.#isBusyPause = window.emptyPages === 0 && (!this.#hasNews || this.#appendsInFlight > 0);
    if (this.#isBusyPause) await this.#since(busyPauseMs, over.signal);
    this.#isBusyPause = false;
    if (this.#hasNews) return;
    const isIdle = window.emptyPages >= pollsBeforeIdle;
    if (isIdle) this.#listen(window);
    const pauseMs = isIdle ? idlePauseMs : window.end === this.#appended ? ownPauseMs : busyPauseMs;
    await this.#since(pauseMs, over.signal);
  }

  /** Waits until so much time has passed since the last read. */
  async #since(milliseconds: number, signal: AbortSignal): Promise<void> {
    const left = this.#lastReadAt + milliseconds - performance.now();
    if (left > 0) await pause(left, undefined, { signal }).catch(() => {});
  }

  #wake(): void {
    this.#hasNews = true;
    if (!this.#isBusyPause || this.#appendsInFlight === 0) this.#endPause();
  }

  /** Opens a subscription that ends with its first event. If it is lost or silent, events are only read later, in the next read. */
  #listen(window: LogWindow): void {
    if (this.#isListening) return;
    this.#isListening = true;
    this.#stopListening = this.#calls.listen(subscriptionAfter(window.mark?.position), (hasEvent) => {
      this.#isListening = false;
      if (hasEvent) this.#wake();
    });
  }
}
