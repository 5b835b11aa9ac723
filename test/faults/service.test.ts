import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { once } from 'node:events';
import { createServer, type IncomingMessage, request as httpRequest } from 'node:http';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, test } from '@jest/globals';
import { logPosition } from '../book/stores.ts';
import { nameOfReadModelsIn } from '../support/read-models-file.ts';
import { runSurety, type Service, type SuretyProcess } from '../support/service-process.ts';
import { useWorkspace } from '../support/workspace.ts';
import { freePort } from '../support/free-port.ts';
import { waitUntil } from '../support/wait-until.ts';

const place = useWorkspace();
const { spawn, startService } = place;

const CURL = /^curl -s -H "X-API-Key: (sk_live_\S+)" (http:\/\/\S+\/api\/v1\/policies\/[0-9a-f-]{36}\/)$/m;
/** A signal within this time after the first one counts as its repetition. */
const REPEATED_SIGNAL_MS = 1_000;
const SECRETS = /sk_(live|test|platform)_\w+/g;

describe('The first start', () => {
  test('with --sample, prints keys and a working curl command before the service is ready', async () => {
    const port = await freePort();
    const service = spawn(['serve', '--sample'], { PORT: String(port) });
    await ready(service, port);
    const output = service.stdout;
    const [, key = '', url = ''] = CURL.exec(output) ?? [];
    expect(output).toMatch(/^ {2}sk_platform_\w+$/m);
    expect(output).toContain(`live  ${key}`);
    expect(output).toMatch(/^ {2}test {2}sk_test_\w+ /m);
    const response = await fetch(url, { headers: { 'X-API-Key': key } });
    expect(response.status).toBe(200);
    expect(await response.json()).toMatchObject({ policy_number: 'BAO-MOTOR-0001', status: 'active' });

    expect(statSync(join(place.folder, 'admin.key')).mode & 0o777).toBe(0o600);
    expect(statSync(join(place.folder, 'secret')).mode & 0o777).toBe(0o600);
    // The stores contain personal data: only the owner may read them.
    for (const name of ['events.db', nameOfReadModelsIn(place.folder), 'records.db']) {
      expect(statSync(join(place.folder, name)).mode & 0o077).toBe(0);
    }
    expect(output).toContain(readFileSync(join(place.folder, 'admin.key'), 'utf8').trim());
    expect(service.stderr).not.toMatch(SECRETS);
  });

  test('after SIGTERM the next start has the same data, prints no secret and accepts the same keys', async () => {
    const first = await startService({ words: ['--sample'] });
    const [, key = '', url = ''] = CURL.exec(first.process.stdout) ?? [];
    const before = await (await fetch(url, { headers: { 'X-API-Key': key } })).text();
    const { code, signal } = await first.process.stop();
    expect({ code, signal }).toEqual({ code: 0, signal: null });
    const position = logPosition(place.folder);

    const second = await startService({ words: ['--sample'] });
    expect(second.process.stdout).not.toMatch(SECRETS);
    expect(second.process.stdout).toContain('npx surety command IssueApiKey');
    // Each ticket that it prints is in the log, and nothing else.
    const tickets = second.process.stdout.match(/#ticket=/g) ?? [];
    expect(tickets).toHaveLength(4);
    expect(logPosition(place.folder)).toBe(position + tickets.length);
    const path = new URL(url).pathname;
    expect(await (await second.request(path, { headers: { 'x-api-key': key } })).text()).toBe(before);
  });

  test('after a kill during the sample the next start continues and prints working keys', async () => {
    const first = spawn(['serve', '--sample']);
    await waitUntil(() => !first.isRunning || logPosition(place.folder) >= 40);
    expect((await first.kill()).stdout).not.toContain('curl');
    const second = await startService({ words: ['--sample'] });
    const [, key = '', url = ''] = CURL.exec(second.process.stdout) ?? [];
    expect((await fetch(url, { headers: { 'X-API-Key': key } })).status).toBe(200);
    const merchants = (await (await second.request('/api/v1/merchants')).json()) as { count: number };
    const products = (await (await second.request('/api/v1/products?limit=100')).json()) as { count: number };
    expect({ merchants: merchants.count, products: products.count }).toEqual({ merchants: 1, products: 14 });
  });

  test('with PUBLIC_URL, prints its address, its public address and its data folder', async () => {
    const port = await freePort();
    const service = spawn(['serve'], { PORT: String(port), PUBLIC_URL: 'https://api.example/surety' });
    await ready(service, port);
    const { stdout, stderr } = await service.stop();
    expect(stdout).toMatch(
      new RegExp(
        `^Surety serves http://127\\.0\\.0\\.1:${port} \\(event log: SQLite in ${place.folder}; read models and records: SQLite in .*; messages: in memory\\)\nIt is reached at https://api\\.example/surety\n$`,
        'm',
      ),
    );
    const output = stderr.split('\n').find((line) => line.includes('"Surety serves"')) ?? '{}';
    expect(JSON.parse(output)).toMatchObject({
      port,
      publicUrl: 'https://api.example/surety',
      dataFolder: place.folder,
      eventLog: `SQLite in ${place.folder}`,
      messages: 'in memory',
    });
  });

  test('SURETY_SAMPLE=off overrides the flag', async () => {
    const { process } = await startService({ words: ['--sample'], settings: { SURETY_SAMPLE: 'off' } });
    expect(process.stdout).not.toContain('curl');
    expect(logPosition(place.folder)).toBe(0);
  });
});

describe('A start that is refused', () => {
  test('reports each invalid setting in one sentence without secrets and exits with 1', async () => {
    const settings = { PORT: 'http', MONGODB_URL: 'mongo://here', SURETY_ADMIN_KEY: 'short', SURETY_DATE: 'x' };
    const { code, stdout, stderr } = await spawn(['serve'], settings).exited;
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr.trimEnd().split('\n')).toHaveLength(4);
    expect(stderr).not.toMatch(/short;|here/);
  });

  test('names the server that is not reached, and warns of a name that looks like a setting', async () => {
    const settings = {
      EVENTSTORE_URL: 'esdb://127.0.0.1:1?tls=false',
      MONGODB_URL: 'mongodb://127.0.0.1:1/surety',
      KAFKA_BROKERS: '127.0.0.1:1',
      MONGO_URI: 'mongodb://here',
      LOG_LEVEL: 'warn',
    };
    const { code, stderr } = await spawn(['serve'], settings).exited;
    const [warning = '', ...sentences] = stderr.split('\n');
    expect(JSON.parse(warning)).toMatchObject({ level: 'warn', variable: 'MONGO_URI' });
    expect([code, sentences]).toEqual([
      1,
      ['MongoDB: connect ECONNREFUSED 127.0.0.1:1 (MONGODB_URL: mongodb://127.0.0.1:1/surety).', ''],
    ]);
  });

  test('reports a data folder that cannot be created in one sentence', async () => {
    const folder = '/proc/surety';
    const { code, stdout, stderr } = await spawn(['serve'], { SURETY_DATA: folder, LOG_LEVEL: 'error' }).exited;
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(new RegExp(`^The data folder ${folder} cannot be used: E.*\\.\n$`));
  });

  test.each(['surety.lock', 'records.db', 'events.db'])(
    'reports an invalid %s in one sentence and exits with 1',
    async (name) => {
      await runSurety(['setup'], { folder: place.folder });
      writeFileSync(join(place.folder, name), 'of somebody else\n'.repeat(10));
      const { code, stdout, stderr } = await spawn(['serve'], { LOG_LEVEL: 'error' }).exited;
      expect({ code, stdout: stdout.replaceAll(/^.*shown only once.*\n.*\n/gm, '') }).toEqual({ code: 1, stdout: '' });
      expect(stderr).toContain(join(place.folder, name));
      expect(stderr.trimEnd().split('\n')).toHaveLength(1);
    },
  );

  test('sets read models aside that are no database, and builds them again', async () => {
    const first = await startService({ words: ['--sample'] });
    const [, key = '', url = ''] = CURL.exec(first.process.stdout) ?? [];
    await first.process.stop();
    const file = join(place.folder, nameOfReadModelsIn(place.folder));
    writeFileSync(file, 'of somebody else\n'.repeat(10));
    const second = await startService();
    const response = await second.request(new URL(url).pathname, { headers: { 'x-api-key': key } });
    expect([response.status, readFileSync(`${file}.damaged`, 'utf8').startsWith('of somebody else')]).toEqual([
      200,
      true,
    ]);
  });

  test('reports a port in use in one sentence, exits with 1 and creates nothing', async () => {
    const other = createServer();
    const port = await new Promise<number>((resolve) => {
      other.listen(0, '127.0.0.1', () => resolve((other.address() as { port: number }).port));
    });
    const settings = { PORT: String(port), LOG_LEVEL: 'error' };
    const { code, stdout, stderr } = await spawn(['serve', '--sample'], settings).exited;
    other.close();
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toBe(
      `Surety cannot listen on 127.0.0.1:${port}: another program listens there; PORT names another port.\n`,
    );
    expect(existsSync(place.folder)).toBe(false);
  });

  test('another service reports that the folder is in use and exits with 1', async () => {
    const service = await startService();
    // Also on the same port.
    const settings = { PORT: new URL(service.url).port, LOG_LEVEL: 'error' };
    const { code, stdout, stderr } = await spawn(['serve'], settings).exited;
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toContain(`is held by process ${service.process.child.pid}`);
    expect(stderr.trimEnd().split('\n')).toHaveLength(1);
  });

  test('a command finds the service that holds the folder, and works on the stores after it', async () => {
    const service = await startService();
    const run = async (name: string) => {
      const input = JSON.stringify({ name, business_email: 'b@bank.example' });
      const { code, stdout } = await runSurety(['command', 'RegisterMerchant', '-'], { folder: place.folder, input });
      return { code, ...(JSON.parse(stdout) as object) };
    };
    expect(statSync(join(place.folder, 'surety.url')).mode & 0o777).toBe(0o600);
    expect(await run('A')).toMatchObject({ code: 0, result: { merchant_id: 1 } });
    const { code, stdout } = await runSurety(['get', 'merchants?limit=1'], { folder: place.folder });
    expect({ code, list: JSON.parse(stdout) as unknown }).toMatchObject({ code: 0, list: { count: 1 } });
    // A killed service leaves its address.
    await service.process.kill();
    expect(await run('B')).toMatchObject({ code: 0, result: { merchant_id: 2 } });
    expect(existsSync(join(place.folder, 'surety.url'))).toBe(false);
  });

  test('reports a changed key file in one sentence and exits with 1', async () => {
    await runSurety(['setup'], { folder: place.folder });
    writeFileSync(join(place.folder, 'admin.key'), 'sk_platform_mistyped\n');
    const { code, stderr } = await spawn(['serve'], { LOG_LEVEL: 'error' }).exited;
    expect(code).toBe(1);
    expect(stderr).toBe(
      `${join(place.folder, 'admin.key')} does not hold what Surety wrote there; put it back or delete it.\n`,
    );
  });
});

