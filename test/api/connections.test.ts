import { once } from 'node:events';
import { afterEach, describe, expect, test } from '@jest/globals';
import { ADMIN_KEY, startApiService } from '../support/api-service.ts';
import { startSuiteService } from '../support/suite-service.ts';
import { withLargeClaim } from '../support/large-claim.ts';
import { createMerchant } from '../support/merchant-fixture.ts';
import {
  closeConnections,
  connectAndStall,
  openConnection,
  statusesIn,
  withConnectionClose,
} from '../support/raw-connection.ts';
import { waitUntil } from '../support/wait-until.ts';

const service = await startSuiteService();

afterEach(closeConnections);

const MIB = 1024 * 1024;
const COMMAND = JSON.stringify({ name: 'Acme', business_email: 'a@b.example' });
const command =
  `POST /api/v1/admin/commands/RegisterMerchant HTTP/1.1\r\nHost: x\r\nX-API-Key: ${ADMIN_KEY}\r\n` +
  `Content-Type: application/json\r\nContent-Length: ${COMMAND.length}\r\n\r\n${COMMAND}`;

describe('Bodies above the limit of all bodies in memory', () => {
  const LIMIT = { bodyMemoryLimits: { total: 12 * MIB, perKey: 12 * MIB } };
  const claimHead = (key: string, length: number): string =>
    `POST /api/v1/claims HTTP/1.1\r\nHost: x\r\nX-API-Key: ${key}\r\n` +
    `Content-Type: application/json\r\nContent-Length: ${length}\r\n\r\n`;

  test('are answered 503 busy and change nothing; afterwards the same request succeeds', async () => {
    await withLargeClaim(LIMIT, async ({ service, key, claim, readMetric }) => {
      const body = JSON.stringify(claim);
      const first = await openConnection(service.url);
      first.socket.write(claimHead(key, body.length) + body.slice(0, -1));
      await waitUntil(async () => (await readMetric('surety_body_bytes')) === body.length - 1);
      const before = (await service.log()).length;
      const refused = await service.send('POST', '/api/v1/claims', { key, body: claim });
      expect([refused.status, refused.json.code, refused.headers.get('retry-after')]).toEqual([503, 'busy', '1']);
      expect(await service.log()).toHaveLength(before);
      first.socket.destroy();
      await waitUntil(async () => (await readMetric('surety_body_bytes')) === 0);
      expect((await service.send('POST', '/api/v1/claims', { key, body: claim })).status).toBe(201);
    });
  });

  test('count for one key before they count for all', async () => {
    await withLargeClaim({ bodyMemoryLimits: { perKey: 12 * MIB } }, async ({ service, key, claim, readMetric }) => {
      const body = JSON.stringify(claim);
      const { socket } = await openConnection(service.url);
      socket.write(claimHead(key, body.length) + body.slice(0, -1));
      await waitUntil(async () => (await readMetric('surety_body_bytes')) === body.length - 1);
      expect((await service.send('POST', '/api/v1/claims', { key, body: claim })).status).toBe(503);
      const { live } = await createMerchant(service, 'Other');
      const others = { ...claim, policy_id: live.policyId };
      expect((await service.send('POST', '/api/v1/claims', { key: live.key, body: others })).status).toBe(201);
    });
  });

  test('are refused by their declared size before they arrive', async () => {
    await withLargeClaim({}, async ({ service, key }) => {
      const { socket } = await openConnection(service.url);
      socket.write(claimHead(key, Number.MAX_SAFE_INTEGER));
      expect(String(await once(socket, 'data'))).toMatch(/^HTTP\/1\.1 413/);
    });
  });
});

