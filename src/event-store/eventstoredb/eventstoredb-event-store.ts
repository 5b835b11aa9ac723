import { checkAppend } from '../check-append.ts';
import { StoreUnavailable } from '../event-store.ts';
import type { EventStore } from '../event-store.ts';
import { Appender } from './appending.ts';
import { Calls } from './calls.ts';
import { connect, disconnect } from './client.ts';
import { Reader } from './reading.ts';
import { subscribe } from './subscribing.ts';

export interface EventStoreDBOptions {
  /** Connection string, `esdb://…`. Its credentials only count with TLS. */
  readonly url: string;
  /** For how long nothing may come of a read (default 3000). */
  readonly readLimitMs?: number;
  /** For one try of an append (default 1500). */
  readonly tryLimitMs?: number;
  /**
   * For an append with all its tries (default 5000): long enough for a second one where the first was never answered, and for the
   * 2 s after which the server gives up an append that it has dropped, because the same one was under way.
   */
  readonly patienceMs?: number;
}

/**
 * The event log in EventStoreDB, as 23.10 was seen to behave; before 22.6 streams tell no positions. It connects with the first call, and again by itself whenever the
 * connection was lost; only subscriptions end then. Open one in a process, and close it: else the process does not end.
 * @throws {TypeError} when the connection string is wrong.
 */
export function openEventStoreDB(options: EventStoreDBOptions): EventStore {
  const { url, readLimitMs = 3_000, tryLimitMs = 1_500, patienceMs = 5_000 } = options;
  const client = connect(url);
  const calls = new Calls(client);
  const reader = new Reader(calls, readLimitMs);
  const appender = new Appender(calls, reader, { tryLimitMs, patienceMs });
  const closing = new AbortController();
  const underWay = new Set<Promise<unknown>>();

  const whileOpen = async <T>(call: () => Promise<T>): Promise<T> => {
    if (closing.signal.aborted) throw new StoreUnavailable('The store is closed');
    const running = call();
    underWay.add(running);
    try {
      return await running;
    } finally {
      underWay.delete(running);
    }
  };

  return {
    append: (stream, expected, events) =>
      whileOpen(async () => {
        checkAppend(stream, expected, events);
        return await appender.append(stream, expected, events);
      }),
    readStream: (stream, { from, limit } = {}) => whileOpen(() => reader.stream(stream, from, limit)),
    readLast: (stream) => whileOpen(() => reader.last(stream)),
    readAll: ({ after, limit }) => whileOpen(() => reader.log(after, limit)),
    lastPosition: () => whileOpen(() => reader.lastPosition()),
    subscribe: (subscription) =>
      subscribe(client, reader, {
        ...subscription,
        signal: AbortSignal.any([subscription.signal, closing.signal]),
      }),
    ping: () => whileOpen(() => reader.ping()),
    close: async () => {
      if (closing.signal.aborted) return;
      closing.abort();
      await Promise.allSettled(underWay);
      await disconnect(client, readLimitMs);
    },
  };
}
