import { UnavailableError, UnknownError } from '@eventstore/db-client';
import type { EventStoreDBClient } from '@eventstore/db-client';
import { status } from '@grpc/grpc-js';
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';

import { serialise } from '../../../src/event-store/serialised-append.ts';
import { Appender } from '../../../src/event-store/eventstoredb/appender.ts';
import { connect, disconnect } from '../../../src/event-store/eventstoredb/client.ts';
import { EventReader } from '../../../src/event-store/eventstoredb/reader.ts';
import { serviceError } from '../../servers/eventstoredb/messages.ts';
import { StandInHarness } from '../../servers/eventstoredb/support/stand-in-harness.ts';
import { TcpProxy } from '../../support/tcp-proxy.ts';
import { waitUntil } from '../../support/wait-until.ts';
import { events, ids, newStream } from '../event-store/subject.ts';
import { appendTo } from '../../../src/event-store/event-store.ts';

describe('calls of EventStoreDB', () => {
  let harness: StandInHarness;
  let client: EventStoreDBClient;
  let reader: EventReader;
  let proxy: TcpProxy;
  beforeEach(async () => {
    harness = await StandInHarness.start();
    proxy = await TcpProxy.start(harness.server.port);
    client = connect(harness.server.url);
    reader = new EventReader(client, 30_000);
  });
  afterEach(async () => {
    await disconnect(client, 1_000);
    await harness.dispose();
    await proxy.stop();
  });

  test('appends, reads and subscriptions require the leader of the cluster', async () => {
    const functions = ['appendToStream', 'readStream', 'readAll', 'subscribeToAll'] as const;
    const spies = functions.map((name) => jest.spyOn(client, name));
    const appender = new Appender(client, reader, { attemptTimeoutMs: 20_000, appendTimeoutMs: 40_000 });
    const stream = newStream();
    await appender.append(serialise({ stream, expected: 'no_stream', events: events(1) }));
    await reader.stream(stream);
    await reader.ping();
    const ended = Promise.withResolvers<boolean>();
    reader.subscribeOnce(undefined, ended.resolve);
    expect(await ended.promise).toBe(true);
    for (const { mock } of spies) {
      expect(mock.calls).toHaveLength(1);
      expect(mock.calls[0]).toContainEqual(expect.objectContaining({ requiresLeader: true }));
    }
  });

  test('a connection whose ping is not answered is replaced', async () => {
    const warn = jest.spyOn(globalThis.console, 'warn').mockReturnValue();
    const url = `esdb://127.0.0.1:${proxy.port}?tls=false&keepAliveInterval=500`;
    const store = harness.store({ url, readTimeoutMs: 500 });
    warn.mockRestore();
    await waitUntil(async () => await hasResponse(store.ping()));
    // Everything later on this connection is lost; other connections work.
    const isHeld = proxy.holdRequest(/(?:)/);
    expect(await hasResponse(store.ping())).toBe(false);
    await isHeld;
    const began = performance.now();
    await waitUntil(async () => await hasResponse(store.ping()));
    // The default of the client is to wait 10 s for the response to a ping.
    expect(performance.now() - began).toBeLessThan(9_000);
  });

  test('a read has one time limit for both of its attempts', async () => {
    proxy.freeze();
    const store = harness.store({ url: `esdb://127.0.0.1:${proxy.port}?tls=false`, readTimeoutMs: 3_000 });
    const began = performance.now();
    setTimeout(() => proxy.cut(), 2_500);
    const message = 'EventStoreDB does not answer';
    await expect(store.ping()).rejects.toMatchObject({ name: 'StoreUnavailable', message });
    expect(performance.now() - began).toBeLessThan(5_400);
  });

  test('an append that waits longer than its limit for the leader of the cluster is never sent', async () => {
    proxy.freeze();
    const url = `esdb+discover://127.0.0.1:${proxy.port}?tls=false&gossipTimeout=30`;
    const store = harness.store({ url, appendTimeoutMs: 300 });
    await expect(appendTo(store, newStream(), 'no_stream', events(1))).rejects.toMatchObject({
      name: 'StoreUnavailable',
    });
    proxy.thaw();
    // An append that waits for the leader would be sent before this read.
    await store.ping();
    expect(harness.server.faults.calls.append).toBe(0);
  });

  /** Errors that were observed when a server was killed, and when it had just started. */
  const ENDS: readonly (readonly [string, () => Error])[] = [
    ['an UnavailableError', () => new UnavailableError()],
    [
      'a plain Error',
      () => Object.assign(new Error('14 UNAVAILABLE: No connection established'), { code: status.UNAVAILABLE }),
    ],
    [
      'an UnknownError',
      () => new UnknownError(serviceError(status.UNKNOWN, 'Could not recognize Server Is Not Ready')),
    ],
  ];

  test.each(
    ENDS.flatMap(([error, createError]) => [true, false].map((isWritten) => [error, isWritten, createError] as const)),
  )(
    'an append that ends with %s (written: %s) is checked in the stream and written once',
    async (_, isWritten, createError) => {
      const stream = newStream();
      const all = events(2);
      const appendToStream = client.appendToStream.bind(client);
      const spy = jest.spyOn(client, 'appendToStream').mockImplementationOnce(async (...args) => {
        if (isWritten) await appendToStream(...args);
        throw createError();
      });
      const appender = new Appender(client, reader, { attemptTimeoutMs: 20_000, appendTimeoutMs: 40_000 });
      expect((await appender.append(serialise({ stream, expected: 'no_stream', events: all }))).revision).toBe(1);
      expect(ids(await reader.stream(stream))).toEqual(ids(all));
      expect(spy).toHaveBeenCalledTimes(isWritten ? 1 : 2);
    },
  );
});

async function hasResponse(call: Promise<void>): Promise<boolean> {
  return await call.then(
    () => true,
    () => false,
  );
}
