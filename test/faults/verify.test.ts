import { claimsOn } from './claims.ts';
import { once } from 'node:events';
import { existsSync, writeFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { openSqliteEventStore } from '#stores/event-log/sqlite/sqlite-event-store.ts';
import { nameOfReadModelsIn } from '../support/read-models-file.ts';
import { freePort } from '../support/free-port.ts';
import * as sample from '../support/sample-events.ts';
import { type ProcessResult, runSurety } from '../support/service-process.ts';
import { useWorkspace } from '../support/workspace.ts';

const workspace = useWorkspace();

beforeEach(async () => {
  const service = await workspace.startService({ settings: { LOG_LEVEL: 'error' } });
  await (await claimsOn(service))(1);
  await service.process.stop();
});

const verify = async (...words: readonly string[]): Promise<ProcessResult> =>
  await runSurety(['verify', ...words], { folder: workspace.folder });

/** Changes a database of the folder directly. */
function tamper(file: string, sql: string): void {
  const database = new DatabaseSync(join(workspace.folder, file), { timeout: 5_000 });
  expect(Number(database.prepare(sql).run().changes)).toBe(1);
  database.close();
}

describe('surety verify', () => {
  test('finds no difference and exits with 0 on an unchanged folder', async () => {
    const first = await verify();
    expect(first).toMatchObject({ code: 0, stderr: '' });
    expect(first.stdout).toMatch(/^\d+ events of the log read up to position \d+: no fault\.$/m);
    expect(first.stdout).toMatch(/^\d+ documents compared with the log up to position \d+: no difference\.$/m);
    expect(first.stdout).toMatch(/^1 content of claim documents compared with their SHA-256: no difference\.$/m);
    const { code, stdout } = await verify('--json');
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toEqual({
      log: { events: expect.any(Number), up_to: expect.stringMatching(/^\d+$/), faults: 0, first_faults: [] },
      read_models: {
        up_to: expect.stringMatching(/^\d+$/),
        compared: expect.any(Number),
        moved_on: 0,
        differing: 0,
        missing: 0,
        surplus: 0,
        differences: [],
        parked: 0,
        parked_documents: [],
        contents: { compared: 1, differences: [] },
      },
    });
  });

  test('reports parked documents and exits with 1', async () => {
    const store = openSqliteEventStore({ file: join(workspace.folder, 'events.db') });
    const position = await sample.appendSamples(store, sample.claimSettled(1, 1, 1));
    await store.close();
    const key = sample.sampleId('claim', 1);
    const { code, stdout } = await verify();
    expect(code).toBe(1);
    expect(stdout).toContain(`claims ${key}: parked at position ${position}: `);
    expect(stdout).toMatch(/^\d+ documents? parked: shown in an old state until .* RetryParked folds them again\.$/m);
    expect(stdout).toContain(': no difference.');
    expect(stdout).not.toContain('surety rebuild');
    const { read_models: report } = JSON.parse((await verify('--json')).stdout);
    const at = { reason: expect.any(String), event_type: expect.any(String), position: String(position) };
    const parked = { collection: 'claims', key, event_id: expect.any(String), ...at };
    expect(report).toMatchObject({ differing: 0, parked_documents: expect.arrayContaining([parked]) });
    expect(report.parked).toBe(report.parked_documents.length);
  });

  test('prints one sentence and creates nothing without an event log, or with an unknown argument', async () => {
    const elsewhere = await runSurety(['verify'], {
      folder: join(workspace.base, 'nowhere'),
      workingFolder: workspace.base,
    });
    expect(elsewhere).toMatchObject({ code: 1, stdout: '' });
    expect(elsewhere.stderr).toMatch(/^There is no event log in the data folder .*nowhere\.\n$/);
    expect(await verify('now')).toMatchObject({ code: 2, stdout: '' });
  });

  test('names the missing server and creates nothing', async () => {
    const folder = join(workspace.base, 'elsewhere');
    const settings = { EVENTSTORE_URL: 'esdb://127.0.0.1:1?tls=false', KAFKA_BROKERS: '127.0.0.1:1' };
    const result = await runSurety(['verify'], { folder, settings });
    expect(result).toMatchObject({ code: 1, stdout: '', stderr: expect.stringMatching(/^MONGODB_URL is not set: /) });
    expect(existsSync(folder)).toBe(false);
  });

  test('lets the service that holds the folder verify', async () => {
    const { url } = await workspace.startService({ settings: { LOG_LEVEL: 'error' } });
    const [beside, byUrl] = [await verify(), await verify('--url', url)];
    expect(beside).toMatchObject({ code: 0, stderr: '', stdout: expect.stringContaining('no difference') });
    expect(byUrl.stdout).toBe(beside.stdout);
  });
});

describe('surety verify --url', () => {
  const start = async () => await workspace.startService({ settings: { LOG_LEVEL: 'error' } });

  test('reports the same differences as on the folder and exits with 1', async () => {
    const { url, process } = await start();
    const readModels = nameOfReadModelsIn(workspace.folder);
    tamper(readModels, `UPDATE policies SET body = replace(body, '365.00', '1.00')`);
    tamper(readModels, 'DELETE FROM customers');
    tamper('records.db', "UPDATE blob_rows SET bytes = CAST('another photo' AS BLOB)");
    const beside = await verify('--json', '--url', url);
    const text = await verify('--url', url);
    await process.stop();
    const onFolder = await verify('--json');
    expect([beside.code, text.code, onFolder.code]).toEqual([1, 1, 1]);
    expect(text.stdout).toMatch(/^policies [0-9a-f-]{36}: differs at \/body\/policy\/terms\/0\/premium, \/body\/\S+/m);
    expect(text.stdout).toMatch(/^customers [0-9a-f-]{36}: missing$/m);
    expect(text.stdout).toMatch(/^content [0-9a-f]{64} of claim [0-9a-f-]{36}: altered$/m);
    expect(text.stdout).toContain(': 2 differences (1 differing, 1 missing, 0 surplus).');
    expect(text.stdout).toContain('To repair the read models, run surety rebuild.');
    const [report, expected] = [beside, onFolder].map(({ stdout }) => JSON.parse(stdout));
    // The service goes on writing, for example when it sends a mail.
    const log = { ...expected.log, events: expect.any(Number), up_to: expect.any(String) };
    const anyNumber = { up_to: expect.any(String), compared: expect.any(Number), moved_on: expect.any(Number) };
    expect(report).toEqual({ log, read_models: { ...expected.read_models, ...anyNumber } });
  });

  test('names the reason when the service refuses the key', async () => {
    const { url, run } = await start();
    const { api_key } = await run('IssueApiKey', { environment_id: 1, label: 'till' });
    const keyFile = join(workspace.base, 'key');
    const withKey = async (key: string): Promise<ProcessResult> => {
      writeFileSync(keyFile, key);
      return await verify('--url', url, '--key-file', keyFile);
    };
    const refused = `The service at ${url} refuses with `;
    for (const key of [String(api_key), 'x'.repeat(40)]) {
      const { code, stdout, stderr } = await withKey(key);
      expect([code, stdout, stderr.startsWith(refused), stderr.split('\n')]).toEqual([
        1,
        '',
        true,
        [expect.any(String), ''],
      ]);
    }
  });

  const started = '{"verification_id":"a","state":"running","progress":null,"report":null}';
  test.each<[string, RequestListener, string]>([
    [
      'does not know the route',
      (_, response) => void response.writeHead(404).end('{"code":"route_not_found","detail":"There is no such path"}'),
      'The service at URL refuses with 404: There is no such path.',
    ],
    [
      'stops verifying',
      ({ method }, response) =>
        void response.end(method === 'POST' ? started : '{"state":"failed","reason":"It stops","report":null}'),
      'The service at URL did not complete the verification: It stops.',
    ],
    [
      'is no service of Surety',
      (_, response) => void response.end('<html></html>\n'),
      'The service at URL is not available: the response is 200 with no content type, not one of Surety.',
    ],
  ])('prints one sentence when the service %s', async (_what, listener, sentence) => {
    const server = createServer(listener).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const settings = { SURETY_ADMIN_KEY: 'x'.repeat(40) };
    const result = await runSurety(['verify', '--url', url], { folder: workspace.folder, settings });
    server.close();
    expect(result).toMatchObject({ code: 1, stdout: '', stderr: `${sentence.replace('URL', url)}\n` });
  });

  test('prints one sentence when no service answers', async () => {
    const settings = { SURETY_ADMIN_KEY: 'x'.repeat(40) };
    const url = `http://127.0.0.1:${await freePort()}`;
    const result = await runSurety(['verify', '--url', url], { folder: workspace.folder, settings });
    expect(result).toMatchObject({ code: 1, stdout: '' });
    expect(result.stderr).toBe(`The service at ${url} is not available: connect ECONNREFUSED ${new URL(url).host}.\n`);
  });
});
