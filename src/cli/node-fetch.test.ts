import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createServer, type RequestListener, type Server } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { Http } from '#client/http.ts';
import { nodeFetch } from './node-fetch.ts';

/** What the server does, by path. */
const ROUTES: Readonly<Record<string, RequestListener>> = {
  '/echo': (request, response) => {
    request.setEncoding('utf8');
    let body = '';
    request.on('data', (chunk: string) => (body += chunk));
    request.on('end', () => {
      response.setHeader('Content-Type', 'application/json');
      response.end(JSON.stringify({ body, type: request.headers['content-type'], key: request.headers['x-api-key'] }));
    });
  },
  '/empty': (_, response) => response.writeHead(204).end(),
  '/away': (_, response) => response.writeHead(302, { Location: '/echo' }).end(),
  '/cut': (_, response) => {
    response.writeHead(200, { 'Content-Length': '100' }).write('{"a":');
    setTimeout(() => response.destroy(), 20);
  },
  '/closed': (request) => request.destroy(),
  '/silent': () => undefined,
  '/slow': (_, response) => {
    response.writeHead(200, { 'Content-Length': '100' }).write('{"a":');
  },
  '/stream': (_, response) => response.writeHead(200).write('first'),
};

let server: Server;
let url: string;
beforeAll(async () => {
  server = createServer((request, response) => ROUTES[request.url ?? '']?.(request, response));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

describe.each([
  ['node:http', nodeFetch],
  ['the global fetch', fetch],
])('the client with %s', (_, send) => {
  const client = (address = url) =>
    new Http({ url: address, key: 'key', fetch: send, attemptTimeoutMs: 100, retryForMs: 1 });

  test('sends a body and reads the response', async () => {
    const { body } = await client().send({ method: 'POST', path: '/echo', body: { name: 'Adé' } });
    expect(body).toEqual({ body: '{"name":"Adé"}', type: 'application/json', key: 'key' });
    expect((await client().open({ method: 'GET', path: '/empty' })).body).toBeNull();
  });

  test.each([
    ['/away', 'unexpected_response', '302'],
    ['/cut', 'no_response', ''],
    ['/closed', 'no_response', ''],
    ['/silent', 'no_response', 'no response in 100 ms'],
    ['/slow', 'no_response', 'no response in 100 ms'],
  ])('fails on %s with %s', async (path, code, detail) => {
    const failed = client().send({ method: 'POST', path });
    await expect(failed).rejects.toMatchObject({ code, detail: expect.stringContaining(detail) });
  });

  test('fails where nothing listens', async () => {
    const failed = client('http://127.0.0.1:1').send({ method: 'GET', path: '/' });
    await expect(failed).rejects.toMatchObject({ code: 'no_response' });
  });

  test('returns a stream before its end, which the signal ends', async () => {
    const ended = new AbortController();
    const { body } = await client().open({ method: 'GET', path: '/stream' }, { signal: ended.signal });
    const read: string[] = [];
    const reading = (async () => {
      for await (const bytes of body ?? []) {
        read.push(Buffer.from(bytes).toString());
        ended.abort(new Error('enough'));
      }
    })();
    await expect(reading).rejects.toThrow('enough');
    expect(read).toEqual(['first']);
  });
});
