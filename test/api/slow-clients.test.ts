import { connect, type Socket } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import type { HttpDependencies } from '../../src/http/dependencies.ts';
import { createMerchant } from '../support/merchant-fixture.ts';
import { ADMIN_KEY, type ApiService, startApiService } from '../support/api-service.ts';
import { waitUntil } from '../support/wait-until.ts';

/** Short for a test, but long enough for a normal request on a busy machine. */
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

/** Opens a raw connection; `ended` resolves with everything received once the service closes it. */
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

/** Sends a text byte by byte until the connection closes. */
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

describe('Slow clients', () => {
  test('answers 408 to endless headers and closes the connection', async () => {
    const { socket, ended } = await connected(service);
    void trickle(socket, `GET /livez HTTP/1.1\r\nHost: x\r\nX-Slow: ${'a'.repeat(2_000)}`);
    expect(await ended).toMatch(/^HTTP\/1\.1 408 [\s\S]*"code":"request_timeout"/);
  });

  test('closes a connection that sends nothing', async () => {
    const { ended } = await connected(service);
    expect(await ended).toMatch(/^(HTTP\/1\.1 408|$)/);
  });

  test('closes a connection with an endless body and changes nothing', async () => {
    const before = (await service.log()).length;
    const { socket, ended } = await connected(service);
    socket.write(head(10_000));
    void trickle(socket, `{"name":"${'a'.repeat(2_000)}`);
    expect(await ended).toMatch(/^HTTP\/1\.1 408 [\s\S]*"code":"request_timeout"/);
    expect(await service.log()).toHaveLength(before);
  });

  test('serves others while many clients are slow', async () => {
    const slow = await Promise.all(Array.from({ length: 50 }, async () => await connected(service)));
    for (const { socket } of slow)
      void trickle(socket, 'GET /livez HTTP/1.1\r\nHost: x\r\nX-Slow: aaaaaaaaaaaaaaaaaaaaaa');
    expect((await service.send('GET', '/livez')).status).toBe(200);
    for (const { ended } of slow) expect(await ended).toMatch(/^HTTP\/1\.1 408/);
  });
});

describe('Headers', () => {
  test('answers 431 above 16 KiB', async () => {
    const { socket, ended } = await connected(service);
    socket.write(`GET /livez HTTP/1.1\r\nHost: x\r\nX-Long: ${'a'.repeat(17_000)}\r\n\r\n`);
    expect(await ended).toMatch(/^HTTP\/1\.1 431 [\s\S]*"code":"headers_too_large"/);
  });

  test('answers 431 to thousands of small headers', async () => {
    const { socket, ended } = await connected(service);
    socket.write(`GET /livez HTTP/1.1\r\nHost: x\r\n${'a:\r\n'.repeat(4_000)}\r\n`);
    expect(await ended).toMatch(/^HTTP\/1\.1 431/);
  });

  test('accepts many small headers', async () => {
    const { socket, ended } = await connected(service);
    const many = Array.from({ length: 200 }, (_, index) => `h${index}: 1\r\n`).join('');
    socket.write(`GET /livez HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${many}\r\n`);
    expect(await ended).toMatch(/^HTTP\/1\.1 200/);
  });
});

