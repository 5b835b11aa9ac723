import { readdirSync, readFileSync } from 'node:fs';
import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { MongoServerError, MongoServerSelectionError } from 'mongodb';
import { StoreUnavailable } from '#stores/shared/store-unavailable.ts';
import { LOGGED_FIELDS } from './logged-fields.ts';
import { createLogger, linesForTerminal, type Logger } from './logging.ts';

const PASSWORD = 'hunter2-of-the-database';
const TOKEN = '9f86d081884c7d659a2feaa0c55ad015';
const EMAIL = 'ada.obi@customers.example';
const KEY = 'sk_live_000000000000_000000000000000000000000000000000';
const ADDRESS = `mongodb://surety:${PASSWORD}@db.internal:27017/surety`;
const SECRETS = [PASSWORD, TOKEN, EMAIL, KEY];
const SAYS_ALL = `cannot send to ${EMAIL} over ${ADDRESS}: token=${TOKEN}, key ${KEY}\n    at ${PASSWORD} (${TOKEN}:1:1)`;

const LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal'] as const;

let lines: string[];
let log: Logger;
beforeEach(() => {
  lines = [];
  log = createLogger({ logLevel: 'trace' }, { write: (line) => void lines.push(line) });
});

/** Creates an error like those of drivers, whose message, fields and causes quote their input. */
function driverError(): Error {
  const reply = { ok: 0, errmsg: SAYS_ALL, code: 11000, keyValue: { email: EMAIL }, codeName: 'DuplicateKey' };
  const inner = Object.assign(new MongoServerError(reply), { connectionString: ADDRESS, document: { email: EMAIL } });
  const middle = Object.assign(new Error(SAYS_ALL, { cause: inner }), {
    response: `550 ${EMAIL} ${TOKEN}`,
    rejected: [EMAIL],
    token: TOKEN,
    code: `E ${PASSWORD}`,
    toJSON: () => SAYS_ALL,
  });
  return new AggregateError([new TypeError(SAYS_ALL, { cause: middle }), SAYS_ALL, { message: SAYS_ALL }], SAYS_ALL);
}

/** Creates an error of Surety with a driver's error as its cause. */
function suretyError(): Error {
  return new StoreUnavailable('MongoDB: the server is not reached', { cause: driverError() });
}

const CASES: readonly (readonly [string, (level: (typeof LEVELS)[number]) => void])[] = [
  ['as err', (level) => log[level]({ err: driverError() }, 'message')],
  ['alone', (level) => log[level](driverError())],
  ['as an argument of the message', (level) => log[level]('message %s %o', driverError(), { email: EMAIL })],
  ['as a listed field', (level) => log[level]({ reason: driverError() }, 'message')],
  ['in an object', (level) => log[level]({ command: { reason: { err: driverError(), token: TOKEN } } }, 'message')],
  ['under an error of Surety', (level) => log[level]({ err: suretyError() }, 'message')],
  [
    'in objects that are no plain ones',
    (level) =>
      log[level]({ command: new URL(ADDRESS), stream: new Map([[EMAIL, TOKEN]]), roles: new Set([TOKEN]) }, 'message'),
  ],
  ['of a child', (level) => log.child({ err: driverError(), token: TOKEN })[level]({ err: driverError() }, 'message')],
];

