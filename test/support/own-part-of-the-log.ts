import { randomUUID } from 'node:crypto';
import {
  type AppendResult,
  type EventStore,
  type EventToAppend,
  type ExpectedRevision,
  type Position,
  type StoredEvent,
  type SubscribeOptions,
  type SubscriptionMessage,
  WrongExpectedRevision,
} from '../../src/event-store/event-store.ts';

/** Which events of a log, to which others write as well, are somebody's own. */
export interface PartOfTheLog {
  /** What the names of its streams begin with, in the log alone. */
  readonly prefix: string;
  /** The newest event of the log when the part was begun; undefined: there was none. */
  readonly begin: Position | undefined;
}

/** A part that begins at the end of the log, and that nobody else knows of. */
export async function newPart(log: Pick<EventStore, 'lastPosition'>): Promise<PartOfTheLog> {
  return { prefix: `part-${randomUUID()}-`, begin: await log.lastPosition() };
}

/** The most events that are asked for at once while the events of others are passed over. */
const PAGE = 100;
/** What an event log says that has nothing to tell. */
const BEGINNING: Position = 0n;

/**
 * A part of a shared log as a log of its own, empty at first. Events, revisions and positions are those of the shared log; the
 * events of others are gaps, as those are that a server keeps for itself. Closing it closes the shared log's store.
 */
export class OwnPartOfTheLog implements EventStore {
  readonly #log: EventStore;
  readonly #part: PartOfTheLog;
  /** Up to here `#newest` is right. */
  #looked: Position | undefined;
  #newest: Position | undefined;

  constructor(log: EventStore, part: PartOfTheLog) {
    this.#log = log;
    this.#part = part;
    this.#looked = part.begin;
  }

  async append(stream: string, expected: ExpectedRevision, events: readonly EventToAppend[]): Promise<AppendResult> {
    try {
      return await this.#log.append(this.#inLog(stream), expected, events);
    } catch (error) {
      if (error instanceof WrongExpectedRevision) throw new WrongExpectedRevision(stream, expected, error.actual);
      throw error;
    }
  }

  async readStream(stream: string, options?: { from?: number; limit?: number }): Promise<readonly StoredEvent[]> {
    return this.#own(await this.#log.readStream(this.#inLog(stream), options));
  }

  async readLast(stream: string): Promise<StoredEvent | undefined> {
    const last = await this.#log.readLast(this.#inLog(stream));
    return last === undefined ? undefined : this.#own([last])[0];
  }

  async readAt(position: Position): Promise<StoredEvent | undefined> {
    const event = await this.#log.readAt(position);
    return event === undefined ? undefined : this.#own([event])[0];
  }

  async readAll({ after, limit }: { after: Position | undefined; limit: number }): Promise<readonly StoredEvent[]> {
    const found: StoredEvent[] = [];
    let read = this.#notBefore(after);
    for (let page = limit; found.length < limit; page = Math.max(limit, PAGE)) {
      const events = await this.#log.readAll({ after: read, limit: page });
      found.push(...this.#own(events));
      read = events.at(-1)?.position;
      if (events.length < page) break;
    }
    return found.slice(0, limit);
  }

  async lastPosition(): Promise<Position | undefined> {
    for (let isFirst = true; ; isFirst = false) {
      const events = await this.#log.readAll({ after: this.#looked, limit: PAGE });
      this.#note(events);
      // Much has been written since: most often by the part itself, so that its newest event is the log's.
      if (events.length === PAGE && isFirst) this.#note(await this.#newestOfLog());
      if (events.length < PAGE) return this.#newest;
    }
  }

  /** The newest event of the log, if it is the part's own. */
  async #newestOfLog(): Promise<readonly StoredEvent[]> {
    const position = await this.#log.lastPosition();
    if (position === undefined) return [];
    const event = await this.#log.readAt(position);
    return event === undefined || this.#own([event]).length === 0 ? [] : [event];
  }

  /** Takes in events of the log up to which nothing of the part's own is left out; others may have looked further meanwhile. */
  #note(events: readonly StoredEvent[]): void {
    this.#looked = later(this.#looked, events.at(-1)?.position);
    this.#newest = later(this.#newest, this.#own(events).at(-1)?.position);
  }

  async *subscribe({ after, batch, signal }: SubscribeOptions): AsyncGenerator<SubscriptionMessage> {
    let considered = after ?? BEGINNING;
    let announced: Position | undefined;
    for await (const message of this.#log.subscribe({ after: this.#notBefore(after), batch, signal })) {
      if (message.kind === 'events') {
        const events = this.#own(message.events);
        considered = events.at(-1)?.position ?? considered;
        if (events.length > 0) yield { kind: 'events', events };
      } else if (announced !== considered) {
        announced = considered;
        yield { kind: 'caught_up', position: considered };
      }
    }
  }

  async ping(): Promise<void> {
    await this.#log.ping();
  }

  async close(): Promise<void> {
    await this.#log.close();
  }

  /** No name stays none, so that it is refused. */
  #inLog(stream: string): string {
    return stream === '' ? stream : this.#part.prefix + stream;
  }

  #own(events: readonly StoredEvent[]): StoredEvent[] {
    const { prefix } = this.#part;
    return events
      .filter(({ stream }) => stream.startsWith(prefix))
      .map((event) => ({ ...event, stream: event.stream.slice(prefix.length) }));
  }

  #notBefore(after: Position | undefined): Position | undefined {
    return later(this.#part.begin, after);
  }
}

function later(a: Position | undefined, b: Position | undefined): Position | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  return a > b ? a : b;
}
