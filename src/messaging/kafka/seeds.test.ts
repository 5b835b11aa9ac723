import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { networkInterfaces } from 'node:os';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import type { ISocketFactoryArgs } from 'kafkajs';
import { SilentServer } from '../../../test/support/silent-server.ts';
import { kafkaClient } from './client.ts';
import { seedsOf } from './seeds.ts';

const hasIpv6 = Object.values(networkInterfaces()).some((own) => own?.some(({ address }) => address === '::1'));
const onIpv6 = hasIpv6 ? test : test.skip;
const why = hasIpv6 ? '' : ' (skipped: this machine has no IPv6)';

let silent: SilentServer;
beforeEach(async () => {
  silent = await SilentServer.start();
});
afterEach(() => {
  silent.stop();
});

async function listening(
  onSocket: (socket: Socket) => void,
  host = '127.0.0.1',
): Promise<{ readonly server: Server; readonly port: number }> {
  const server = createServer(onSocket).listen(0, host);
  await once(server, 'listening');
  return { server, port: (server.address() as AddressInfo).port };
}

/** Connects as kafkajs does, and resolves with the errors when the connection is over. */
async function connectTo(
  { socketFactory }: ReturnType<typeof seedsOf>,
  port: number,
  host = '127.0.0.1',
): Promise<readonly string[]> {
  const errors: string[] = [];
  const place = { host, port, ssl: undefined, onConnect: () => undefined };
  const closed = Promise.withResolvers<void>();
  const socket = socketFactory?.(place as unknown as ISocketFactoryArgs).resume();
  socket?.on('error', ({ message }) => errors.push(message)).on('close', () => closed.resolve());
  await closed.promise;
  return errors;
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

test('given a broker that hangs up without a word, as kafkajs asks it, then that is an error, and the next one is asked', async () => {
  const { server, port } = await listening((socket) => socket.end());
  const seeds = seedsOf([`127.0.0.1:${port}`, 'b:1']);
  expect(await connectTo(seeds, port)).toEqual(['it hangs up without a word']);
  expect((seeds.brokers as () => string[])()).toEqual(['b:1']);
  server.close();
});

test('given a broker that has answered, when its connection is lost, then it is asked first as before', async () => {
  const { server, port } = await listening((socket) => socket.end('a word'));
  const seeds = seedsOf([`127.0.0.1:${port}`, 'b:1']);
  await connectTo(seeds, port);
  expect((seeds.brokers as () => string[])()).toEqual([`127.0.0.1:${port}`]);
  server.close();
});

/** Host and port as kafkajs takes them from a seed. */
function taken(seed = ''): readonly [host: string, port: number] {
  const [host = '', port] = seed.split(':');
  return [host, Number(port)];
}

onIpv6(
  `given a broker by its IPv6 address, then it is reached by what kafkajs makes of it, and passed over when it is of no use${why}`,
  async () => {
    const { server, port } = await listening((socket) => socket.end(), '::1');
    const seeds = seedsOf([`[::1]:${port}`, 'b:1']);
    const asked = seeds.brokers as () => string[];
    const [host, taking] = taken(asked()[0]);
    expect(taking).toBe(port);
    expect(await connectTo(seeds, port, host)).toEqual(['it hangs up without a word']);
    expect(asked()).toEqual(['b:1']);
    server.close();
  },
);

onIpv6(
  `given a broker that tells its own IPv6 address, then it is reached by that, and passed over as the seed it is${why}`,
  async () => {
    const { server, port } = await listening((socket) => socket.end(), '::1');
    const seeds = seedsOf([`[::1]:${port}`, 'b:1']);
    expect(await connectTo(seeds, port, '::1')).toEqual(['it hangs up without a word']);
    expect((seeds.brokers as () => string[])()).toEqual(['b:1']);
    server.close();
  },
);

onIpv6(`given an IPv6 address, when kafkajs connects, then it reaches the broker${why}`, async () => {
  let connections = 0;
  const { server, port } = await listening((socket) => {
    connections += 1;
    socket.destroy();
  }, '::1');
  const admin = kafkaClient({ brokers: [`[::1]:${port}`] }).admin({ retry: { retries: 0 } });
  await expect(admin.connect()).rejects.toThrow(/connection/i);
  await admin.disconnect();
  expect(connections).toBeGreaterThan(0);
  server.close();
});