describe('The administrator key', () => {
  test('is accepted when set; after a change the old one is refused from the next start', async () => {
    const [old, changed] = ['o'.repeat(32), 'n'.repeat(32)];
    const first = await startService({ settings: { SURETY_ADMIN_KEY: old } });
    expect((await first.request('/api/v1/policies/')).status).toBe(200);
    expect(first.process.stdout).not.toContain(old);
    await first.process.stop();
    const second = await startService({ settings: { SURETY_ADMIN_KEY: changed } });
    expect((await second.request('/api/v1/policies/')).status).toBe(200);
    expect((await second.request('/api/v1/policies/', { headers: { 'x-api-key': old } })).status).toBe(401);
  });
});

describe('A stop', () => {
  test.each(['SIGINT', 'SIGHUP'] as const)('exits with 0 on %s and releases the folder at once', async (signal) => {
    const service = await startService();
    expect(await service.process.stop(signal)).toMatchObject({ code: 0, signal: null });
    expect((await runSurety(['setup'], { folder: place.folder })).code).toBe(0);
  });

  test('answers a request in flight and refuses new connections', async () => {
    const service = await startService();
    const { request, response } = await requestUnderWay(service);
    service.process.child.kill('SIGTERM');
    await waitUntil(() => service.process.stderr.includes('received a stop signal'));
    await expect(fetch(`${service.url}/livez`)).rejects.toThrow('fetch failed');
    request.end(BODY);
    expect((await response).statusCode).toBe(201);
    expect(await service.process.exited).toMatchObject({ code: 0, signal: null });
    expect(logPosition(place.folder)).toBeGreaterThan(0);
  });

  test('stops in order when the launcher of an older Node and the service both get a signal', async () => {
    const service = await startService({ settings: { NODE_OPTIONS: OLDER_NODE }, ownGroup: true });
    const { request, response } = await requestUnderWay(service);
    service.process.signalGroup('SIGTERM');
    await waitUntil(() => service.process.stderr.includes('received a stop signal'));
    // By now the launcher has forwarded its signal.
    await pause(REPEATED_SIGNAL_MS);
    request.end(BODY);
    expect((await response).statusCode).toBe(201);
    expect(await service.process.exited).toMatchObject({ code: 0, signal: null });
    expect(service.process.stderr.match(/received a stop signal/g)).toHaveLength(1);
  });

  test('exits at once on a second signal while a request never ends', async () => {
    const service = await startService();
    const { response } = await requestUnderWay(service);
    service.process.child.kill('SIGTERM');
    await waitUntil(() => service.process.stderr.includes('received a stop signal'));
    await pause(REPEATED_SIGNAL_MS);
    expect(service.process.isRunning).toBe(true);
    const asked = performance.now();
    expect(await service.process.stop('SIGTERM')).toMatchObject({ code: 1 });
    expect(performance.now() - asked).toBeLessThan(9_000);
    await expect(response).rejects.toMatchObject({ code: 'ECONNRESET' });
  });
});

