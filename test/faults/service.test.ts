import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { once } from 'node:events';
import { createServer, type IncomingMessage, request as httpRequest } from 'node:http';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, test } from '@jest/globals';
import { REPEATED_SIGNAL_MS } from '../../src/cli/stop-signals.ts';
import { logPosition } from '../book/stores.ts';
import { runSurety, type Service, type SuretyProcess } from '../support/service-process.ts';
import { ownWorkplace } from '../support/workplace.ts';
import { freePort } from '../support/free-port.ts';
import { until } from '../support/until.ts';

const place = ownWorkplace();
const { begin, serve } = place;

const CURL = /^curl -s -H "X-API-Key: (sk_live_\S+)" (http:\/\/\S+\/api\/v1\/policies\/[0-9a-f-]{36}\/)$/m;
const SECRETS = /sk_(live|test|platform)_\w+/g;

describe('the first start', () => {
  test('given --sample, then keys and a curl that works stand on stdout before the service is ready', async () => {
    const port = await freePort();
    const service = begin(['serve', '--sample'], { PORT: String(port) });
    await ready(service, port);
    const told = service.stdout;
    const [, key = '', url = ''] = CURL.exec(told) ?? [];
    expect(told).toMatch(/^ {2}sk_platform_\w+$/m);
    expect(told).toContain(`live  ${key}`);
    expect(told).toMatch(/^ {2}test {2}sk_test_\w+ /m);
    const answer = await fetch(url, { headers: { 'X-API-Key': key } });
    expect(answer.status).toBe(200);
    expect(await answer.json()).toMatchObject({ policy_number: 'BAO-MOTOR-0001', status: 'active' });

    expect(statSync(join(place.folder, 'admin.key')).mode & 0o777).toBe(0o600);
    expect(statSync(join(place.folder, 'secret')).mode & 0o777).toBe(0o600);
    // The stores hold personal data: they are for nobody else on the machine.
    for (const name of ['events.db', 'read-models.db', 'records.db']) {
      expect(statSync(join(place.folder, name)).mode & 0o077).toBe(0);
    }
    expect(told).toContain(readFileSync(join(place.folder, 'admin.key'), 'utf8').trim());
    expect(service.stderr).not.toMatch(SECRETS);
  });

  test('given it was ended by SIGTERM, then the next one has the same data, shows no secret and takes the same keys', async () => {
    const first = await serve({ words: ['--sample'] });
    const [, key = '', url = ''] = CURL.exec(first.process.stdout) ?? [];
    const before = await (await fetch(url, { headers: { 'X-API-Key': key } })).text();
    const { code, signal } = await first.process.stop();
    expect({ code, signal }).toEqual({ code: 0, signal: null });
    const position = logPosition(place.folder);

    const second = await serve({ words: ['--sample'] });
    expect(second.process.stdout).not.toMatch(SECRETS);
    expect(second.process.stdout).toContain('npx surety command IssueApiKey');
    expect(logPosition(place.folder)).toBe(position);
    const path = new URL(url).pathname;
    expect(await (await second.ask(path, { headers: { 'x-api-key': key } })).text()).toBe(before);
  });

  test('given it is killed while it makes the sample, then the next one goes on, and tells keys that work', async () => {
    const first = begin(['serve', '--sample']);
    await until(() => !first.isRunning || logPosition(place.folder) >= 40);
    expect((await first.kill()).stdout).not.toContain('curl');
    const second = await serve({ words: ['--sample'] });
    const [, key = '', url = ''] = CURL.exec(second.process.stdout) ?? [];
    expect((await fetch(url, { headers: { 'X-API-Key': key } })).status).toBe(200);
    const merchants = (await (await second.ask('/api/v1/merchants')).json()) as { count: number };
    const products = (await (await second.ask('/api/v1/products?limit=100')).json()) as { count: number };
    expect({ merchants: merchants.count, products: products.count }).toEqual({ merchants: 1, products: 14 });
  });

  test('given PUBLIC_URL, then it tells where it listens, where it is reached and where its data lies', async () => {
    const port = await freePort();
    const service = begin(['serve'], { PORT: String(port), PUBLIC_URL: 'https://api.example/surety' });
    await ready(service, port);
    const { stdout, stderr } = await service.stop();
    expect(stdout).toMatch(
      new RegExp(
        `^Surety serves http://127\\.0\\.0\\.1:${port}\nIt is reached at https://api\\.example/surety\n$`,
        'm',
      ),
    );
    const told = stderr.split('\n').find((line) => line.includes('"Surety serves"')) ?? '{}';
    expect(JSON.parse(told)).toMatchObject({ port, publicUrl: 'https://api.example/surety', dataFolder: place.folder });
  });

  test('given SURETY_SAMPLE=off, then it wins over the flag', async () => {
    const { process } = await serve({ words: ['--sample'], settings: { SURETY_SAMPLE: 'off' } });
    expect(process.stdout).not.toContain('curl');
    expect(logPosition(place.folder)).toBe(0);
  });
});

