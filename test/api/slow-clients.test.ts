import { connect, type Socket } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { ADMIN_KEY, type ApiService, startApiService } from '../support/api-service.ts';

/** Short for a test, and still enough for an honest request on a busy machine. */
const TIMEOUTS = { headersTimeout: 600, requestTimeout: 1_200, connectionsCheckingInterval: 50 };
const COMMAND = '/api/v1/admin/commands/RegisterMerchant';

let service: ApiService;
const sockets: Socket[] = [];

beforeAll(async () => {
  service = await startApiService({ timeouts: TIMEOUTS });
});

afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy();
});

afterAll(async () => {
  await service.stop();
});

/** A connection made by hand; `ended` resolves with all that came once the service has closed it. */
async function connected(to: ApiService): Promise<{ readonly socket: Socket; readonly ended: Promise<string> }> {
  const socket = connect(Number(new URL(to.url).port), '127.0.0.1');
  sockets.push(socket);
  let received = '';
  socket.setEncoding('latin1').on('data', (text: string) => (received += text));
  const ended = new Promise<string>((resolve) => {
    socket.on('error', () => {}).on('close', () => resolve(received));
  });
  await new Promise((resolve) => {
    socket.once('connect', resolve);
  });
  return { socket, ended };
}

/** Sends a text byte by byte, until the other side has had enough. */
async function trickle(socket: Socket, text: string): Promise<void> {
  for (const byte of text) {
    if (socket.destroyed || !socket.writable) return;
    socket.write(byte);
    await new Promise((resolve) => {
      setTimeout(resolve, 5);
    });
  }
}

const head = (length: number): string =>
  `POST ${COMMAND} HTTP/1.1\r\nHost: x\r\nX-API-Key: ${ADMIN_KEY}\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n\r\n`;

describe('clients that take their time', () => {
  test('given headers that never end, then 408 and the connection is closed', async () => {
    const { socket, ended } = await connected(service);
    void trickle(socket, `GET /livez HTTP/1.1\r\nHost: x\r\nX-Slow: ${'a'.repeat(2_000)}`);
    expect(await ended).toMatch(/^HTTP\/1\.1 408 [\s\S]*"code":"request_timeout"/);
  });

  test('given a connection that sends nothing, then it is closed', async () => {
    const { ended } = await connected(service);
    expect(await ended).toMatch(/^(HTTP\/1\.1 408|$)/);
  });

  test('given a body that never ends, then the connection is closed and nothing has happened', async () => {
    const before = (await service.log()).length;
    const { socket, ended } = await connected(service);
    socket.write(head(10_000));
    void trickle(socket, `{"name":"${'a'.repeat(2_000)}`);
    expect(await ended).toMatch(/^HTTP\/1\.1 408 [\s\S]*"code":"request_timeout"/);
    expect(await service.log()).toHaveLength(before);
  });

  test('given many of them, then others are served meanwhile', async () => {
    const slow = await Promise.all(Array.from({ length: 50 }, async () => await connected(service)));
    for (const { socket } of slow)
      void trickle(socket, 'GET /livez HTTP/1.1\r\nHost: x\r\nX-Slow: aaaaaaaaaaaaaaaaaaaaaa');
    expect((await service.send('GET', '/livez')).status).toBe(200);
    for (const { ended } of slow) expect(await ended).toMatch(/^HTTP\/1\.1 408/);
  });
});

describe('headers', () => {
  test('given more than 16 KiB of them, then 431', async () => {
    const { socket, ended } = await connected(service);
    socket.write(`GET /livez HTTP/1.1\r\nHost: x\r\nX-Long: ${'a'.repeat(17_000)}\r\n\r\n`);
    expect(await ended).toMatch(/^HTTP\/1\.1 431 [\s\S]*"code":"headers_too_large"/);
  });

  test('given thousands of small ones, then 431', async () => {
    const { socket, ended } = await connected(service);
    socket.write(`GET /livez HTTP/1.1\r\nHost: x\r\n${'a:\r\n'.repeat(4_000)}\r\n`);
    expect(await ended).toMatch(/^HTTP\/1\.1 431/);
  });

  test('given a lot of small ones, then the request is answered', async () => {
    const { socket, ended } = await connected(service);
    const many = Array.from({ length: 200 }, (_, index) => `h${index}: 1\r\n`).join('');
    socket.write(`GET /livez HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${many}\r\n`);
    expect(await ended).toMatch(/^HTTP\/1\.1 200/);
  });
});

describe('a stop', () => {
  test('given connections with no request or half of one, then they do not hold it up', async () => {
    const stopping = await startApiService();
    const silent = await connected(stopping);
    const half = await connected(stopping);
    half.socket.write('GET /livez HTTP/1.1\r\nHost: x\r\n');
    const kept = await connected(stopping);
    kept.socket.write('GET /livez HTTP/1.1\r\nHost: x\r\n\r\n');
    await new Promise((resolve) => {
      kept.socket.once('data', resolve);
    });
    const begun = performance.now();
    await stopping.stop();
    expect(performance.now() - begun).toBeLessThan(4_000);
    await Promise.all([silent.ended, half.ended, kept.ended]);
  });

  test('given a request under way, then it is answered before the connection is closed', async () => {
    const stopping = await startApiService();
    const { socket, ended } = await connected(stopping);
    const body = JSON.stringify({ name: 'Acme', business_email: 'a@b.example' });
    socket.write(head(body.length) + body.slice(0, 5));
    await stopping.send('GET', '/livez');
    const stopped = stopping.stop();
    setTimeout(() => socket.write(body.slice(5)), 1_500);
    expect(await ended).toMatch(/^HTTP\/1\.1 201/);
    await stopped;
  });
});
