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
  test('lists its commands and settings, and explains each command with its options and an example', async () => {
    const overview = await run(['--help']);
    expect(await run(['help'])).toEqual(overview);
    expect(overview.stdout).toContain('KAFKA_PASSWORD');
    const names = [...overview.stdout.matchAll(/^ {2}([a-z]+) +[A-Z].*\.$/gm)].map(([, name = '']) => name);
    expect(names).toHaveLength(12);
    for (const name of names) {
      const { code, stdout } = await run(['help', name]);
      expect([name, code, stdout]).toEqual([name, 0, expect.stringContaining(`\nUsage: surety ${name} `)]);
      expect(stdout).toMatch(new RegExp(`\nExample:\n[^]*surety ${name}\\b`));
    }
    const { stdout } = await run(['help', 'CancelPolicy']);
    expect(stdout).toContain('\nUsage: surety command CancelPolicy FILE');
    expect(stdout).toMatch(/^ {2}claim_paid_after_day +\S.*$/m);
    expect(stdout).toContain('\n  "environment_id": 1\n');
    const help = await run(['verify', '--json', '--help'], '', { PORT: 'wrong' });
    expect(help).toMatchObject({ code: 0, stderr: '' });
    for (const option of ['--json', '--url URL', '--key-file FILE']) expect(help.stdout).toContain(`\n  ${option} `);
  });

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

  test.each([
    [[], 'surety needs a command'],
    [['sevre'], 'surety has no command "sevre". See surety --help.'],
    [['command', '--list', '--schema', 'ConfirmKyc'], '--list and --schema NAME describe commands; each stands alone.'],
    [['constructor'], 'surety has no command "constructor".'],
    [['serve', '--port', '1'], "Unknown option '--port'. See surety help serve."],
    [['serve', 'now'], 'surety serve takes no argument now.'],
    [
      ['setup', '--from', '-5'],
      '--from needs a value: start, end or a position of the log. "-5" begins with a dash; if it is the value, write --from=-5.',
    ],
    [['setup', '--from=-5'], '--from must be start, end or a position of the log.'],
    [['setup', '--create-topics'], 'surety setup --create-topics needs --from start, or --from POSITION.'],
    [
      ['setup', '--create-topics', '--from', 'end'],
      'surety setup --create-topics --from must be start or a position of the log.',
    ],
    [['replay', '--from', 'end'], 'surety replay --from must be start or a position of the log.'],
    [['setup', '--partitions'], '--partitions needs a value: a whole number from 1 to 9999.'],
    [['verify', '--json=yes'], "Option '--json' does not take an argument."],
    [['command', 'RegisterMerchant'], 'surety command needs a NAME and a FILE'],
    [['get'], 'surety get needs a PATH of the API.'],
    [['get', 'me'], 'surety get needs a running service: one in the data folder, or --url or SURETY_URL.'],
    [['get', 'me', '--url', 'http://a:b@127.0.0.1:1'], '--url must have no user, query and fragment.'],
    [['get', 'me', 'you', '--url', 'http://127.0.0.1:1'], 'surety get takes one PATH; you is not expected.'],
  ])('prints one sentence and exits with 2 for %j', async (words, sentence) => {
    const { code, stdout, stderr } = await run(words);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(sentence);
    expect(stderr.trimEnd().split('\n')).toHaveLength(1);
  });

  test('rejects --accept-clock without the role scheduler', async () => {
    const { code, stderr } = await run(['serve', '--accept-clock'], '', {
      SURETY_ROLES: 'api',
      EVENTSTORE_URL: 'esdb://127.0.0.1:1?tls=false',
      MONGODB_URL: 'mongodb://127.0.0.1:1/surety',
      KAFKA_BROKERS: '127.0.0.1:1',
      SURETY_SECRET: 'secret-of-the-command-line-0123456789',
      SURETY_ADMIN_KEY: 'admin-key-of-the-command-line-0123456789',
      PUBLIC_URL: 'https://surety.example',
    });
    expect([code, stderr]).toEqual([2, expect.stringMatching(/^--accept-clock needs the role scheduler/)]);
  });
});

describe('surety migrate', () => {
  test.each([
    [{}, 'surety migrate needs EVENTSTORE_URL, MONGODB_URL and KAFKA_BROKERS.'],
    [
      { EVENTSTORE_URL: 'esdb://127.0.0.1:1?tls=false', KAFKA_BROKERS: '127.0.0.1:1' },
      'MONGODB_URL is not set: set EVENTSTORE_URL, MONGODB_URL, KAFKA_BROKERS, or none of them to keep everything in the data folder.',
    ],
  ])('names the missing addresses of %j', async (settings, sentence) => {
    const { code, stdout, stderr } = await run(['migrate'], '', settings);
    expect({ code, stdout, stderr }).toEqual({ code: 1, stdout: '', stderr: `${sentence}\n` });
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

describe('surety replay', () => {
  test.each([[['replay', '--from', 'start']], [['setup', '--create-topics', '--from', 'start']]])(
    'rejects %j without servers',
    async (words) => {
      const { code, stdout, stderr } = await run(words);
      expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
      expect(stderr).toMatch(/^surety .* needs servers: without Kafka there are no public events\.\n$/);
    },
  );
});

describe('surety command', () => {
  test('lists the commands and prints their schemas', async () => {
    const list = await run(['command', '--list']);
    expect(list).toMatchObject({ code: 0, stdout: expect.stringMatching(/^ConfirmKyc +Records that .*\.$/m) });
    const schema = await run(['command', '--schema', 'CancelPolicy']);
    expect(schema.stdout).toContain('\n  "type": "object",\n');
    expect(JSON.parse(schema.stdout)).toMatchObject({
      type: 'object',
      properties: { cancellation_reason: { type: 'string' } },
      required: expect.arrayContaining(['environment_id']),
    });
    const { code, stderr } = await run(['command', '--schema', 'CancelPolice']);
    expect([code, stderr]).toEqual([
      1,
      'There is no command CancelPolice; surety command --list prints their names.\n',
    ]);
  });

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