describe('the log', () => {
  test.each(CASES)('contains no secret when an error of a driver is logged %s', (_, write) => {
    for (const level of LEVELS) write(level);
    expect(lines).toHaveLength(LEVELS.length);
    for (const line of lines) {
      expect(() => JSON.parse(line) as unknown).not.toThrow();
      for (const secret of SECRETS) expect(line).not.toContain(secret);
    }
  });

  test('contains type, code and stack of an error and its causes, and the messages of Surety', () => {
    log.error({ err: suretyError(), request_id: 'r' }, 'A request failed');
    const { err, request_id, msg, level } = JSON.parse(lines[0] ?? '');
    expect({ request_id, msg, level }).toEqual({ request_id: 'r', msg: 'A request failed', level: 'error' });
    expect(err).toMatchObject({
      type: 'StoreUnavailable',
      message: 'MongoDB: the server is not reached',
      cause: {
        type: 'AggregateError',
        errors: [
          { type: 'TypeError', cause: { type: 'Error', cause: { type: 'MongoServerError', code: 11000 } } },
          {},
          {},
        ],
      },
    });
    expect(err.stack).toMatch(
      /^StoreUnavailable: MongoDB: the server is not reached\n\s+at suretyError \(.*logging\.test\.ts:\d+:\d+\)\n/,
    );
    expect(err.cause.stack).toMatch(/^AggregateError\n\s+at driverError \(/);
  });

  test('contains the values of listed fields, and only the names of others', () => {
    const fields = {
      position: 7n,
      roles: ['api'],
      stream: 'policy-1',
      status: 200,
      parked: null,
      command: { kind: 'x', name: EMAIL },
    };
    log.info({ ...fields, colour: 'red' }, 'message');
    expect(JSON.parse(lines[0] ?? '')).toEqual({
      ...fields,
      level: 'info',
      time: expect.stringMatching(/^\d{4}-/),
      msg: 'message',
      position: '7',
      command: { kind: 'x', name: '[not in LOGGED_FIELDS]' },
      colour: '[not in LOGGED_FIELDS]',
    });
  });

  test('contains only the method of a request and the status of a response', () => {
    const request = Object.assign(new IncomingMessage(new Socket()), {
      method: 'GET',
      url: `/verify?token=${TOKEN}`,
      headers: { 'x-api-key': KEY, host: 'h' },
      body: { email: EMAIL },
    });
    log.info({ req: request, res: new ServerResponse(request) }, 'message');
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({ req: { method: 'GET' }, res: { status: 200 } });
    for (const secret of SECRETS) expect(lines[0]).not.toContain(secret);
  });

  test.each(['a-', 'a.', 'token', '://', 'a://', 'a@', 'sk_live_', 'bearer '])(
    'redacts a line of many %p in linear time',
    (part) => {
      const line = part.repeat(16_000 / part.length);
      const before = process.cpuUsage();
      for (let time = 0; time < 5; time++) log.info(line);
      // Quadratic time takes 200 ms or more for each line.
      expect(process.cpuUsage(before).user).toBeLessThan(400_000);
    },
  );

  test.each([
    [`MongoDB: ${ADDRESS} is away`, 'MongoDB: mongodb://[redacted]@db.internal:27017/surety is away'],
    [`no mailbox <${EMAIL}> here`, 'no mailbox <[redacted]> here'],
    [`token=${TOKEN}&a=b`, 'token=[redacted]&a=b'],
    [`{"x-api-key": "${TOKEN}", "a": 1}`, '{"x-api-key": "[redacted]", "a": 1}'],
    [`Authorization: Bearer ${TOKEN}`, 'Authorization: [redacted] [redacted]'],
    [`key ${KEY}.`, 'key [redacted].'],
    ['http://127.0.0.1:3000/docs/ at policy-1@7', 'http://127.0.0.1:3000/docs/ at policy-1@7'],
  ])('redacts secrets in text: %s', (text, shown) => {
    log.warn({ reason: text, token: 12 }, text);
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({ reason: shown, msg: shown, token: 12 });
  });

  test('has one line for each entry on a terminal, and the stack of an error below it', () => {
    const shown: string[] = [];
    const terminal = linesForTerminal({ write: (text) => void shown.push(text) }, { colorize: false });
    const logged = createLogger({ logLevel: 'info' }, terminal);
    logged.info({ port: 3000, roles: ['api', 'relay'], command: { kind: 'x' } }, 'Surety serves');
    logged.error({ err: suretyError(), request_id: 'r' }, 'A request failed');
    const rows = shown.join('').split('\n');
    expect(rows.slice(0, 2)).toEqual([
      expect.stringMatching(/^\[[\d:]{8}\] INFO: Surety serves \{"port":3000,"roles":\["api","relay"\],"command":\{/),
      expect.stringMatching(/^\[[\d:]{8}\] ERROR: A request failed \{"request_id":"r"\}$/),
    ]);
    expect(rows.slice(2).join('\n')).toContain('at suretyError (');
  });

  test('handles an error that is its own cause, and an unreadable one', () => {
    const error = new Error('x');
    error.cause = error;
    log.error({ err: error }, 'message');
    log.error({ err: new MongoServerSelectionError(SAYS_ALL, {} as never) }, 'message');
    log.error({ err: Object.create(null) as Error }, 'message');
    expect(lines).toHaveLength(3);
    expect(lines.join('')).not.toContain(PASSWORD);
  });

  test('lists every field that the sources log', () => {
    const root = fileURLToPath(new URL('../..', import.meta.url));
    const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((name) =>
      /(?<!\.test)\.ts$/.test(name),
    );
    const named = files.flatMap((file) => {
      const text = readFileSync(join(root, file), 'utf8');
      const objects = [...text.matchAll(/\blog\??\.(?:trace|debug|info|warn|error|fatal)\(\s*\{([^{}]*)\}/g)];
      return objects.flatMap(([, fields = '']) =>
        fields
          .split(/,(?![^(]*\))/)
          .map((field) => /^\s*(\w+)\s*(?::|$)/.exec(field)?.[1])
          .filter((name) => name !== undefined)
          .map((name) => `${file}: ${name}`),
      );
    });
    expect(named.length).toBeGreaterThan(30);
    const listed = new Set([...LOGGED_FIELDS, 'err', 'req', 'res']);
    expect(named.filter((name) => !listed.has(name.split(': ')[1] ?? ''))).toEqual([]);
  });
});
