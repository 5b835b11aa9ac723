import { checkAppend } from '../check-append.ts';
import { StoreUnavailable } from '../event-store.ts';
import type { EventStore } from '../event-store.ts';
import { Appender } from './appending.ts';
import { Calls } from './calls.ts';
import { connect, disconnect } from './client.ts';
import { LogReader } from './log-reader.ts';
import { Reader } from './reading.ts';

export interface EventStoreDBOptions {
  /** Connection string, `esdb://…`. Its credentials only count with TLS. */
  readonly url: string;
  /** For how long nothing may come of a read (default 3000). */
  readonly readLimitMs?: number;
  /** For one try of an append (default 2500). */
  readonly tryLimitMs?: number;
  /**
   * For an append with all its tries (default 5000): longer than the 2 s after which the server gives up an append that it has
   * dropped because the same one was in flight.
   */
  readonly appendTimeoutMs?: number;
}

/**
 * The event log in EventStoreDB, as 23.10 was seen to behave; before 22.6 streams tell no positions. It connects with the first call, and again by itself whenever the
 * connection was lost. Open one in a process, and close it: else the process does not end.
 * @throws {TypeError} when the connection string is wrong.
 */
export function openEventStoreDB(options: EventStoreDBOptions): EventStore {
  const { url, readLimitMs = 3_000, tryLimitMs = 2_500, appendTimeoutMs = 5_000 } = options;
  const client = connect(url);
  const calls = new Calls(client);
  const reader = new Reader(calls, readLimitMs);
  const logReader = new LogReader(calls, reader);
  const appender = new Appender(calls, reader, { tryLimitMs, appendTimeoutMs });
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
        return await logReader.whileAppending(() => appender.append(stream, expected, events));
      }),
    readStream: (stream, { from, limit } = {}) => whileOpen(() => reader.stream(stream, from, limit)),
    readLast: (stream) => whileOpen(() => reader.last(stream)),
    readAt: (position) => whileOpen(() => reader.at(position)),
    readAll: ({ after, limit }) => whileOpen(() => reader.log(after, limit)),
    lastPosition: () => whileOpen(() => reader.lastPosition()),
    subscribe: (options) =>
      logReader.subscribe({ ...options, signal: AbortSignal.any([options.signal, closing.signal]) }),
    ping: () => whileOpen(() => reader.ping()),
    close: async () => {
      if (closing.signal.aborted) return;
      closing.abort();
      logReader.stop();
      await Promise.allSettled(underWay);
      await disconnect(client, readLimitMs);
    },
  };
}
