import { UnavailableError, UnknownError } from '@eventstore/db-client';
import type { EventStoreDBClient } from '@eventstore/db-client';
import { status } from '@grpc/grpc-js';
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';

import { serialise } from '#stores/event-log/serialised-append.ts';
import { Appender } from '#stores/event-log/eventstoredb/appender.ts';
import { Connection } from '#stores/event-log/eventstoredb/connection.ts';
import { EventReader } from '#stores/event-log/eventstoredb/reader.ts';
import { serviceError } from '../../servers/eventstoredb/messages.ts';
import { StandInHarness } from '../../servers/eventstoredb/support/stand-in-harness.ts';
import { startNode } from '../../servers/eventstoredb/stand-in.ts';
import { SilentServer } from '../../support/silent-server.ts';
import { TcpProxy } from '../../support/tcp-proxy.ts';
import { waitUntil } from '../../support/wait-until.ts';
import { events, ids, newStream } from '../event-store/subject.ts';
import { type AppendResult, appendTo } from '#stores/event-log/event-log.ts';

describe('calls of EventStoreDB', () => {
  let harness: StandInHarness;
  let connection: Connection;
  let client: EventStoreDBClient;
  let reader: EventReader;
  let proxy: TcpProxy;
  beforeEach(async () => {
    harness = await StandInHarness.start();
    proxy = await TcpProxy.start(harness.server.port);
    connection = new Connection(harness.server.url);
    client = connection.client;
    reader = new EventReader(connection, 30_000);
  });
  afterEach(async () => {
    await connection.close(1_000);
    await harness.dispose();
    await proxy.stop();
  });

  const proxied = (): string => `esdb://127.0.0.1:${proxy.port}?tls=false`;

  /** Holds what is sent from now on on the connection that sends next; other connections work. */
  const holdConnection = (): void => void proxy.holdRequest(/(?:)/);

  test('appends, reads and subscriptions require the leader of the cluster', async () => {
    const functions = ['appendToStream', 'readStream', 'readAll', 'subscribeToAll'] as const;
    const spies = functions.map((name) => jest.spyOn(client, name));
    const appender = new Appender(connection, reader, { attemptTimeoutMs: 20_000, appendTimeoutMs: 40_000 });
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

  test('a connection on which nothing is answered is replaced when a read times out', async () => {
    const store = harness.storeWithDefaults({ url: proxied() });
    await store.ping();
    holdConnection();
    expect(await hasResponse(store.ping())).toBe(false);
    const began = performance.now();
    await store.ping();
    // Without a new connection the client would wait for the response to its ping, which it sends every 10 s.
    expect(performance.now() - began).toBeLessThan(2_000);
  });

  test('calls that wait on a connection when it is dropped are sent again on a new one', async () => {
    const own = new Connection(proxied());
    await new EventReader(own, 3_000).ping();
    holdConnection();
    const waiting = new EventReader(own, 30_000).ping();
    await expect(new EventReader(own, 2_500).ping()).rejects.toMatchObject({ name: 'StoreUnavailable' });
    await waiting;
    await own.close(1_000);
  });

  test('an append on a connection on which nothing is answered is sent again on a new one', async () => {
    const store = harness.storeWithDefaults({ url: proxied() });
    const stream = newStream();
    await store.ping();
    holdConnection();
    await appendTo(store, stream, 'no_stream', events(2));
    proxy.release();
    expect(await store.readStream(stream)).toHaveLength(2);
  });

  test('an append that was written on a connection on which nothing is answered is not sent again', async () => {
    const channel = await client['getChannel']();
    const stream = newStream();
    harness.server.faults.push({ kind: 'late', ms: 4_000 });
    const appender = new Appender(connection, reader, { attemptTimeoutMs: 2_500, appendTimeoutMs: 5_000 });
    await appender.append(serialise({ stream, expected: 'no_stream', events: events(2) }));
    expect(await reader.stream(stream)).toHaveLength(2);
    expect(harness.server.faults.calls.append).toBe(1);
    expect(await client['getChannel']()).not.toBe(channel);
  });

  test('the leader is looked for again when a connection is accepted but never established', async () => {
    const silent = await SilentServer.start();
    const leader = { port: silent.port };
    const node = await startNode(harness.server.log, 0, () => ({
      members: [{ port: leader.port, isLeader: true, isAlive: true }],
      leader: leader.port,
      self: node.port,
    }));
    const store = harness.storeWithDefaults({ url: node.clusterUrl });
    expect(await hasResponse(store.ping())).toBe(false);
    leader.port = node.port;
    await store.ping();
    await store.close();
    await node.stop();
    silent.stop();
  });

  test('a subscription ends when its connection is dropped', async () => {
    const own = new Connection(proxied());
    const ownReader = new EventReader(own, 2_500);
    const ended = Promise.withResolvers<boolean>();
    await ownReader.ping();
    ownReader.subscribeOnce(undefined, ended.resolve);
    await waitUntil(() => harness.server.faults.calls.subscribe === 1);
    holdConnection();
    await expect(ownReader.ping()).rejects.toMatchObject({ name: 'StoreUnavailable' });
    expect(await ended.promise).toBe(false);
    await own.close(1_000);
  });

  test('a slow server that still answers keeps its connection', async () => {
    const channel = await client['getChannel']();
    const slow: Promise<AppendResult>[] = [];
    harness.server.faults.push({ kind: 'late', ms: 4_500 }, { kind: 'late', ms: 4_500 });
    const appender = new Appender(connection, reader, { attemptTimeoutMs: 2_500, appendTimeoutMs: 5_000 });
    for (let n = 0; n < 2; n += 1)
      slow.push(appender.append(serialise({ stream: newStream(), expected: 'no_stream', events: events(1) })));
    let areAnswered = false;
    const answered = Promise.all(slow).finally(() => (areAnswered = true));
    await waitUntil(async () => {
      await reader.ping();
      return areAnswered;
    });
    await answered;
    expect(await client['getChannel']()).toBe(channel);
  });

  test('calls with short time limits do not drop a connection that is slow for a moment', async () => {
    const channel = await client['getChannel']();
    harness.server.faults.push(...Array.from({ length: 4 }, () => ({ kind: 'lost' }) as const));
    const appender = new Appender(connection, reader, { attemptTimeoutMs: 300, appendTimeoutMs: 40_000 });
    await appender.append(serialise({ stream: newStream(), expected: 'no_stream', events: events(1) }));
    expect(await client['getChannel']()).toBe(channel);
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
      const appender = new Appender(connection, reader, { attemptTimeoutMs: 20_000, appendTimeoutMs: 40_000 });
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
