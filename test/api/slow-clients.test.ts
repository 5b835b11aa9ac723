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
async function openConnection(to: ApiService): Promise<{ readonly socket: Socket; readonly ended: Promise<string> }> {
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
    const { socket, ended } = await openConnection(service);
    void sendSlowly(socket, `GET /livez HTTP/1.1\r\nHost: x\r\nX-Slow: ${'a'.repeat(2_000)}`);
    expect(await ended).toMatch(/^HTTP\/1\.1 408 [\s\S]*"code":"request_timeout"/);
  });

  test('closes a connection that sends nothing', async () => {
    const { ended } = await openConnection(service);
    expect(await ended).toMatch(/^(HTTP\/1\.1 408|$)/);
  });

  test('closes a connection with an endless body and changes nothing', async () => {
    const before = (await service.log()).length;
    const { socket, ended } = await openConnection(service);
    socket.write(requestHead(10_000));
    void sendSlowly(socket, `{"name":"${'a'.repeat(2_000)}`);
    expect(await ended).toMatch(/^HTTP\/1\.1 408 [\s\S]*"code":"request_timeout"/);
    expect(await service.log()).toHaveLength(before);
  });

  test('serves others while many clients are slow', async () => {
    const slow = await Promise.all(Array.from({ length: 50 }, async () => await openConnection(service)));
    for (const { socket } of slow)
      void sendSlowly(socket, 'GET /livez HTTP/1.1\r\nHost: x\r\nX-Slow: aaaaaaaaaaaaaaaaaaaaaa');
    expect((await service.send('GET', '/livez')).status).toBe(200);
    for (const { ended } of slow) expect(await ended).toMatch(/^HTTP\/1\.1 408/);
  });
});

describe('Headers', () => {
  test('answers 431 above 16 KiB', async () => {
    const { socket, ended } = await openConnection(service);
    socket.write(`GET /livez HTTP/1.1\r\nHost: x\r\nX-Long: ${'a'.repeat(17_000)}\r\n\r\n`);
    expect(await ended).toMatch(/^HTTP\/1\.1 431 [\s\S]*"code":"headers_too_large"/);
  });

  test('answers 431 to thousands of small headers', async () => {
    const { socket, ended } = await openConnection(service);
    socket.write(`GET /livez HTTP/1.1\r\nHost: x\r\n${'a:\r\n'.repeat(4_000)}\r\n`);
    expect(await ended).toMatch(/^HTTP\/1\.1 431/);
  });

  test('accepts many small headers', async () => {
    const { socket, ended } = await openConnection(service);
    const many = Array.from({ length: 200 }, (_, index) => `h${index}: 1\r\n`).join('');
    socket.write(`GET /livez HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${many}\r\n`);
    expect(await ended).toMatch(/^HTTP\/1\.1 200/);
  });
});

