import type { Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, describe, expect, test } from '@jest/globals';
import { ADMIN_KEY, startApiService } from '../support/api-service.ts';
import { startSuiteService } from '../support/suite-service.ts';
import { DOCUMENT_BYTES, withLargeClaim } from '../support/large-claim.ts';
import {
  closeConnections,
  connectAndStall,
  openConnection,
  statusesIn,
  withConnectionClose,
} from '../support/raw-connection.ts';
import { waitUntil } from '../support/wait-until.ts';

/** Short for a test, but long enough for a normal request on a busy machine. */
const TIMEOUTS = { headersTimeout: 600, requestTimeout: 1_200, connectionsCheckingInterval: 50 };
const COMMAND = '/api/v1/admin/commands/RegisterMerchant';

const service = await startSuiteService({ http: { timeouts: TIMEOUTS } });

afterEach(closeConnections);

/** Sends a text byte by byte until the connection closes. */
async function sendSlowly(socket: Socket, text: string): Promise<void> {
  for (const byte of text) {
    if (socket.destroyed || !socket.writable) return;
    socket.write(byte);
    await new Promise((resolve) => {
      setTimeout(resolve, 5);
    });
  }
}

const requestHead = (length: number): string =>
  `POST ${COMMAND} HTTP/1.1\r\nHost: x\r\nX-API-Key: ${ADMIN_KEY}\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n\r\n`;

describe('Slow clients', () => {
  test('answers 408 to endless headers and closes the connection', async () => {
    const { socket, ended } = await openConnection(service.url);
    void sendSlowly(socket, `GET /livez HTTP/1.1\r\nHost: x\r\nX-Slow: ${'a'.repeat(2_000)}`);
    expect(await ended).toBe('HTTP/1.1 408 Request Timeout\r\nConnection: close\r\n\r\n');
  });

  test('closes a connection that sends nothing', async () => {
    const { ended } = await openConnection(service.url);
    expect(await ended).toMatch(/^(HTTP\/1\.1 408|$)/);
  });

  test('closes a connection with an endless body and changes nothing', async () => {
    const before = (await service.log()).length;
    const { socket, ended } = await openConnection(service.url);
    socket.write(requestHead(10_000));
    void sendSlowly(socket, `{"name":"${'a'.repeat(2_000)}`);
    expect(await ended).toBe('');
    expect(await service.log()).toHaveLength(before);
  });

  test('serves others while many clients are slow', async () => {
    const slow = await Promise.all(Array.from({ length: 50 }, async () => await openConnection(service.url)));
    for (const { socket } of slow)
      void sendSlowly(socket, 'GET /livez HTTP/1.1\r\nHost: x\r\nX-Slow: aaaaaaaaaaaaaaaaaaaaaa');
    expect((await service.send('GET', '/livez')).status).toBe(200);
    for (const { ended } of slow) expect(await ended).toMatch(/^HTTP\/1\.1 408/);
  });
});

describe('Headers', () => {
  test('answers 431 above 16 KiB', async () => {
    const { socket, ended } = await openConnection(service.url);
    socket.write(`GET /livez HTTP/1.1\r\nHost: x\r\nX-Long: ${'a'.repeat(17_000)}\r\n\r\n`);
    expect(await ended).toBe('HTTP/1.1 431 Request Header Fields Too Large\r\nConnection: close\r\n\r\n');
  });

  test('answers 431 to thousands of small headers', async () => {
    const { socket, ended } = await openConnection(service.url);
    socket.write(`GET /livez HTTP/1.1\r\nHost: x\r\n${'a:\r\n'.repeat(4_000)}\r\n`);
    expect(await ended).toMatch(/^HTTP\/1\.1 431/);
  });

  test('accepts many small headers', async () => {
    const { socket, ended } = await openConnection(service.url);
    const many = Array.from({ length: 200 }, (_, index) => `h${index}: 1\r\n`).join('');
    socket.write(`GET /livez HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${many}\r\n`);
    expect(await ended).toMatch(/^HTTP\/1\.1 200/);
  });
});