describe('a start that cannot be', () => {
  test('given wrong settings, then one sentence each, no secret among them, and exit 1', async () => {
    const settings = { PORT: 'http', MONGODB_URL: 'mongo://here', SURETY_ADMIN_KEY: 'short', SURETY_DATE: 'x' };
    const { code, stdout, stderr } = await begin(['serve'], settings).ended;
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr.trimEnd().split('\n')).toHaveLength(4);
    expect(stderr).not.toMatch(/short;|here/);
  });

  test.each(['surety.lock', 'records.db', 'events.db', 'read-models.db'])(
    'given a %s that is no database, then one sentence names it and exit is 1',
    async (name) => {
      mkdirSync(place.folder);
      writeFileSync(join(place.folder, name), 'of somebody else\n'.repeat(10));
      const { code, stdout, stderr } = await begin(['serve'], { LOG_LEVEL: 'error' }).ended;
      expect({ code, stdout: stdout.replaceAll(/^.*shown only once.*\n.*\n/gm, '') }).toEqual({ code: 1, stdout: '' });
      expect(stderr).toContain(join(place.folder, name));
      expect(stderr.trimEnd().split('\n')).toHaveLength(1);
    },
  );

  test('given the log was taken away, then the start says so instead of beginning a new one', async () => {
    await (await serve()).process.stop();
    rmSync(join(place.folder, 'events.db'));
    const { code, stderr } = await begin(['serve'], { LOG_LEVEL: 'error' }).ended;
    expect(code).toBe(1);
    expect(stderr).toContain(`${join(place.folder, 'events.db')} is missing`);
    expect(existsSync(join(place.folder, 'events.db'))).toBe(false);
  });

  test('given the port is taken, then one sentence and exit 1, and no sample was made of which nobody has the keys', async () => {
    const other = createServer();
    const port = await new Promise<number>((resolve) => {
      other.listen(0, '127.0.0.1', () => resolve((other.address() as { port: number }).port));
    });
    const settings = { PORT: String(port), LOG_LEVEL: 'error' };
    const { code, stdout, stderr } = await begin(['serve', '--sample'], settings).ended;
    other.close();
    expect(code).toBe(1);
    // The next start finds this key and no longer shows it.
    expect(stdout).toContain(readFileSync(join(place.folder, 'admin.key'), 'utf8').trim());
    expect(stdout).not.toContain('curl');
    expect(stderr).toBe(`Surety cannot listen on 127.0.0.1:${port}: another program listens there.\n`);
    expect(logPosition(place.folder)).toBe(0);
  });

  test('given another process holds the folder, then every other one says so and exits 1', async () => {
    const service = await serve();
    const body = JSON.stringify({ name: 'B', business_email: 'b@bank.example' });
    const [second, command] = await Promise.all([
      begin(['serve'], { LOG_LEVEL: 'error' }).ended,
      runSurety(['command', 'RegisterMerchant', '-'], { folder: place.folder, input: body }),
    ]);
    for (const { code, stdout, stderr } of [second, command]) {
      expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
      expect(stderr).toContain(`is held by process ${service.process.child.pid}`);
      expect(stderr.trimEnd().split('\n')).toHaveLength(1);
    }
    const { code, stdout } = await runSurety(['command', 'RegisterMerchant', '-', '--url', service.url], {
      folder: place.folder,
      input: body,
    });
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ command: 'RegisterMerchant', result: { merchant_id: 1 } });
  });

  test('given the holder is just ending, then the next one waits for it', async () => {
    const first = await serve();
    first.process.child.kill('SIGTERM');
    const second = await serve();
    expect((await second.ask('/api/v1/merchants')).status).toBe(200);
    expect((await first.process.ended).code).toBe(0);
  });

  test('given a key file that somebody changed, then one sentence and exit 1', async () => {
    await runSurety(['setup'], { folder: place.folder });
    writeFileSync(join(place.folder, 'admin.key'), 'sk_platform_mistyped\n');
    const { code, stderr } = await begin(['serve'], { LOG_LEVEL: 'error' }).ended;
    expect(code).toBe(1);
    expect(stderr).toBe(
      `${join(place.folder, 'admin.key')} does not hold what Surety wrote there; put it back or delete it.\n`,
    );
  });
});

