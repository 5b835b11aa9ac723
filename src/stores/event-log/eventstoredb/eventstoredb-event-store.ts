import { StoreUnavailable } from '../../shared/store-unavailable.ts';
import type { AppendResult, EventStore } from '../event-log.ts';
import { Appender } from './appender.ts';
import { Connection } from './connection.ts';
import { AllStreamReader } from './log-reader.ts';
import { EventReader } from './reader.ts';
import { serialise } from '../serialised-append.ts';

export interface EventStoreDBOptions {
  /** Connection string, `esdb://…`. Credentials require TLS. */
  readonly url: string;
  readonly readTimeoutMs?: number;
  readonly attemptTimeoutMs?: number;
  /**
   * Time limit of an append with all its attempts (default 5000): longer than the 2 s after which the server times out
   * an append that it has dropped because the same one was in flight.
   */
  readonly appendTimeoutMs?: number;
}

/**
 * Opens the event log in EventStoreDB 22.6 or later, or KurrentDB (docs/tested.md). It connects with the first call,
 * and reconnects after the connection was lost. Open one per process; the process does not end before it is closed.
 * @throws {TypeError} when the connection string is invalid
 */
export function openEventStoreDB(options: EventStoreDBOptions): EventStore {
  const { url, readTimeoutMs = 3_000, attemptTimeoutMs = 2_500, appendTimeoutMs = 5_000 } = options;
  const connection = new Connection(url);
  const reader = new EventReader(connection, readTimeoutMs);
  const logReader = new AllStreamReader(reader);
  const appender = new Appender(connection, reader, { attemptTimeoutMs, appendTimeoutMs });
  const closing = new AbortController();
  const callsInFlight = new Set<Promise<unknown>>();

  const whileOpen = async <T>(call: () => Promise<T>): Promise<T> => {
    if (closing.signal.aborted) throw new StoreUnavailable('The store is closed');
    const running = call();
    callsInFlight.add(running);
    try {
      return await running;
    } finally {
      callsInFlight.delete(running);
    }
  };

  return {
    append: (appends) =>
      whileOpen(async () => {
        const serialised = appends.map(serialise);
        return await logReader.runAppends(async () => {
          const results: AppendResult[] = [];
          for (const append of serialised) results.push(await appender.append(append));
          return results;
        });
      }),
    readStream: (stream, { from, limit, until } = {}) =>
      whileOpen(async () => {
        const delivered = until === undefined ? undefined : await logReader.stream(stream, from ?? 0, until);
        return delivered?.slice(0, limit) ?? (await reader.stream(stream, from, limit));
      }),
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
      await Promise.allSettled(callsInFlight);
      await connection.close(readTimeoutMs);
    },
  };
}