describe('A stop', () => {
  test('does not wait for connections without a complete request', async () => {
    const stopping = await startApiService();
    const silent = await openConnection(stopping.url);
    const half = await openConnection(stopping.url);
    half.socket.write('GET /livez HTTP/1.1\r\nHost: x\r\n');
    const keptAlive = await openConnection(stopping.url);
    keptAlive.socket.write('GET /livez HTTP/1.1\r\nHost: x\r\n\r\n');
    await new Promise((resolve) => {
      keptAlive.socket.once('data', resolve);
    });
    const begun = performance.now();
    await stopping.stop();
    expect(performance.now() - begun).toBeLessThan(9_000);
    await Promise.all([silent.ended, half.ended, keptAlive.ended]);
  });

  test('answers a request in flight before it closes the connection', async () => {
    const stopping = await startApiService();
    const { socket, ended } = await openConnection(stopping.url);
    const body = JSON.stringify({ name: 'Acme', business_email: 'a@b.example' });
    socket.write(requestHead(body.length) + body.slice(0, 5));
    await stopping.send('GET', '/livez');
    const stopped = stopping.stop();
    setTimeout(() => socket.write(body.slice(5)), 1_500);
    expect(await ended).toMatch(/^HTTP\/1\.1 201/);
    await stopped;
  });
});

const STALLED_AFTER_MS = 3_000;

/** Joins the chunks of a chunked body (RFC 9112, 7.1) without line breaks. */
function joinChunks(body: string): string {
  return body
    .split('\r\n')
    .filter((_, index) => index % 2 === 1)
    .join('');
}

describe('Clients that do not read', () => {
  test('lose their connection when the response makes no progress', async () => {
    await withLargeClaim(
      { timeouts: { stalledResponseTimeout: STALLED_AFTER_MS } },
      async ({ service, getClaim, readMetric }) => {
        const { socket, ended } = await connectAndStall(service.url, getClaim);
        const cut = 'surety_connections_destroyed_total{reason="stalled"}';
        await waitUntil(async () => (await readMetric(cut)) === 1);
        socket.resume();
        expect((await ended).length).toBeLessThan(DOCUMENT_BYTES);
      },
    );
  });

  test('get the whole response when they read slowly, however long it takes', async () => {
    await withLargeClaim({ timeouts: { stalledResponseTimeout: STALLED_AFTER_MS } }, async ({ service, getClaim }) => {
      const { socket, ended } = await connectAndStall(service.url, withConnectionClose(getClaim));
      // Each pause is shorter than the limit, all together are longer.
      let isSlow = true;
      setTimeout(() => (isSlow = false), 1.5 * STALLED_AFTER_MS);
      socket.on('data', () => {
        if (!isSlow) return;
        socket.pause();
        setTimeout(() => socket.resume(), 50);
      });
      socket.resume();
      const [requestHead = '', ...rest] = (await ended).split('\r\n\r\n');
      expect(requestHead).toMatch(/^HTTP\/1\.1 200/);
      expect(JSON.parse(joinChunks(rest.join('\r\n\r\n'))).documents).toHaveLength(1);
    });
  });

  test('get a response that takes longer than the limit after one that was sent in parts', async () => {
    await withLargeClaim({ timeouts: { stalledResponseTimeout: 1_000 } }, async ({ service, getClaim }) => {
      const { getBlobRow } = service.records;
      let firstRows = 0;
      Object.assign(service.records, {
        getBlobRow: async (sha256: string, row: number) => {
          // A view reads the first row twice: for the SHA-256, and for the body.
          if (row === 0 && ++firstRows === 3) await pause(1_500);
          return await getBlobRow(sha256, row);
        },
      });
      const { socket, ended } = await openConnection(service.url);
      socket.write(getClaim + withConnectionClose(getClaim));
      expect(statusesIn(await ended)).toEqual(['200', '200']);
    });
  });

  test('cause 503 busy for large texts of others above the limit of all bodies, but not for small ones', async () => {
    const service = await startApiService({ http: { bodyMemoryLimits: { total: 600_000, perKey: 600_000 } } });
    try {
      // A list of them is larger than half of the limit, and thirty lists are larger than the socket buffers.
      const merchant = { name: 'A'.repeat(80), business_email: 'a@b.example', address: '漢'.repeat(1_000) };
      for (let count = 0; count < 120; count++) await service.admin('RegisterMerchant', merchant);
      const list = `GET /api/v1/merchants?limit=100 HTTP/1.1\r\nHost: x\r\nX-API-Key: ${ADMIN_KEY}\r\n\r\n`;
      const { socket, ended } = await connectAndStall(service.url, withConnectionClose(list.repeat(30)));
      const read = async (limit: number): Promise<number> =>
        (await service.send('GET', `/api/v1/merchants?limit=${limit}`, { key: ADMIN_KEY })).status;
      await waitUntil(async () => (await read(100)) === 503);
      expect(await read(1)).toBe(200);
      socket.resume();
      expect(statusesIn(await ended)).toEqual(Array(30).fill('200'));
      expect(await read(100)).toBe(200);
    } finally {
      await service.stop();
    }
  });
});