describe('the administrator’s key', () => {
  test('given it is set, then it opens; given it is changed, then the old one ends at the next start', async () => {
    const [old, changed] = ['o'.repeat(32), 'n'.repeat(32)];
    const first = await serve({ settings: { SURETY_ADMIN_KEY: old } });
    expect((await first.ask('/api/v1/policies/')).status).toBe(200);
    expect(first.process.stdout).not.toContain(old);
    await first.process.stop();
    const second = await serve({ settings: { SURETY_ADMIN_KEY: changed } });
    expect((await second.ask('/api/v1/policies/')).status).toBe(200);
    expect((await second.ask('/api/v1/policies/', { headers: { 'x-api-key': old } })).status).toBe(401);
  });
});

describe('stopping', () => {
  test('given SIGINT, then it ends with 0 and the folder is free at once', async () => {
    const service = await serve();
    expect(await service.process.stop('SIGINT')).toMatchObject({ code: 0, signal: null });
    expect((await runSurety(['setup'], { folder: place.folder })).code).toBe(0);
  });

  test('given a request that is under way, then it is still answered, and new ones find nobody', async () => {
    const service = await serve();
    const { request, answer } = await requestUnderWay(service);
    service.process.child.kill('SIGTERM');
    await until(() => service.process.stderr.includes('received a stop signal'));
    await expect(fetch(`${service.url}/livez`)).rejects.toThrow('fetch failed');
    request.end(BODY);
    expect((await answer).statusCode).toBe(201);
    expect(await service.process.ended).toMatchObject({ code: 0, signal: null });
    expect(logPosition(place.folder)).toBeGreaterThan(0);
  });

  test('given an older Node, and a signal to the whole group, then the service gets it twice and still ends in order', async () => {
    const service = await serve({ settings: { NODE_OPTIONS: OLDER_NODE }, ownGroup: true });
    const { request, answer } = await requestUnderWay(service);
    service.process.signalGroup('SIGTERM');
    await until(() => service.process.stderr.includes('received a stop signal'));
    // Until here the launcher has passed its own on.
    await pause(REPEATED_SIGNAL_MS);
    request.end(BODY);
    expect((await answer).statusCode).toBe(201);
    expect(await service.process.ended).toMatchObject({ code: 0, signal: null });
    expect(service.process.stderr.match(/received a stop signal/g)).toHaveLength(1);
  });

  test('given a request that never ends, then a later second signal ends at once', async () => {
    const service = await serve();
    const { answer } = await requestUnderWay(service);
    service.process.child.kill('SIGTERM');
    await until(() => service.process.stderr.includes('received a stop signal'));
    await pause(REPEATED_SIGNAL_MS);
    expect(service.process.isRunning).toBe(true);
    const asked = performance.now();
    expect(await service.process.stop('SIGTERM')).toMatchObject({ code: 1 });
    expect(performance.now() - asked).toBeLessThan(9_000);
    await expect(answer).rejects.toMatchObject({ code: 'ECONNRESET' });
  });
});

/** Makes bin/surety.mjs take itself for one under Node 20, which starts the service in a process of its own. */
const OLDER_NODE =
  '--import=data:text/javascript,' +
  encodeURIComponent(
    "process.env.SURETY_LAUNCHER ?? Object.defineProperty(process, 'versions', { value: { node: '20.0.0' } })",
  ).replaceAll("'", '%27');

const BODY = JSON.stringify({ name: 'Slow Bank', business_email: 'slow@bank.example' });

/** A request whose headers the service has read, and whose body it waits for. */
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
  const answer = new Promise<IncomingMessage>((resolve, reject) => {
    request.on('error', reject);
    request.on('response', (response) => resolve(response.resume()));
  });
  answer.catch(() => undefined);
  const heard = once(request, 'continue');
  request.flushHeaders();
  await heard;
  return { request, answer };
}

/** Waits for `/readyz` without looking at what the service writes. */
async function ready(service: SuretyProcess, port: number): Promise<void> {
  await until(async () => {
    if (!service.isRunning) throw new Error(`Surety did not start:\n${service.stderr}`);
    const answer = await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => undefined);
    await answer?.arrayBuffer();
    return answer?.status === 200;
  });
}