describe('Pipelined requests', () => {
  const get = (id: string): string => `GET /livez HTTP/1.1\r\nHost: x\r\nX-Request-Id: ${id}\r\n\r\n`;

  test('are answered in order', async () => {
    const { ended, socket } = await openConnection(service.url);
    const ids = Array.from({ length: 32 }, (_, index) => String(index));
    socket.write(
      ids
        .map((id) => get(id))
        .join('')
        .replace(/\r\n\r\n$/, '\r\nConnection: close\r\n\r\n'),
    );
    expect([...(await ended).matchAll(/^X-Request-Id: (\d+)\r$/gm)].map(([, id]) => id)).toEqual(ids);
  });

  test('destroy the connection above 32 open responses', async () => {
    const { ended, socket } = await openConnection(service.url);
    socket.write(get('a').repeat(33));
    expect(statusesIn(await ended).length).toBeLessThan(33);
    expect((await service.send('GET', '/metrics')).text).toMatch(
      /^surety_connections_destroyed_total\{reason="open_responses"\} 1$/m,
    );
  });

  test('hold one large response at a time', async () => {
    await withLargeClaim({}, async ({ service, getClaim }) => {
      const { socket, ended } = await connectAndStall(service.url, getClaim.repeat(5));
      socket.resume();
      socket.write(withConnectionClose(getClaim));
      expect(statusesIn(await ended)).toEqual(Array(6).fill('200'));
    });
  });

  test('are executed when the responses before them are sent', async () => {
    await withLargeClaim({}, async ({ service, getClaim }) => {
      const before = (await service.log()).length;
      const { socket, ended } = await connectAndStall(
        service.url,
        getClaim + command.replace('Host: x', 'Host: x\r\nConnection: close'),
      );
      expect((await service.send('GET', '/api/v1/merchants?limit=1', { key: ADMIN_KEY })).status).toBe(200);
      expect(await service.log()).toHaveLength(before);
      socket.resume();
      expect(statusesIn(await ended)).toEqual(['200', '201']);
    });
  });

  test('with invalid HTTP behind an open request destroy the connection', async () => {
    await withLargeClaim({}, async ({ service, getClaim }) => {
      const { socket, ended } = await connectAndStall(service.url, getClaim);
      socket.write('this is not HTTP\r\n\r\n');
      socket.resume();
      expect(statusesIn(await ended)).toEqual(['200']);
    });
  });

  test('with invalid HTTP behind a command show no refusal of it', async () => {
    const { socket, ended } = await openConnection(service.url);
    socket.write(`${command}GARBAGE\r\n\r\n`);
    expect(await ended).toBe('');
  });
});

describe('At the maximum of connections', () => {
  const get = 'GET /livez HTTP/1.1\r\nHost: x\r\n\r\n';

  test('a new connection replaces the one that has been without a complete request for the longest', async () => {
    const limited = await startApiService({ http: { maxConnections: 3 } });
    try {
      const [first, second] = [await openConnection(limited.url), await openConnection(limited.url)];
      first.socket.write(get);
      await once(first.socket, 'data');
      second.socket.write('G');
      const third = await openConnection(limited.url);
      const fourth = await openConnection(limited.url);
      expect(await second.ended).toBe('');
      for (const { socket } of [first, third, fourth]) {
        socket.write(get);
        expect(String(await once(socket, 'data'))).toMatch(/^HTTP\/1\.1 200/);
      }
      const { text } = await limited.send('GET', '/metrics');
      expect(text).toMatch(/^surety_connections_destroyed_total\{reason="limit"\} 2$/m);
      expect(statusesIn(await first.ended)).toEqual(['200', '200']);
    } finally {
      await limited.stop();
    }
  });

  test('a new connection is destroyed while every other has a complete request in flight', async () => {
    const [visible, waits] = [Promise.withResolvers<boolean>(), Promise.withResolvers<void>()];
    const waitFor = async (): Promise<boolean> => {
      waits.resolve();
      return await visible.promise;
    };
    const limited = await startApiService({
      projector: ({ status, initialBuildProgress }) => ({ status, initialBuildProgress, waitFor }),
      http: { maxConnections: 1 },
    });
    try {
      const first = await openConnection(limited.url);
      first.socket.write(command);
      await waits.promise;
      expect(await (await openConnection(limited.url)).ended).toBe('');
      visible.resolve(true);
      expect(String(await once(first.socket, 'data'))).toMatch(/^HTTP\/1\.1 201/);
    } finally {
      await limited.stop();
    }
  });
});