describe('A stop', () => {
  test('does not wait for connections without a complete request', async () => {
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
    expect(performance.now() - begun).toBeLessThan(9_000);
    await Promise.all([silent.ended, half.ended, kept.ended]);
  });

  test('answers a request in flight before it closes the connection', async () => {
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

const MIB = 1024 * 1024;
/** Larger than the socket buffers of the operating system. */
const DOCUMENT_BYTES = 7 * MIB;
const STALLED_AFTER_MS = 3_000;
const ROOM_FOR_ONE = { waitingBytes: 12 * MIB };

type Client = Awaited<ReturnType<typeof connected>>;

/** A service with a large response, and clients that do not read it. */
interface Scene {
  readonly own: ApiService;
  readonly getClaim: string;
  /** The key of a merchant, and the body of a command with a large response. */
  readonly key: string;
  readonly claim: object;
  readonly figure: (name: string) => Promise<number>;
  readonly waitingBytes: () => Promise<number>;
  /** Sends a request and reads nothing; resolves when response bytes are buffered. */
  readonly stalledOn: (text: string) => Promise<Client>;
}

async function withScene(
  limits: HttpDependencies['responseLimits'],
  use: (scene: Scene) => Promise<void>,
): Promise<void> {
  const own = await startApiService({ http: { responseLimits: limits } });
  const { live } = await createMerchant(own, 'Acme');
  const claim = {
    policy_id: live.policyId,
    claim_details: { claim_type: 'Fire', incident_date: '2026-02-07' },
    documents: [
      { document_name: 'Film', evidence_type: 'mp4', blob: Buffer.alloc(DOCUMENT_BYTES, 7).toString('base64') },
    ],
  };
  const submitted = await own.send('POST', '/api/v1/claims', { key: live.key, body: claim });
  const figure = async (name: string): Promise<number> => {
    const { text } = await own.send('GET', '/metrics');
    return Number(new RegExp(`^${name} (\\d+)$`, 'm').exec(text)?.[1]);
  };
  const waitingBytes = async (): Promise<number> => await figure('surety_response_bytes_waiting');
  try {
    await use({
      own,
      getClaim: `GET /api/v1/claims/${submitted.json.claim_id} HTTP/1.1\r\nHost: x\r\nX-API-Key: ${live.key}\r\n\r\n`,
      key: live.key,
      claim,
      figure,
      waitingBytes,
      stalledOn: async (text) => {
        const client = await connected(own);
        client.socket.pause().write(text);
        await waitUntil(async () => (await waitingBytes()) > 0);
        return client;
      },
    });
    for (const socket of sockets) socket.destroy();
    await waitUntil(async () => (await waitingBytes()) === 0);
  } finally {
    for (const socket of sockets) socket.destroy();
    await own.stop();
  }
}

const asLast = (request: string): string => request.replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n');

describe('Clients that do not read', () => {
  test('lose their connection when the response makes no progress', async () => {
    await withScene({ stalledAfter: STALLED_AFTER_MS }, async ({ getClaim, figure, waitingBytes, stalledOn }) => {
      const { socket, ended } = await stalledOn(getClaim);
      await waitUntil(async () => (await figure('surety_responses_cut_total')) === 1);
      expect(await waitingBytes()).toBe(0);
      socket.resume();
      expect((await ended).length).toBeLessThan(DOCUMENT_BYTES);
    });
  });

  test('get the whole response when they read slowly, however long it takes', async () => {
    await withScene({ stalledAfter: STALLED_AFTER_MS }, async ({ getClaim, stalledOn }) => {
      const { socket, ended } = await stalledOn(asLast(getClaim));
      // Each pause is shorter than the limit, all together are longer.
      let isSlow = true;
      setTimeout(() => (isSlow = false), 1.5 * STALLED_AFTER_MS);
      socket.on('data', () => {
        if (!isSlow) return;
        socket.pause();
        setTimeout(() => socket.resume(), 50);
      });
      socket.resume();
      const [head = '', body = ''] = (await ended).split('\r\n\r\n');
      expect(head).toMatch(/^HTTP\/1\.1 200/);
      expect(JSON.parse(body).documents).toHaveLength(1);
    });
  });

  test('cause 503 busy for large responses of others, but not for small ones', async () => {
    await withScene(ROOM_FOR_ONE, async ({ own, getClaim, waitingBytes, stalledOn }) => {
      const { socket } = await stalledOn(getClaim);
      const waiting = await waitingBytes();
      expect(waiting).toBeGreaterThan(DOCUMENT_BYTES);
      const second = await connected(own);
      second.socket.write(asLast(getClaim));
      const refused = await second.ended;
      expect(refused).toMatch(/^HTTP\/1\.1 503 [\s\S]*"code":"busy"/);
      expect(refused).toMatch(/^Retry-After: 1\r$/m);
      expect(await waitingBytes()).toBe(waiting);
      expect((await own.send('GET', '/livez')).status).toBe(200);
      socket.destroy();
      await waitUntil(async () => (await waitingBytes()) === 0);
      const third = await connected(own);
      third.socket.write(asLast(getClaim));
      expect(await third.ended).toMatch(/^HTTP\/1\.1 200/);
    });
  });

  test('cause 503 busy for a command whose response has no room, and the command is not executed', async () => {
    await withScene(ROOM_FOR_ONE, async ({ own, getClaim, key, claim, stalledOn }) => {
      await stalledOn(getClaim);
      const before = (await own.log()).length;
      const refused = await own.send('POST', '/api/v1/claims', { key, body: claim });
      expect(refused).toMatchObject({ status: 503, json: { code: 'busy' } });
      expect(await own.log()).toHaveLength(before);
    });
  });

  test('do not affect the response of any executed command', async () => {
    await withScene(ROOM_FOR_ONE, async ({ own, getClaim, key, claim, stalledOn }) => {
      const body = JSON.stringify(claim);
      const { socket, ended } = await connected(own);
      socket.write(
        `POST /api/v1/claims HTTP/1.1\r\nHost: x\r\nX-API-Key: ${key}\r\nConnection: close\r\n` +
          `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body.slice(0, -1)}`,
      );
      await stalledOn(getClaim);
      socket.write(body.slice(-1));
      expect(await ended).toMatch(/^HTTP\/1\.1 201/);
    });
  });

  test('hold one response per connection, however many requests they pipeline', async () => {
    await withScene({}, async ({ own, getClaim, waitingBytes, stalledOn }) => {
      await stalledOn(getClaim.repeat(50));
      expect(await waitingBytes()).toBeLessThan(2 * DOCUMENT_BYTES);
      const { ended, socket } = await connected(own);
      const get = (id: string): string => `GET /livez HTTP/1.1\r\nHost: x\r\nX-Request-Id: ${id}\r\n\r\n`;
      socket.write(get('a') + get('b') + asLast(get('c')));
      expect([...(await ended).matchAll(/^X-Request-Id: (.)\r$/gm)].map(([, id]) => id)).toEqual(['a', 'b', 'c']);
    });
  });

  test.each([1, 2])('get the error for invalid HTTP after the responses to %d requests', async (requests) => {
    await withScene({}, async ({ getClaim, stalledOn }) => {
      const { socket, ended } = await stalledOn(getClaim.repeat(requests));
      socket.write('this is not HTTP\r\n\r\n');
      socket.resume();
      expect([...(await ended).matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status)).toEqual([
        ...Array<string>(requests).fill('200'),
        '400',
      ]);
    });
  });

  test('get the response to a command that is followed by invalid HTTP', async () => {
    await withScene({}, async ({ own, key }) => {
      const { socket, ended } = await connected(own);
      const body = JSON.stringify({ name: 'Garbage Insurance', support_email: 'a@b.example', support_phone: '1' });
      socket.write(
        `POST /api/v1/onboarding/providers/registration/ HTTP/1.1\r\nHost: x\r\nX-API-Key: ${key}\r\n` +
          `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}GARBAGE\r\n\r\n`,
      );
      expect([...(await ended).matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status)).toEqual(['201', '400']);
    });
  });

  test('are refused by the declared size of a body', async () => {
    await withScene({}, async ({ own, key }) => {
      const { socket, ended } = await connected(own);
      socket.write(
        `POST /api/v1/quotes HTTP/1.1\r\nHost: x\r\nX-API-Key: ${key}\r\nContent-Type: application/json\r\n` +
          'Content-Length: 9007199254740991\r\n\r\n',
      );
      expect(await ended).toMatch(/^HTTP\/1\.1 413/);
    });
  });
});

describe('Connections above the maximum', () => {
  test('are refused until others have closed', async () => {
    const own = await startApiService({ http: { maxConnections: 2 } });
    const get = 'GET /livez HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n';
    const answerTo = async (): Promise<string> => {
      const client = await connected(own);
      client.socket.write(get);
      return await client.ended;
    };
    try {
      const [first, second] = [await connected(own), await connected(own)];
      expect(await answerTo()).toBe('');
      first.socket.destroy();
      await waitUntil(async () => (await answerTo()) !== '');
      second.socket.destroy();
      await waitUntil(async () => (await answerTo()) !== '');
      expect((await own.send('GET', '/metrics')).text).toMatch(/^surety_connections_refused_total [1-9]/m);
    } finally {
      await own.stop();
    }
  });
});
