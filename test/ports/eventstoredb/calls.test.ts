import { UnavailableError, UnknownError } from '@eventstore/db-client';
import type { EventStoreDBClient } from '@eventstore/db-client';
import { status } from '@grpc/grpc-js';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';

import { Appender } from '../../../src/event-store/eventstoredb/appender.ts';
import { Calls } from '../../../src/event-store/eventstoredb/calls.ts';
import { connect, disconnect } from '../../../src/event-store/eventstoredb/client.ts';
import { Reader } from '../../../src/event-store/eventstoredb/reader.ts';
import { appendRequest, logReadRequest, subscriptionRequest } from '../../../src/event-store/eventstoredb/requests.ts';
import { serviceError } from '../../servers/eventstoredb/messages.ts';
import { StandInHarness } from '../../servers/eventstoredb/support/stand-in-harness.ts';
import { TcpProxy } from '../../support/tcp-proxy.ts';
import { waitUntil } from '../../support/wait-until.ts';
import { events, ids, newStream } from '../event-store/subject.ts';

describe('calls of EventStoreDB', () => {
  let harness: StandInHarness;
  let client: EventStoreDBClient;
  let calls: Calls;
  let reader: Reader;
  beforeEach(async () => {
    harness = await StandInHarness.start();
    client = connect(harness.server.url);
    calls = new Calls(client);
    reader = new Reader(calls, 1_000);
  });
  afterEach(async () => {
    await disconnect(client, 1_000);
    await harness.dispose();
  });

  /** As the client does when the server refuses a call as unavailable, just after the next call has got its stub. */
  const closeAfterNextStub = (): void => {
    const stubOf = client['getGRPCClient'];
    client['getGRPCClient'] = async (...args: Parameters<typeof stubOf>) => {
      client['getGRPCClient'] = stubOf;
      const stub = await stubOf(...args);
      await client['handleError'](stub, new UnavailableError());
      return stub;
    };
  };

  test('an append uses a new connection when another call closes its connection', async () => {
    const appender = new Appender(calls, reader, { attemptTimeoutMs: 1_000, appendTimeoutMs: 2_000 });
    const stream = newStream();
    const all = events(2);
    closeAfterNextStub();
    expect((await appender.append(stream, 'no_stream', all)).revision).toBe(1);
    expect(ids(await reader.stream(stream))).toEqual(ids(all));
  });

  test('a read uses a new connection when another call closes its connection', async () => {
    closeAfterNextStub();
    expect(await reader.stream(newStream())).toEqual([]);
  });

  test('appends, reads and subscriptions require the leader of the cluster', async () => {
    const callOptions: unknown[] = [];
    const argumentsOf = client['callArguments'];
    client['callArguments'] = (...args: Parameters<typeof argumentsOf>) => {
      callOptions.push(args[0]);
      return argumentsOf(...args);
    };
    await calls.append(appendRequest(newStream(), 'no_stream', events(1)).messages, 1_000);
    await calls.read(logReadRequest('start', 'forwards', 1), 1_000);
    const ended = Promise.withResolvers<boolean>();
    calls.subscribeOnce(subscriptionRequest(undefined), ended.resolve);
    expect(await ended.promise).toBe(true);
    expect(callOptions).toHaveLength(3);
    for (const options of callOptions) expect(options).toMatchObject({ requiresLeader: true });
  });

  test('a connection without responses for 5 s is closed after a timeout, and the next call opens another', async () => {
    const proxy = await TcpProxy.start(harness.server.port);
    const store = harness.store({ url: `esdb://127.0.0.1:${proxy.port}?tls=false`, readTimeoutMs: 800 });
    await store.ping();
    // Everything later on this connection is lost; other connections work.
    const heldResponse = proxy.holdRequest(/(?:)/);
    const began = performance.now();
    const isAnswering = async (): Promise<boolean> =>
      await store.ping().then(
        () => true,
        () => false,
      );
    expect(await isAnswering()).toBe(false);
    await heldResponse;
    await waitUntil(isAnswering);
    expect(performance.now() - began).toBeGreaterThan(5_000);
    // Before keep-alive would detect it.
    expect(performance.now() - began).toBeLessThan(15_000);
    await store.close();
    await proxy.stop();
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
      let appends = 0;
      const failingCalls = new Calls(client);
      failingCalls.append = async (...args) => {
        appends += 1;
        if (appends > 1) return await calls.append(...args);
        if (isWritten) await calls.append(...args);
        throw createError();
      };
      const appender = new Appender(failingCalls, reader, { attemptTimeoutMs: 10_000, appendTimeoutMs: 30_000 });
      expect((await appender.append(stream, 'no_stream', all)).revision).toBe(1);
      expect(ids(await reader.stream(stream))).toEqual(ids(all));
      expect(appends).toBe(isWritten ? 1 : 2);
    },
  );
});
