import { once } from 'node:events';
import { createServer } from 'node:net';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import type { ISocketFactoryArgs } from 'kafkajs';
import { SilentServer } from '../../../test/support/silent-server.ts';
import { seedsOf } from './seeds.ts';

let silent: SilentServer;
beforeEach(async () => {
  silent = await SilentServer.start();
});
afterEach(() => {
  silent.stop();
});

/** Connects as kafkajs does, and resolves when the connection is over. */
async function connectTo({ socketFactory }: ReturnType<typeof seedsOf>, port: number): Promise<void> {
  const place = { host: '127.0.0.1', port, ssl: undefined, onConnect: () => undefined };
  const closed = Promise.withResolvers<void>();
  const socket = socketFactory?.(place as unknown as ISocketFactoryArgs).resume();
  socket?.on('error', () => undefined).on('close', () => closed.resolve());
  await closed.promise;
}

test('given a broker that says nothing or is not there, then the next one is asked, and those are asked last', async () => {
  const seeds = seedsOf([`127.0.0.1:${silent.port}`, '127.0.0.1:1', 'c:1']);
  expect(seeds.brokers).toBeInstanceOf(Function);
  const asked = seeds.brokers as () => string[];
  expect(asked()).toEqual([`127.0.0.1:${silent.port}`]);
  await connectTo(seeds, silent.port);
  expect(asked()).toEqual(['127.0.0.1:1']);
  await connectTo(seeds, 1);
  expect(asked()).toEqual(['c:1']);
});

test('given a broker that has answered, when its connection is lost, then it is asked first as before', async () => {
  const server = createServer((socket) => socket.end('a word'));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' ? (address?.port ?? 0) : 0;
  const seeds = seedsOf([`127.0.0.1:${port}`, 'b:1']);
  await connectTo(seeds, port);
  expect((seeds.brokers as () => string[])()).toEqual([`127.0.0.1:${port}`]);
  server.close();
});
