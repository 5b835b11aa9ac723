import { setTimeout as pause } from 'node:timers/promises';
import { AwaitablePosition } from '../awaitable-position.ts';
import type { Position, StoredEvent, SubscribeOptions, SubscriptionMessage } from '../event-log.ts';
import type { EventReader } from './reader.ts';
import { RecentEvents } from './recent-events.ts';
import { unlessAborted } from '../../shared/timing.ts';

const pageSize = 500;
/** Pause between two reads of a busy log, so that one page holds several events. */
const busyPauseMs = 5;
/** Pause after an event that this process appended: it knows of its next append without a read. */
const ownAppendPauseMs = 20;
/** How long a caller waits for a page with an event of its own, before it reads the event itself. */
const deliveryMs = 100;
/** Number of consecutive pages without events after which the log counts as idle. */
const pollsBeforeIdle = 4;
/** Pause between two reads of an idle log, unless a new event is reported. */
const idlePauseMs = 1_000;

/**
 * Reads `$all` in pages for all subscriptions of the process, and caches the newest events. A subscription that is
 * further behind reads its own pages. The next page is read when a subscription has consumed the cache, so slow
 * subscriptions neither delay others nor use memory.
 *
 * The reason for reading pages instead of a live subscription: docs/decisions/0004.
 */
export class AllStreamReader {
  readonly #reader: EventReader;
  /** Undefined until a subscription has reached the end of the log, and after a failed read. */
  #recent: RecentEvents | undefined;
  readonly #delivered = new AwaitablePosition();
  /** The pending read of the next page, which all waiting subscriptions share. */
  #reading: Promise<void> | undefined;
  #lastReadAt = 0;
  #hasUnreadEvent = false;
  #lastAppended: Position = 0n;
  #appendsInFlight = 0;
  #isInBusyPause = false;
  #endPause = (): void => {};
  #isWakeUpOpen = false;
  #closeWakeUp = (): void => {};
  #subscriptions = 0;

  constructor(reader: EventReader) {
    this.#reader = reader;
  }

  /**
   * Delivers application events. Reports only positions of delivered events, or `after`.
   * Ends without an error when the signal aborts. @throws {StoreUnavailable}
   */
  async *subscribe(options: SubscribeOptions): AsyncGenerator<SubscriptionMessage, void, undefined> {
    if (options.signal.aborted) return;
    this.#subscriptions += 1;
    try {
      yield* this.#deliver(options);
    } catch (error) {
      if (!options.signal.aborted) throw error;
    } finally {
      this.#subscriptions -= 1;
      if (this.#subscriptions === 0) this.stop();
    }
  }

  /**
   * Runs appends of one command. Reads their events at once, or after the other appends in flight, so that they share a
   * page.
   */
  async runAppends<T extends { readonly position: Position }>(
    append: () => Promise<readonly T[]>,
  ): Promise<readonly T[]> {
    this.#appendsInFlight += 1;
    const results = await append().finally(() => (this.#appendsInFlight -= 1));
    const position = results.at(-1)?.position ?? 0n;
    if (position > this.#lastAppended) this.#lastAppended = position;
    if (this.#recent !== undefined && position > this.#recent.lastPosition) this.#wake();
    return results;
  }

  /**
   * Returns the events of a stream from a revision to the event at a position, as soon as a page has that event;
   * undefined when it does not come, or the newest pages do not have all of them.
   */
  async stream(stream: string, from: number, until: Position): Promise<readonly StoredEvent[] | undefined> {
    if (this.#recent === undefined) return undefined;
    await this.#delivered.waitFor(until, deliveryMs);
    return this.#recent?.ofStream(stream, from, until);
  }

  stop(): void {
    this.#recent = undefined;
    this.#endPause();
    this.#closeWakeUp();
  }

  async *#deliver({ after, batch, signal }: SubscribeOptions): AsyncGenerator<SubscriptionMessage, void, undefined> {
    let position = after ?? 0n;
    let caughtUpAt: Position | undefined;
    const readPage = async () => await unlessAborted(this.#reader.log(position, batch), signal);
    // The cache may lag behind the log, so the first page is read directly: caught_up must include all events from
    // before the subscription.
    for (let events = await readPage(); ; events = this.#recent?.after(position, batch) ?? (await readPage())) {
      const newest = events?.at(-1);
      if (events !== undefined && newest !== undefined && !signal.aborted) {
        position = newest.position;
        yield { kind: 'events', events };
      }
      if (events === undefined || signal.aborted) return;
      if (events.length === batch) continue;
      const recent = (this.#recent ??= new RecentEvents(position));
      if (caughtUpAt !== position && !recent.hasMore) {
        caughtUpAt = position;
        yield { kind: 'caught_up', position };
        if (signal.aborted) return;
      }
      await unlessAborted(this.#nextPage(recent), signal);
    }
  }

  #nextPage(recent: RecentEvents): Promise<void> {
    this.#reading ??= this.#readPage(recent).finally(() => {
      this.#reading = undefined;
    });
    return this.#reading;
  }

  async #readPage(recent: RecentEvents): Promise<void> {
    await this.#pause(recent);
    if (this.#recent !== recent) return;
    this.#hasUnreadEvent = false;
    try {
      recent.add(await this.#reader.recordsAfter(recent.lastRecord, pageSize), pageSize);
    } catch (error) {
      if (this.#recent === recent) this.stop();
      throw error;
    }
    this.#delivered.moveTo(recent.lastPosition);
    this.#lastReadAt = performance.now();
    if (recent.lastPosition >= this.#lastAppended) this.#hasUnreadEvent = false;
    // The wake-up subscription started before these events, so it has ended, or does not work.
    if (recent.emptyPages === 0) this.#closeWakeUp();
  }

  async #pause(recent: RecentEvents): Promise<void> {
    if (recent.hasMore) return;
    const ended = new AbortController();
    this.#endPause = () => ended.abort();
    this.#isInBusyPause = recent.emptyPages === 0 && (!this.#hasUnreadEvent || this.#appendsInFlight > 0);
    if (this.#isInBusyPause) await this.#waitSinceLastRead(busyPauseMs, ended.signal);
    this.#isInBusyPause = false;
    if (this.#hasUnreadEvent) return;
    const isIdle = recent.emptyPages >= pollsBeforeIdle;
    if (isIdle) this.#openWakeUp(recent);
    const pauseMs = isIdle ? idlePauseMs : recent.lastPosition === this.#lastAppended ? ownAppendPauseMs : busyPauseMs;
    await this.#waitSinceLastRead(pauseMs, ended.signal);
  }

  async #waitSinceLastRead(milliseconds: number, signal: AbortSignal): Promise<void> {
    const left = this.#lastReadAt + milliseconds - performance.now();
    if (left > 0) await pause(left, undefined, { signal }).catch(() => {});
  }

  #wake(): void {
    this.#hasUnreadEvent = true;
    if (!this.#isInBusyPause || this.#appendsInFlight === 0) this.#endPause();
  }

  /** Opens a subscription that ends with the first new event. If it fails, the next page is read after the pause. */
  #openWakeUp(recent: RecentEvents): void {
    if (this.#isWakeUpOpen) return;
    this.#isWakeUpOpen = true;
    this.#closeWakeUp = this.#reader.subscribeOnce(recent.lastRecord, (hasEvent) => {
      this.#isWakeUpOpen = false;
      if (hasEvent) this.#wake();
    });
  }
}
