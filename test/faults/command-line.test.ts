import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { cleanUp, type ProcessResult, runSurety, startService, temporaryFolder } from '../support/service-process.ts';

let base: string;
let folder: string;

beforeAll(() => {
  base = temporaryFolder();
  folder = join(base, 'data');
});
afterAll(async () => await cleanUp(base, []));

async function run(
  words: readonly string[],
  input = '',
  settings: Record<string, string> = {},
): Promise<ProcessResult> {
  return await runSurety(words, { folder, input, settings });
}

/** Counts registrations only, because the service also appends the events of the merchant's mail. */
function countRegistrations(): number {
  const database = new DatabaseSync(join(folder, 'events.db'), { readOnly: true });
  const row = database.prepare("SELECT count(*) AS times FROM events WHERE type = 'MerchantRegistered.v1'").get();
  database.close();
  return Number(row?.['times']);
}

const merchant = JSON.stringify({ name: 'Line Bank', business_email: 'line@bank.example' });

describe('the command line', () => {
  test('prints the version of the package', async () => {
    const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
    expect(await run(['--version'])).toMatchObject({ code: 0, stdout: `${version}\n` });
  });

  test.each([
    [
      'grpc-js',
      "new grpc.Client('127.0.0.1:' + port, grpc.credentials.createSsl()).waitForReady(Infinity, () => {})",
      '',
    ],
    ['another library', "connect({ host: '127.0.0.1', port, servername: '127.0.0.1' })", '[DEP0123]'],
  ])('prints no warning of an IP address as TLS server name by grpc-js alone: %s', async (_library, call, warning) => {
    const script = join(base, 'connect.mjs');
    const grpc = pathToFileURL(createRequire(import.meta.url).resolve('@grpc/grpc-js')).href;
    const lines = [
      `import grpc from '${grpc}';`,
      "import { createServer } from 'node:net';",
      "import { connect } from 'node:tls';",
      "const server = createServer((socket) => socket.once('data', () => process.exit(0)));",
      "process.once('beforeExit', () => server.listen(0, '127.0.0.1', () => {",
      '  const { port } = server.address();',
      `  ${call};`,
      '}));',
    ];
    writeFileSync(script, lines.join('\n'));
    const { code, stderr } = await run(['--version'], '', { NODE_OPTIONS: `--import=${pathToFileURL(script).href}` });
    expect([code, stderr]).toEqual([0, warning === '' ? '' : expect.stringContaining(warning)]);
  });
});

describe('surety setup', () => {
  test('changes nothing and prints no key the second time', async () => {
    const first = await run(['setup']);
    const key = readFileSync(join(folder, 'admin.key'), 'utf8').trim();
    expect(first).toMatchObject({ code: 0 });
    expect(first.stdout).toContain(key);
    const second = await run(['setup']);
    expect(second).toMatchObject({ code: 0, stdout: `The data folder ${folder} is set up.\n` });
    expect(readFileSync(join(folder, 'admin.key'), 'utf8').trim()).toBe(key);
  });
});

describe('surety command', () => {
  test('executes once with the same key locally and over HTTP', async () => {
    const file = join(base, 'merchant.json');
    writeFileSync(file, `\uFEFF${merchant}`);
    const words = ['command', 'RegisterMerchant', file, '--idempotency-key', 'line-1'];
    const first = await run(words);
    expect(first.code).toBe(0);
    expect(JSON.parse(first.stdout)).toMatchObject({
      command: 'RegisterMerchant',
      revision: 1,
      events: [{ type: 'MerchantRegistered.v1' }, { type: 'MerchantVerificationRequested.v1' }],
      result: { merchant_id: 1 },
    });
    expect(countRegistrations()).toBe(1);
    expect(await run(words)).toMatchObject({ code: 0, stdout: first.stdout });
    const service = await startService({ folder, settings: { LOG_LEVEL: 'error' } });
    try {
      expect(await run([...words, '--url', service.url])).toMatchObject({ code: 0, stdout: first.stdout });
      const settings = { SURETY_URL: service.url, SURETY_KEY: service.adminKey, SURETY_DATA: join(base, 'elsewhere') };
      expect(await run(words, '', settings)).toMatchObject({ code: 0, stdout: first.stdout });
    } finally {
      await service.process.stop();
    }
    expect(countRegistrations()).toBe(1);
  });

  test.each([
    ['a refusal', 'RegisterMerchant', '{"name":""}', { code: 'invalid_request', status: 400 }],
    ['an unknown command', 'RegisterMerchnat', '{}', { code: 'command_not_found', status: 404 }],
    ['no object', 'RegisterMerchant', '[1]', { code: 'invalid_request', status: 400 }],
    ['no such environment', 'CancelPolicy', '{"environment_id":5}', { code: 'invalid_request', status: 400 }],
  ])('prints the problem and exits with 1 for %s', async (_case, name, body, problem) => {
    const { code, stdout } = await run(['command', name, '-'], body);
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject(problem);
  });

  test.each([
    ['no JSON', ['command', 'RegisterMerchant', '-'], '{', 'Standard input is not JSON: '],
    ['no file', ['command', 'RegisterMerchant', 'nowhere.json'], '', 'nowhere.json cannot be read: '],
    [
      'a missing key file',
      ['command', 'ConfirmKyc', '-', '--url', 'https://127.0.0.1:1', '--key-file', 'no.key'],
      '{}',
      'The key file no.key cannot be read: ',
    ],
    [
      'no key',
      ['command', 'ConfirmKyc', '-', '--url', 'https://127.0.0.1:1'],
      '{}',
      "admin.key: set SURETY_DATA to the service's folder, or SURETY_KEY, or --key-file.",
    ],
    [
      'no URL in SURETY_URL',
      ['verify'],
      '',
      'SURETY_URL must be a URL that begins with http:// or https://; it is "here".',
      { SURETY_URL: 'here' },
    ],
    [
      'two keys in SURETY_KEY',
      ['verify', '--url', 'https://127.0.0.1:1'],
      '',
      'SURETY_KEY must contain one key and nothing else.',
      { SURETY_KEY: 'one two' },
    ],
  ])('prints one sentence and exits with 1 for %s', async (_case, words, input, sentence, settings: object = {}) => {
    const elsewhere = { SURETY_DATA: join(base, 'elsewhere') };
    const { code, stdout, stderr } = await run(words, input, { ...elsewhere, ...settings });
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toContain(sentence);
    expect(stderr.trimEnd().split('\n')).toHaveLength(1);
  });
});
