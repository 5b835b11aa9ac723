/**
 * The same tables behind bare `node:http`; the renewals that arrive in one turn of the event loop are one transaction.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { json } from 'node:stream/consumers';
import { type Answer, PolicyTable, problem, readSeed } from './policy-table.ts';

const [, , port, folder = '', seed = '', key = ''] = process.argv;
const policies = new PolicyTable(`${folder}/policies.db`, readSeed(seed), key);
const PATH = '/api/v1/policies/';
let waiting: { readonly renew: () => Answer; readonly response: ServerResponse }[] = [];

createServer((request, response) => void answer(request, response)).listen(Number(port), '127.0.0.1');

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const path = request.url ?? '';
  if (path === '/livez') return send(response, { status: 200, text: '{}' });
  const merchant = policies.merchantOf(headerOf(request, 'x-api-key'));
  if (merchant === undefined) return send(response, problem(401, 'unknown key'));
  if (request.method === 'GET') return send(response, policies.get(path.slice(PATH.length).replace('/', ''), merchant));
  const body = await json(request);
  if (waiting.length === 0) setImmediate(commit);
  waiting.push({ renew: () => policies.renew(body, merchant, headerOf(request, 'idempotency-key')), response });
}

function commit(): void {
  const group = waiting;
  waiting = [];
  const answers = policies.inTransaction(() => group.map(({ renew }) => renew()));
  for (const [index, { response }] of group.entries()) send(response, answers[index] ?? problem(500, 'no answer'));
}

function headerOf(request: IncomingMessage, name: string): string | undefined {
  return request.headers[name] as string | undefined;
}

function send(response: ServerResponse, { status, text }: Answer): void {
  const headers = { 'Content-Type': 'application/json; charset=utf-8', 'Content-Length': Buffer.byteLength(text) };
  response.writeHead(status, headers).end(text);
}