/** Makes bin/surety.mjs believe that it runs under Node 20, so that it starts the service in a child process. */
const OLDER_NODE =
  '--import=data:text/javascript,' +
  encodeURIComponent(
    "process.env.SURETY_LAUNCHER ?? Object.defineProperty(process, 'versions', { value: { node: '20.0.0' } })",
  ).replaceAll("'", '%27');

const BODY = JSON.stringify({ name: 'Slow Bank', business_email: 'slow@bank.example' });

/** Opens a request whose headers are read and whose body is incomplete. */
async function requestUnderWay(service: Service) {
  const request = httpRequest(`${service.url}/api/v1/admin/commands/RegisterMerchant`, {
    method: 'POST',
    agent: false,
    headers: {
      'x-api-key': service.adminKey,
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(BODY),
      expect: '100-continue',
    },
  });
  const response = new Promise<IncomingMessage>((resolve, reject) => {
    request.on('error', reject);
    request.on('response', (response) => resolve(response.resume()));
  });
  response.catch(() => undefined);
  const heard = once(request, 'continue');
  request.flushHeaders();
  await heard;
  return { request, response };
}

/** Waits for `/readyz` without reading the output of the service. */
async function ready(service: SuretyProcess, port: number): Promise<void> {
  await waitUntil(async () => {
    if (!service.isRunning) throw new Error(`Surety did not start:\n${service.stderr}`);
    const response = await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => undefined);
    await response?.arrayBuffer();
    return response?.status === 200;
  });
}
