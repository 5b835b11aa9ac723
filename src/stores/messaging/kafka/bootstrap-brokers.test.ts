import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { networkInterfaces } from 'node:os';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import type { ISocketFactoryArgs } from 'kafkajs';
import { SilentServer } from '#test/support/silent-server.ts';
import { kafkaClient } from './client.ts';
import { bootstrapBrokers } from './bootstrap-brokers.ts';

const CLOSED = 'the broker closed the connection without a response: its port may require TLS (KAFKA_SSL)';
const hasIpv6 = Object.values(networkInterfaces()).some((addresses) =>
  addresses?.some(({ address }) => address === '::1'),
);
const testOnIpv6 = hasIpv6 ? test : test.skip;
const skipNote = hasIpv6 ? '' : ' (skipped: this machine has no IPv6)';

let silentServer: SilentServer;
beforeEach(async () => {
  silentServer = await SilentServer.start();
});
afterEach(() => {
  silentServer.stop();
});

async function startServer(
  onSocket: (socket: Socket) => void,
  host = '127.0.0.1',
): Promise<{ readonly server: Server; readonly port: number }> {
  const server = createServer(onSocket).listen(0, host);
  await once(server, 'listening');
  return { server, port: (server.address() as AddressInfo).port };
}

/** Connects as kafkajs does, and resolves with the errors when the connection has closed. */
async function connectTo(
  { socketFactory }: ReturnType<typeof bootstrapBrokers>,
  port: number,
  host = '127.0.0.1',
): Promise<readonly string[]> {
  const errors: string[] = [];
  const socketOptions = { host, port, ssl: undefined, onConnect: () => undefined };
  const closed = Promise.withResolvers<void>();
  const socket = socketFactory?.(socketOptions as unknown as ISocketFactoryArgs).resume();
  socket?.on('error', ({ message }) => errors.push(message)).on('close', () => closed.resolve());
  await closed.promise;
  return errors;
}

test('falls back to the next broker when one does not respond or is unreachable, and moves it to the end', async () => {
  const seeds = bootstrapBrokers([`127.0.0.1:${silentServer.port}`, '127.0.0.1:1', 'c:1']);
  expect(seeds.brokers).toBeInstanceOf(Function);
  const nextBrokers = seeds.brokers as () => string[];
  expect(nextBrokers()).toEqual([`127.0.0.1:${silentServer.port}`]);
  await connectTo(seeds, silentServer.port);
  expect(nextBrokers()).toEqual(['127.0.0.1:1']);
  await connectTo(seeds, 1);
  expect(nextBrokers()).toEqual(['c:1']);
});

test('falls back to the next broker when one closes the connection without a response', async () => {
  const { server, port } = await startServer((socket) => socket.end());
  const seeds = bootstrapBrokers([`127.0.0.1:${port}`, 'b:1']);
  expect(await connectTo(seeds, port)).toEqual([CLOSED]);
  expect((seeds.brokers as () => string[])()).toEqual(['b:1']);
  server.close();
});

test('keeps a broker that has responded first when its connection is lost', async () => {
  const { server, port } = await startServer((socket) => socket.end('data'));
  const seeds = bootstrapBrokers([`127.0.0.1:${port}`, 'b:1']);
  await connectTo(seeds, port);
  expect((seeds.brokers as () => string[])()).toEqual([`127.0.0.1:${port}`]);
  server.close();
});

/** Parses host and port of a seed as kafkajs does. */
function parseSeed(seed = ''): readonly [host: string, port: number] {
  const [host = '', port] = seed.split(':');
  return [host, Number(port)];
}

testOnIpv6(
  `connects to an IPv6 address as kafkajs parses it, and falls back to the next broker${skipNote}`,
  async () => {
    const { server, port } = await startServer((socket) => socket.end(), '::1');
    const seeds = bootstrapBrokers([`[::1]:${port}`, 'b:1']);
    const nextBrokers = seeds.brokers as () => string[];
    const [host, parsedPort] = parseSeed(nextBrokers()[0]);
    expect(parsedPort).toBe(port);
    expect(await connectTo(seeds, port, host)).toEqual([CLOSED]);
    expect(nextBrokers()).toEqual(['b:1']);
    server.close();
  },
);

testOnIpv6(`kafkajs reaches a broker with an IPv6 address${skipNote}`, async () => {
  let connections = 0;
  const { server, port } = await startServer((socket) => {
    connections += 1;
    socket.destroy();
  }, '::1');
  const admin = kafkaClient({ brokers: [`[::1]:${port}`] }).admin({ retry: { retries: 0 } });
  await expect(admin.connect()).rejects.toThrow(/connection/i);
  await admin.disconnect();
  expect(connections).toBeGreaterThan(0);
  server.close();
});
