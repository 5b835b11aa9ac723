import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';

import { UnavailableError } from '@eventstore/db-client';
import { describe, expect, jest, test } from '@jest/globals';

import { Connection } from '#stores/event-log/eventstoredb/connection.ts';
import { EventReader } from '#stores/event-log/eventstoredb/reader.ts';
import { openEventStoreDB } from '#stores/event-log/eventstoredb/eventstoredb-event-store.ts';
import { events, newStream } from '../event-store/subject.ts';
import { SilentServer } from '../../support/silent-server.ts';
import { StandInHarness } from '../../servers/eventstoredb/support/stand-in-harness.ts';
import { waitUntil } from '../../support/wait-until.ts';
import { appendTo } from '#stores/event-log/event-log.ts';

describe('the client of EventStoreDB', () => {
  test.each([
    'http://127.0.0.1:2113',
    'esdb://127.0.0.1:2113?tls=false&throwOnAppendFailure=false',
    'esdb+discover://admin:changeit@127.0.0.1:2113?keepAliveTimeout=5000&TLS=false',
  ])('rejects the address %s', (url) => {
    expect(() => openEventStoreDB({ url })).toThrow(TypeError);
  });

  test('logs no warning and does not connect when it is opened', async () => {
    const warn = jest.spyOn(globalThis.console, 'warn');
    const store = openEventStoreDB({ url: 'esdb://127.0.0.1:1?tls=false&keepAliveTimeout=5000' });
    await store.close();
    await store.close();
    expect(warn).not.toHaveBeenCalled();
    warn.mockRestore();
  });

  test('rejects credentials without TLS, without quoting them', () => {
    const open = (): unknown => openEventStoreDB({ url: 'esdb://admin:changeit@127.0.0.1:2113?tls=false' });
    expect(open).toThrow('The credentials in the address of EventStoreDB would be ignored: they need TLS');
  });

  test('finds the leader of a cluster', async () => {
    const harness = await StandInHarness.start();
    const store = harness.store({ url: harness.server.clusterUrl });
    const stream = newStream();
    await appendTo(store, stream, 'no_stream', events(2));
    expect(await store.readStream(stream)).toHaveLength(2);
    await harness.dispose();
  });

  test('does not connect when it is closed unused', async () => {
    let connections = 0;
    const server = createServer(() => {
      connections += 1;
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const store = openEventStoreDB({ url: clusterAt((server.address() as AddressInfo).port) });
    await store.close();
    server.close();
    await once(server, 'close');
    expect(connections).toBe(0);
  });

  test('opens few connections to a server that accepts them without responding', async () => {
    const sockets: Socket[] = [];
    const server = createServer((socket) => sockets.push(socket.resume())).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const url = `esdb://127.0.0.1:${(server.address() as AddressInfo).port}?tls=false`;
    const connection = new Connection(url);
    const reader = new EventReader(connection, 2_000);
    for (let n = 0; n < 9; n += 1) await expect(reader.ping()).rejects.toMatchObject({ name: 'StoreUnavailable' });
    expect(sockets).toHaveLength(6);
    await connection.close(1_000);
    server.close();
    for (const socket of sockets) socket.destroy();
  });

  test.each([
    ['whose nodes do not listen', async () => await Promise.resolve({ port: 1, stop: () => {} })],
    ['whose nodes accept connections without responding', async () => await SilentServer.start()],
  ])('closes in time with a cluster %s', async (_, start) => {
    const server = await start();
    const store = openEventStoreDB({
      url: clusterAt(server.port),
      readTimeoutMs: 300,
      attemptTimeoutMs: 300,
      appendTimeoutMs: 500,
    });
    const unavailable = { name: 'StoreUnavailable' };
    await expect(store.ping()).rejects.toMatchObject(unavailable);
    await expect(appendTo(store, newStream(), 'no_stream', events(1))).rejects.toMatchObject(unavailable);
    const began = performance.now();
    await store.close();
    expect(performance.now() - began).toBeLessThan(4_000);
    server.stop();
  });

  test('ends calls when a cluster fails, and serves later ones when it is back', async () => {
    const harness = await StandInHarness.start();
    const url = harness.server.clusterUrl;
    const store = harness.store({ url, readTimeoutMs: 3_000, attemptTimeoutMs: 1_000, appendTimeoutMs: 2_000 });
    await store.ping();
    harness.server.faults.push(...Array.from({ length: 20 }, () => ({ kind: 'lost' }) as const));
    const lostAppends = Array.from({ length: 20 }, () => appendTo(store, newStream(), 'no_stream', events(1)));
    const settled = Promise.allSettled(lostAppends);
    await waitUntil(() => harness.server.faults.pendingAppendFaults <= 0);
    await harness.server.stop();
    await expect(store.ping()).rejects.toMatchObject({ name: 'StoreUnavailable' });
    await settled;
    await harness.start();
    await appendTo(harness.store({ url }), newStream(), 'no_stream', events(1));
    await harness.dispose();
  });

  test('leaves no unhandled rejection when a reconnection fails', async () => {
    const { client } = new Connection(clusterAt(1));
    const channel = client['getChannel']();
    const formerClient = { getChannel: () => ({}) } as unknown as Parameters<(typeof client)['handleError']>[0];
    const handling = client['handleError'](formerClient, new UnavailableError());
    await expect(channel).rejects.toThrow('Failed to discover');
    await expect(handling).resolves.toBeUndefined();
  });

  test('sends an append also if its connection is closed at any step of its start', async () => {
    const harness = await StandInHarness.start();
    const program = `
      const { Connection } = await import(${moduleUrl('connection.ts')});
      const { EventReader } = await import(${moduleUrl('reader.ts')});
      const { Appender } = await import(${moduleUrl('appender.ts')});
      const { serialise } = await import(${moduleUrl('../serialised-append.ts')});
      const connection = new Connection(${JSON.stringify(harness.server.url)});
      const { client } = connection;
      const limits = { attemptTimeoutMs: 20_000, appendTimeoutMs: 40_000 };
      const appender = new Appender(connection, new EventReader(connection, 30_000), limits);
      for (const [step, event] of ${JSON.stringify(events(40))}.entries()) {
        const channel = await client.getChannel();
        const appended = appender.append(serialise({ stream: 'policy-' + event.id, expected: 'no_stream', events: [event] }));
        for (let before = 0; before < step; before += 1) await undefined;
        void client.handleError({ getChannel: () => channel }, Object.assign(new Error(), { code: 14 }));
        await appended;
      }
      await connection.close(1_000);
    `;
    // An unhandled rejection would end the process with 1.
    expect(await exitCodeOf(program)).toBe(0);
    expect(harness.server.log.all.filter(({ stream }) => stream.startsWith('policy-'))).toHaveLength(40);
    await harness.dispose();
  });

  test('does not keep the process alive after close', async () => {
    const harness = await StandInHarness.start();
    const program = `
      const { openEventStoreDB } = await import(${moduleUrl('eventstoredb-event-store.ts')});
      const store = openEventStoreDB({ url: ${JSON.stringify(harness.server.url)} });
      await store.append([${JSON.stringify({ stream: newStream(), expected: 'no_stream', events: events(1) })}]);
      const stop = new AbortController();
      for await (const message of store.subscribe({ after: undefined, batch: 10, signal: stop.signal })) {
        if (message.kind === 'caught_up') stop.abort();
      }
      await store.close();
    `;
    expect(await exitCodeOf(program)).toBe(0);
    await harness.dispose();
  });
});

function clusterAt(port: number): string {
  return `esdb+discover://127.0.0.1:${port}?tls=false`;
}

/** Returns the URL of a module of the adapter as source text. */
function moduleUrl(file: string): string {
  return JSON.stringify(new URL(`../../../src/stores/event-log/eventstoredb/${file}`, import.meta.url));
}

/** Runs a program in a process of its own. */
async function exitCodeOf(program: string): Promise<number | null> {
  const child = spawn(process.execPath, ['--input-type=module', '--eval', program], { stdio: 'inherit' });
  const [code] = (await once(child, 'exit')) as [number | null];
  return code;
}