describe('A stop', () => {
  test('does not wait for connections without a complete request', async () => {
    const stopping = await startApiService();
    const silent = await openConnection(stopping);
    const half = await openConnection(stopping);
    half.socket.write('GET /livez HTTP/1.1\r\nHost: x\r\n');
    const keptAlive = await openConnection(stopping);
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
    const { socket, ended } = await openConnection(stopping);
    const body = JSON.stringify({ name: 'Acme', business_email: 'a@b.example' });
    socket.write(requestHead(body.length) + body.slice(0, 5));
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

/** Joins the chunks of a chunked body (RFC 9112, 7.1) without line breaks. */
function joinChunks(body: string): string {
  return body
    .split('\r\n')
    .filter((_, index) => index % 2 === 1)
    .join('');
}

type Client = Awaited<ReturnType<typeof openConnection>>;

/** A service with a large response, and clients that do not read it. */
interface Scene {
  readonly limitedService: ApiService;
  readonly getClaim: string;
  /** The key of a merchant, and the body of a command with a large response. */
  readonly key: string;
  readonly claim: object;
  readonly readMetric: (name: string) => Promise<number>;
  readonly waitingBytes: () => Promise<number>;
  /** Sends a request and reads nothing; resolves when response bytes are buffered. */
  readonly connectAndStall: (text: string) => Promise<Client>;
}

async function withScene(
  limits: HttpDependencies['responseLimits'],
  run: (scene: Scene) => Promise<void>,
): Promise<void> {
  const limitedService = await startApiService({ http: { responseLimits: limits } });
  const { live } = await createMerchant(limitedService, 'Acme');
  const claim = {
    policy_id: live.policyId,
    claim_details: { claim_type: 'Fire', incident_date: '2026-02-07' },
    documents: [
      { document_name: 'Film', evidence_type: 'mp4', blob: Buffer.alloc(DOCUMENT_BYTES, 7).toString('base64') },
    ],
  };
  const submitted = await limitedService.send('POST', '/api/v1/claims', { key: live.key, body: claim });
  const readMetric = async (name: string): Promise<number> => {
    const { text } = await limitedService.send('GET', '/metrics');
    return Number(new RegExp(`^${name} (\\d+)$`, 'm').exec(text)?.[1]);
  };
  const waitingBytes = async (): Promise<number> => await readMetric('surety_response_bytes_waiting');
  try {
    await run({
      limitedService,
      getClaim: `GET /api/v1/claims/${submitted.json.claim_id} HTTP/1.1\r\nHost: x\r\nX-API-Key: ${live.key}\r\n\r\n`,
      key: live.key,
      claim,
      readMetric,
      waitingBytes,
      connectAndStall: async (text) => {
        const client = await openConnection(limitedService);
        client.socket.pause().write(text);
        await waitUntil(async () => (await waitingBytes()) > 0);
        return client;
      },
    });
    for (const socket of sockets) socket.destroy();
    await waitUntil(async () => (await waitingBytes()) === 0);
  } finally {
    for (const socket of sockets) socket.destroy();
    await limitedService.stop();
  }
}

const withConnectionClose = (request: string): string => request.replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n');

describe('Clients that do not read', () => {
  test('lose their connection when the response makes no progress', async () => {
    await withScene(
      { stalledAfter: STALLED_AFTER_MS },
      async ({ getClaim, readMetric, waitingBytes, connectAndStall }) => {
        const { socket, ended } = await connectAndStall(getClaim);
        await waitUntil(async () => (await readMetric('surety_responses_cut_total')) === 1);
        expect(await waitingBytes()).toBe(0);
        socket.resume();
        expect((await ended).length).toBeLessThan(DOCUMENT_BYTES);
      },
    );
  });

  test('get the whole response when they read slowly, however long it takes', async () => {
    await withScene({ stalledAfter: STALLED_AFTER_MS }, async ({ getClaim, connectAndStall }) => {
      const { socket, ended } = await connectAndStall(withConnectionClose(getClaim));
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

  test('cause 503 busy for large responses of others, but not for small ones', async () => {
    await withScene(ROOM_FOR_ONE, async ({ limitedService, getClaim, waitingBytes, connectAndStall }) => {
      const { socket } = await connectAndStall(getClaim);
      const waiting = await waitingBytes();
      expect(waiting).toBeGreaterThanOrEqual(DOCUMENT_BYTES);
      const second = await openConnection(limitedService);
      second.socket.write(withConnectionClose(getClaim));
      const rejected = await second.ended;
      expect(rejected).toMatch(/^HTTP\/1\.1 503 [\s\S]*"code":"busy"/);
      expect(rejected).toMatch(/^Retry-After: 1\r$/m);
      expect(await waitingBytes()).toBe(waiting);
      expect((await limitedService.send('GET', '/livez')).status).toBe(200);
      socket.destroy();
      await waitUntil(async () => (await waitingBytes()) === 0);
      const third = await openConnection(limitedService);
      third.socket.write(withConnectionClose(getClaim));
      expect(await third.ended).toMatch(/^HTTP\/1\.1 200/);
    });
  });

  test('cause 503 busy for a command whose response has no room, and the command is not executed', async () => {
    await withScene(ROOM_FOR_ONE, async ({ limitedService, getClaim, key, claim, connectAndStall }) => {
      await connectAndStall(getClaim);
      const before = (await limitedService.log()).length;
      const rejected = await limitedService.send('POST', '/api/v1/claims', { key, body: claim });
      expect(rejected).toMatchObject({ status: 503, json: { code: 'busy' } });
      expect(await limitedService.log()).toHaveLength(before);
    });
  });

  test('do not affect the response of any executed command', async () => {
    await withScene(ROOM_FOR_ONE, async ({ limitedService, getClaim, key, claim, connectAndStall }) => {
      const body = JSON.stringify(claim);
      const { socket, ended } = await openConnection(limitedService);
      socket.write(
        `POST /api/v1/claims HTTP/1.1\r\nHost: x\r\nX-API-Key: ${key}\r\nConnection: close\r\n` +
          `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body.slice(0, -1)}`,
      );
      await connectAndStall(getClaim);
      socket.write(body.slice(-1));
      expect(await ended).toMatch(/^HTTP\/1\.1 201/);
    });
  });

  test('hold one response per connection, however many requests they pipeline', async () => {
    await withScene({}, async ({ limitedService, getClaim, waitingBytes, connectAndStall }) => {
      await connectAndStall(getClaim.repeat(50));
      expect(await waitingBytes()).toBeLessThan(2 * DOCUMENT_BYTES);
      const { ended, socket } = await openConnection(limitedService);
      const get = (id: string): string => `GET /livez HTTP/1.1\r\nHost: x\r\nX-Request-Id: ${id}\r\n\r\n`;
      socket.write(get('a') + get('b') + withConnectionClose(get('c')));
      expect([...(await ended).matchAll(/^X-Request-Id: (.)\r$/gm)].map(([, id]) => id)).toEqual(['a', 'b', 'c']);
    });
  });

  test.each([1, 2])('get the error for invalid HTTP after the responses to %d requests', async (requests) => {
    await withScene({}, async ({ getClaim, connectAndStall }) => {
      const { socket, ended } = await connectAndStall(getClaim.repeat(requests));
      socket.write('this is not HTTP\r\n\r\n');
      socket.resume();
      expect([...(await ended).matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status)).toEqual([
        ...Array<string>(requests).fill('200'),
        '400',
      ]);
    });
  });

  test('get the response to a command that is followed by invalid HTTP', async () => {
    await withScene({}, async ({ limitedService, key }) => {
      const { socket, ended } = await openConnection(limitedService);
      const body = JSON.stringify({ name: 'Garbage Insurance', support_email: 'a@b.example', support_phone: '1' });
      socket.write(
        `POST /api/v1/onboarding/providers/registration/ HTTP/1.1\r\nHost: x\r\nX-API-Key: ${key}\r\n` +
          `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}GARBAGE\r\n\r\n`,
      );
      expect([...(await ended).matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status)).toEqual(['201', '400']);
    });
  });

  test('are refused by the declared size of a body', async () => {
    await withScene({}, async ({ limitedService, key }) => {
      const { socket, ended } = await openConnection(limitedService);
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
    const limitedService = await startApiService({ http: { maxConnections: 2 } });
    const get = 'GET /livez HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n';
    const sendRequest = async (): Promise<string> => {
      const client = await openConnection(limitedService);
      client.socket.write(get);
      return await client.ended;
    };
    try {
      const [first, second] = [await openConnection(limitedService), await openConnection(limitedService)];
      expect(await sendRequest()).toBe('');
      first.socket.destroy();
      await waitUntil(async () => (await sendRequest()) !== '');
      second.socket.destroy();
      await waitUntil(async () => (await sendRequest()) !== '');
      expect((await limitedService.send('GET', '/metrics')).text).toMatch(/^surety_connections_refused_total [1-9]/m);
    } finally {
      await limitedService.stop();
    }
  });
});
