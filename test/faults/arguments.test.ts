import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import { runCommandLine } from '#cli/cli.ts';
import { plainEnvironment } from '../support/service-process.ts';

// These command lines end before they open a store or call a service, so they need no process of their own.
const folder = mkdtempSync(join(tmpdir(), 'surety-arguments-'));
afterAll(() => rmSync(folder, { recursive: true }));

interface Outcome {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

async function run(words: readonly string[], settings: Readonly<Record<string, string>> = {}): Promise<Outcome> {
  const { env, stdout, stderr } = process;
  const output = [captured(stdout), captured(stderr)] as const;
  process.env = Object.assign(plainEnvironment(), { PORT: '0', SURETY_DATA: folder }, settings);
  try {
    const code = await runCommandLine(words);
    return { code, stdout: output[0].text(), stderr: output[1].text() };
  } finally {
    process.env = env;
    for (const each of output) each.restore();
  }
}

/** Takes what is written to a stream. */
function captured(stream: NodeJS.WriteStream) {
  const { write } = stream;
  let text = '';
  stream.write = (chunk: string | Uint8Array) => {
    text += String(chunk);
    return true;
  };
  return { text: () => text, restore: () => void (stream.write = write) };
}

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
    const help = await run(['verify', '--json', '--help'], { PORT: 'wrong' });
    expect(help).toMatchObject({ code: 0, stderr: '' });
    for (const option of ['--json', '--url URL', '--key-file FILE']) expect(help.stdout).toContain(`\n  ${option} `);
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
    [['backup'], 'surety backup needs one DIR.'],
    [['backup', ''], 'surety backup needs one DIR.'],
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
    const { code, stderr } = await run(['serve', '--accept-clock'], {
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
    const { code, stdout, stderr } = await run(['migrate'], settings);
    expect({ code, stdout, stderr }).toEqual({ code: 1, stdout: '', stderr: `${sentence}\n` });
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
});

describe('surety import', () => {
  test.each([
    ['no file', ['--environment', '1', '--provider', 'P'], 'surety import needs a policies file'],
    ['three files', ['--environment', '1', '--provider', 'P', 'a', 'b', 'c'], 'surety import takes at most two files'],
    ['no environment', ['--provider', 'P', 'a.csv'], 'surety import needs --environment'],
    ['no number', ['--environment', 'live', '--provider', 'P', 'a.csv'], 'surety import needs --environment'],
    ['no provider', ['--environment', '1', 'a.csv'], 'surety import needs --provider'],
    [
      'no such type',
      ['--environment', '1', '--provider', 'P', '--product-type', 'Boat', 'a.csv'],
      '--product-type must',
    ],
    ['no currency', ['--environment', '1', '--provider', 'P', '--currency', 'naira', 'a.csv'], '--currency must be'],
    [
      'a currency without decimals',
      ['--environment', '1', '--provider', 'P', '--currency', 'JPY', 'a.csv'],
      '--currency must be',
    ],
    ['no such option', ['--enviroment', '1', 'a.csv'], "Unknown option '--enviroment'"],
    ['one name twice', ['--environment', '1', '--provider', 'P', 'x/a.csv', 'y/a.csv'], 'a.csv.refused.csv would be'],
    ['no URL', ['--environment', '1', '--provider', 'P', '--url', 'here', 'a.csv'], '--url must be a URL'],
    [
      'a key without a URL',
      ['--environment', '1', '--provider', 'P', '--key-file', 'k', 'a.csv'],
      '--key-file needs --url, SURETY_URL or a service in the data folder.',
    ],
  ])('prints one sentence and exits with 2 for %s', async (_case, words, sentence) => {
    const { code, stdout, stderr } = await run(['import', ...words]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr.startsWith(sentence)).toBe(true);
    expect(stderr.trimEnd().split('\n')).toHaveLength(1);
  });
});

test('refuses a type of public events that it does not know, with those that are like it', async () => {
  const { code, stdout, stderr } = await run([
    'events',
    '--types',
    'surety.policy.purchased.v1, surety.claims.paid.v1',
  ]);
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).toMatch(/^--types: "surety.claims.paid.v1" is not known; known: surety.claim.paid.v1, .* more\. See /);
});
