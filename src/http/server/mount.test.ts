import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import express from 'express';
import { z } from 'zod';
import { type Refusal, PROBLEM_TYPES } from '../api/messages/problem-types.ts';
import { mountRoutes, requireDistinct } from './mount.ts';
import type { PublicRoute, RouteContext } from './route.ts';
import { beginRequest, type ErrorMiddleware } from '../api/middleware/begin-request.ts';

const reference = { search: z.any(), body: undefined, response: z.any(), status: 200, paged: false };

/** A route that answers with its path and the values of its parameters. */
function route(method: 'GET' | 'POST', path: string): PublicRoute {
  const handle: PublicRoute['handle'] = async ({ parameters }) =>
    await Promise.resolve({ status: 200, headers: {}, body: JSON.stringify([path, parameters]) });
  return { name: path, summary: '', method, path, kind: 'public', roles: 'anyone', reference, handle };
}

let server: Server;

beforeAll(async () => {
  const app = express().enable('case sensitive routing').use(beginRequest);
  const routes = [
    route('GET', '/things/:id'),
    route('GET', '/things/:id/parts/:part'),
    route('POST', '/things/special'),
    route('GET', '/things'),
  ];
  const context = { routes } as unknown as RouteContext;
  const send = (response: express.Response, { body }: { readonly body: unknown }): unknown => response.end(body);
  mountRoutes(app, routes, {
    context,
    authenticate: async () => await Promise.reject(new Error('not for anyone')),
    send,
  });
  const sendError: ErrorMiddleware = (error: Refusal, _request, response, _next) =>
    response.status(PROBLEM_TYPES[error.code].status).end();
  app.use(sendError);
  server = app.listen(0, '127.0.0.1');
  await new Promise((resolve) => {
    server.once('listening', resolve);
  });
});

afterAll(() => {
  server.close();
});

async function responseTo(path: string): Promise<unknown> {
  const { port } = server.address() as AddressInfo;
  const response = await fetch(`http://127.0.0.1:${port}${path}`);
  return response.ok ? await response.json() : response.status;
}

test.each([
  ['/things', ['/things', {}]],
  ['/things/', ['/things', {}]],
  ['/things/7', ['/things/:id', { id: '7' }]],
  ['/things/7/', ['/things/:id', { id: '7' }]],
  ['/things/a%2Fb?c=d', ['/things/:id', { id: 'a/b' }]],
  ['/things/constructor', ['/things/:id', { id: 'constructor' }]],
  ['/things/7/parts/9', ['/things/:id/parts/:part', { id: '7', part: '9' }]],
  ['/things/Special', ['/things/:id', { id: 'Special' }]],
])('%s is answered by the route of its path, with its parameters', async (path, expected) => {
  expect(await responseTo(path)).toEqual(expected);
});

test('a path of another method is not matched as a parameter, in any order of routes', async () => {
  expect(await responseTo('/things/special')).toBe(405);
});

test.each(['/', '/thing', '/Things', '/things//', '/things/7/parts', '/things/7/parts/9/x'])(
  '%s is no path of a route',
  async (path) => {
    expect(await responseTo(path)).toBe(404);
  },
);

test('rejects two routes with the same method and path, regardless of parameter names', () => {
  const distinct = [route('GET', '/things/:id'), route('POST', '/things/:id'), route('GET', '/things')];
  expect(() => requireDistinct(distinct)).not.toThrow();
  expect(() => requireDistinct([...distinct, route('GET', '/things/:name')])).toThrow(
    'Two routes answer GET /things/:',
  );
});
