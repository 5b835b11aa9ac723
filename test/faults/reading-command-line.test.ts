import { execFileSync, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import {
  cleanUp,
  SuretyProcess,
  type ProcessResult,
  runSurety,
  type Service,
  startService,
  temporaryFolder,
  plainEnvironment,
} from '../support/service-process.ts';
import { waitUntil } from '../support/wait-until.ts';

let base: string;
let folder: string;
let service: Service;

beforeAll(async () => {
  base = temporaryFolder();
  folder = join(base, 'data');
  // The addresses that it serves are not those under which it is reached.
  const settings = { LOG_LEVEL: 'error', PUBLIC_URL: 'https://api.example/surety' };
  service = await startService({ folder, words: ['--sample'], settings });
});
afterAll(async () => {
  await service.process.stop();
  await cleanUp(base, []);
});

async function run(words: readonly string[], settings: Record<string, string> = {}): Promise<ProcessResult> {
  return await runSurety(words, { folder, settings });
}

interface List {
  readonly next: string | null;
  readonly results: readonly { readonly policy_id: string }[];
}

async function get(...words: readonly string[]): Promise<unknown> {
  const { code, stdout, stderr } = await run(['get', ...words, '--url', service.url]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return JSON.parse(stdout) as unknown;
}

test('surety get prints what the API responds, indented', async () => {
  const { stdout } = await run(['get', 'policies/BAO-MOTOR-0001'], { SURETY_URL: service.url });
  expect(stdout).toMatch(/^\{\n {2}"policy_id": "[0-9a-f-]{36}",\n {2}"policy_number": "BAO-MOTOR-0001",\n/);
  expect(await get('/api/v1/policies/BAO-MOTOR-0001/')).toEqual(JSON.parse(stdout));
});

test('surety get takes the next that the service serves, and follows it with --all', async () => {
  const first = (await get('policies?limit=7')) as List;
  const second = (await get(first.next ?? '')) as List;
  const all = (await get('policies?limit=7', '--all')) as List;
  const whole = (await get('policies?limit=100')) as List;
  expect(whole.results.length).toBeGreaterThan(14);
  expect(all).toEqual({ results: whole.results });
  expect([...first.results, ...second.results]).toEqual(whole.results.slice(0, 14));
});

test('surety get writes a document as it is', async () => {
  const { results } = (await get('policies?limit=1')) as List;
  const path = `policies/${results[0]?.policy_id}/certificate`;
  const served = await service.request(`/api/v1/${path}`);
  const file = join(base, 'certificate.pdf');
  const command = `${JSON.stringify(process.execPath)} bin/surety.mjs get ${path} --url ${service.url} > ${JSON.stringify(file)}`;
  execFileSync('sh', ['-c', command], { env: { ...plainEnvironment(), SURETY_DATA: folder } });
  expect(readFileSync(file).equals(Buffer.from(await served.arrayBuffer()))).toBe(true);
});

test('surety get prints items as one list with --all, also where pages nest them', async () => {
  const { results } = (await get('products?limit=100')) as { readonly results: readonly unknown[][] };
  expect(await get('products?limit=3', '--all')).toEqual({ results: results.flat() });
});

type StubResponses = readonly (readonly [status: number, body: string])[];

/** Runs `surety get` on a service that responds with these texts in turn, the last one again and again. */
async function getFromStub(responses: StubResponses, ...words: string[]) {
  return await runWithStub(responses, 'get', ...words);
}

async function runWithStub(responses: StubResponses, ...words: string[]) {
  let count = 0;
  const stub = createServer((_request, response) => {
    const [status, body] = responses[Math.min(count++, responses.length - 1)] ?? [500, ''];
    response.writeHead(status).end(body);
  });
  await once(stub.listen(0, '127.0.0.1'), 'listening');
  const { port } = stub.address() as AddressInfo;
  const result = await run([...words, '--url', `http://127.0.0.1:${port}`]);
  stub.close();
  stub.closeAllConnections();
  return { ...result, count };
}

test('surety get prints the problem of a service that is not available for it', async () => {
  const problem = { code: 'document_parked', detail: 'It is parked', status: 503 };
  const { code, stdout } = await getFromStub([[503, JSON.stringify(problem)]], 'policies/1');
  expect({ code, problem: JSON.parse(stdout) as unknown }).toEqual({ code: 1, problem });
});

test('surety get --all waits while a rate limit refuses, and ends at a list without end or a page that is none', async () => {
  const page = (next: unknown) => JSON.stringify({ next, results: [1] });
  const limited = await getFromStub(
    [
      [429, '{}'],
      [200, page('x?after=1')],
      [429, '{}'],
      [200, page(null)],
    ],
    'x0',
    '--all',
  );
  expect(limited).toMatchObject({ code: 0, count: 4, stdout: '{\n  "results": [\n    1,\n    1\n  ]\n}\n' });
  for (const body of ['null', page(5), page('x'), '{"next": null}'])
    expect(await getFromStub([[200, body]], 'x', '--all')).toMatchObject({
      code: 1,
      stderr: 'x is no list with pages: --all does not apply.\n',
    });
});

const eventsIn = (text: string) =>
  text
    .trimEnd()
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as { readonly id: string; readonly type: string });

test('surety events prints the feed, one event a line, from the beginning or from a cursor, by types', async () => {
  const url = ['--url', service.url];
  const feed = (await (await service.request('/api/v1/events/?limit=1000')).json()) as readonly {
    readonly id: string;
  }[];
  const all = eventsIn((await run(['events', ...url])).stdout);
  expect(all.slice(0, feed.length)).toEqual(feed);
  const [, , third] = all;
  expect(eventsIn((await run(['events', ...url, '--last-event-id', third?.id ?? ''])).stdout)).toEqual(all.slice(3));
  const type = 'surety.policy.purchased.v1';
  const purchased = eventsIn((await run(['events', ...url, '--types', `${type},surety.claim.filed.v1`])).stdout);
  expect(purchased).toEqual(all.filter((event) => [type, 'surety.claim.filed.v1'].includes(event.type)));
  expect(purchased.length).toBeGreaterThan(0);
  expect(await run(['events', ...url, '--after', '0', '--last-event-id', third?.id ?? ''])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('not both'),
  });
  const unknown = await run(['events', ...url, '--after', '999999999']);
  expect({ code: unknown.code, stdout: unknown.stdout, problem: JSON.parse(unknown.stderr) as unknown }).toMatchObject({
    code: 1,
    stdout: '',
    problem: { code: 'cursor_unknown' },
  });
});

test('surety events ends without an error when the reader of the pipe has seen enough', () => {
  const command = `${JSON.stringify(process.execPath)} bin/surety.mjs events --url ${service.url} | head -n 1`;
  const options = { env: { ...plainEnvironment(), SURETY_DATA: folder }, encoding: 'utf8' } as const;
  const { stdout, stderr } = spawnSync('sh', ['-c', command], options);
  expect([eventsIn(stdout).length, stderr]).toEqual([1, '']);
});

test('surety events --follow prints an event as soon as it happens, and goes on after an outage', async () => {
  const all = eventsIn((await run(['events', '--url', service.url])).stdout);
  const words = ['events', '--follow', '--last-event-id', all.at(-1)?.id ?? '', '--url', service.url];
  const follower = new SuretyProcess(words, { folder });
  const heard = async (type: string) => await waitUntil(() => follower.stdout.includes(type));
  await service.run('RegisterProvider', { name: 'Heard Mutual', support_email: 'a@b.example', support_phone: '1' });
  await heard('surety.provider.registered.v1');
  const port = new URL(service.url).port;
  await service.process.stop();
  service = await startService({ folder, settings: { LOG_LEVEL: 'error', PORT: port } });
  const { provider_id } = await service.run('RegisterProvider', {
    name: 'Later Mutual',
    support_email: 'a@b.example',
    support_phone: '1',
  });
  await service.run('UpdateProvider', { provider_id, address: '1 Marina' });
  await heard('surety.provider.updated.v1');
  await follower.kill();
  expect(eventsIn(follower.stdout).map(({ type }) => type)).toEqual([
    'surety.provider.registered.v1',
    'surety.provider.registered.v1',
    'surety.provider.updated.v1',
  ]);
});

test('what others have written controls no terminal', async () => {
  const { stdout } = await getFromStub([[200, '{"reason":"\u009b31m\u202e"}']], 'x');
  expect(stdout).toBe('{\n  "reason": "\\u009b31m\\u202e"\n}\n');
  expect((await getFromStub([[200, 'proxy \u001b[2J']], 'x')).stdout).toBe('proxy \\u001b[2J\n');
  const fault = {
    what: 'damaged',
    reason: 'bad\u001b[2J',
    position: 'x',
    event_id: null,
    stream: null,
    revision: null,
  };
  const report = { log: { events: 1, up_to: '1\u001b[0m', faults: 1, first_faults: [fault] }, read_models: null };
  const verification = { verification_id: 'v', state: 'ended', report };
  const { code, stdout: verified } = await runWithStub([[200, JSON.stringify(verification)]], 'verify');
  expect([code, verified]).toEqual([
    1,
    expect.stringMatching(/^bad\\u001b\[2J\n1 event .* position 1\\u001b\[0m: 1 fault/),
  ]);
  const refused = await runWithStub([[400, JSON.stringify({ code: 'c', detail: 'no \u001b[2J' })]], 'verify');
  expect(refused.stderr).toContain('refuses with 400: no \\u001b[2J.');
});

test('surety get prints a problem and exits with 1, with --all too', async () => {
  for (const words of [
    ['get', 'policies/none'],
    ['get', 'policies?limit=0', '--all'],
  ]) {
    const { code, stdout } = await run([...words, '--url', service.url]);
    expect({ code, problem: JSON.parse(stdout) as unknown }).toMatchObject({
      code: 1,
      problem: { request_id: expect.any(String) },
    });
  }
  expect(await run(['get', 'me', '--all', '--url', service.url])).toMatchObject({
    code: 1,
    stderr: 'me is no list with pages: --all does not apply.\n',
  });
});

test('surety mails lists the outbox with the links in the mails while the service runs', async () => {
  let stdout = '';
  await waitUntil(async () => (stdout = (await run(['mails'])).stdout) !== '');
  expect(stdout).toMatch(
    /^\d{4}-\d\d-\d\dT\S+Z {2}insurance@acme-bank\.example {2}Welcome to Surety\n {2}https:\/\/api\.example\/surety\/docs\/\n/,
  );
  const { mails } = JSON.parse((await run(['mails', '--json'])).stdout) as { mails: readonly unknown[] };
  expect(mails[0]).toMatchObject({ to: ['insurance@acme-bank.example'], links: ['https://api.example/surety/docs/'] });
  expect(await run(['mails'], { SMTP_URL: 'smtp://127.0.0.1:1', MAIL_FROM: 'a@b.example' })).toMatchObject({
    code: 1,
    stderr: 'SMTP_URL is set: mails are sent, and not written to the outbox.\n',
  });
  rmSync(join(folder, 'outbox'), { recursive: true });
  expect(await run(['mails'])).toMatchObject({ code: 0, stdout: '' });
});
