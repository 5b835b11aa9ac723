import { resolve } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { writesToDataFolder, readSettings, hasSeparateRoles, InvalidSettings, schemaOrigin } from './config.ts';
import { formatKey } from '#domain/api-key/key-format.ts';

function problemsOf(variables: Record<string, string>): readonly string[] {
  try {
    readSettings(variables);
  } catch (error) {
    if (error instanceof InvalidSettings) return error.problems;
    throw error;
  }
  return [];
}

describe('settings', () => {
  test('have the documented defaults', () => {
    expect(readSettings({})).toEqual({
      host: '127.0.0.1',
      port: 3000,
      publicUrl: undefined,
      dataFolder: resolve('./data'),
      adminKey: undefined,
      roles: ['api', 'projector', 'relay', 'mailer', 'scheduler'],
      secret: undefined,
      sample: undefined,
      supportEmail: undefined,
      servers: undefined,
      smtpUrl: undefined,
      mailFrom: undefined,
      rateLimit: undefined,
      maxConnections: 1000,
      trustProxy: false,
      logLevel: 'info',
    });
  });

  test('are read from environment variables', () => {
    const secret = 'k'.repeat(32);
    const settings = readSettings({
      HOST: '::1',
      PORT: '0',
      PUBLIC_URL: 'https://surety.example/insurance/',
      SURETY_DATA: '/srv/surety',
      SURETY_ADMIN_KEY: secret,
      SURETY_ROLES: 'projector, api,mailer,relay ,scheduler',
      SURETY_SECRET: secret,
      SURETY_SAMPLE: 'off',
      SUPPORT_EMAIL: 'help@surety.example',
      SMTP_URL: 'smtp://user:pass@mail.example:2525',
      MAIL_FROM: 'Surety <no-reply@surety.example>',
      RATE_LIMIT: '50',
      MAX_CONNECTIONS: '20',
      TRUST_PROXY: 'loopback, 10.0.0.0/8',
      LOG_LEVEL: 'debug',
    });
    expect(settings).toEqual({
      host: '::1',
      port: 0,
      publicUrl: 'https://surety.example/insurance',
      dataFolder: resolve('/srv/surety'),
      adminKey: secret,
      roles: ['projector', 'api', 'mailer', 'relay', 'scheduler'],
      secret,
      sample: false,
      supportEmail: 'help@surety.example',
      smtpUrl: 'smtp://user:pass@mail.example:2525',
      mailFrom: 'Surety <no-reply@surety.example>',
      rateLimit: 50,
      maxConnections: 20,
      trustProxy: 'loopback, 10.0.0.0/8',
      logLevel: 'debug',
    });
  });

  test.each([
    ['true', true],
    ['false', false],
    ['2', 2],
    ['007', 7],
    ['::1, 192.168.0.0/255.255.0.0', '::1, 192.168.0.0/255.255.0.0'],
  ])('TRUST_PROXY=%s is read as %p', (text, value) => {
    expect(readSettings({ TRUST_PROXY: text }).trustProxy).toBe(value);
  });

  test('an empty variable counts as not set', () => {
    expect(readSettings({ PORT: '', SURETY_SAMPLE: '', MONGODB_URL: '' }).port).toBe(3000);
  });

  test.each([
    ['PORT', '65536'],
    ['PORT', 'http'],
    ['PORT', '-1'],
    ['MAX_CONNECTIONS', '0'],
    ['MAX_CONNECTIONS', '1000000'],
    ['TRUST_PROXY', 'yes'],
    ['TRUST_PROXY', '-1'],
    ['TRUST_PROXY', '1000'],
    ['TRUST_PROXY', '10.0.0.0/33'],
    ['TRUST_PROXY', 'loopback,'],
    ['HOST', 'two words'],
    ['PUBLIC_URL', 'surety.example'],
    ['PUBLIC_URL', 'https://surety.example/?a=b'],
    ['SURETY_SAMPLE', 'yes'],
    ['SUPPORT_EMAIL', 'help'],
    ['LOG_LEVEL', 'loud'],
    ['SURETY_ROLES', 'api,typist'],
  ])('%s=%s is rejected with its name and value', (name, value) => {
    const problems = problemsOf({ [name]: value });
    expect(problems).toHaveLength(1);
    expect(problems[0]).toMatch(new RegExp(`^${name} must be .*\\.$`));
    expect(problems[0]).toContain(JSON.stringify(value));
  });

  test('reports every invalid setting', () => {
    expect(problemsOf({ PORT: 'x', LOG_LEVEL: 'y', KAFKA_BROKERS: 'z', SURETY_PORT: '1' })).toHaveLength(4);
  });

  test('rejects an unknown name with the prefix SURETY_, and takes no notice of the variables of the command line', () => {
    expect(problemsOf({ SURETY_DATE: './data' })[0]).toMatch(/^SURETY_DATE is not a setting of Surety; .*SURETY_DATA/);
    expect(readSettings({ SURETY_URL: 'nonsense', SURETY_KEY: 'x' })).toEqual(readSettings({}));
  });
});

const servers = {
  EVENTSTORE_URL: 'esdb://admin:changeit@one:2113,two:2113?tls=true',
  MONGODB_URL: 'mongodb://user:pass@one:27017,two:27017/surety?replicaSet=rs0',
  KAFKA_BROKERS: 'one:9092, [::1]:9092',
};

describe('servers', () => {
  const common = {
    SURETY_SECRET: 's'.repeat(32),
    SURETY_ADMIN_KEY: 'a'.repeat(32),
    PUBLIC_URL: 'https://surety.example',
  };

  test('are read as they are', () => {
    expect(readSettings(servers).servers).toEqual({
      eventStoreUrl: servers.EVENTSTORE_URL,
      mongoUrl: servers.MONGODB_URL,
      kafka: { brokers: ['one:9092', '[::1]:9092'], security: { tls: false, login: undefined } },
    });
  });

  test.each([
    [['EVENTSTORE_URL'], 'MONGODB_URL and KAFKA_BROKERS are not set'],
    [['MONGODB_URL'], 'EVENTSTORE_URL and KAFKA_BROKERS are not set'],
    [['KAFKA_BROKERS'], 'EVENTSTORE_URL and MONGODB_URL are not set'],
    [['EVENTSTORE_URL', 'MONGODB_URL'], 'KAFKA_BROKERS is not set'],
  ] as const)('%j without the others is refused in one sentence that names them', (names, missing) => {
    const set = Object.fromEntries(names.map((name) => [name, servers[name]]));
    const alternatives = 'set EVENTSTORE_URL, MONGODB_URL, KAFKA_BROKERS, or none of them';
    expect(problemsOf(set)).toEqual([`${missing}: ${alternatives} to keep everything in the data folder.`]);
  });

  test.each([
    ['EVENTSTORE_URL', 'http://user:hidden@one:2113'],
    ['EVENTSTORE_URL', 'esdb://'],
    ['MONGODB_URL', 'postgres://user:hidden@one:27017'],
  ])('does not show the value of an invalid %s', (name, value) => {
    const problems = problemsOf({ [name]: value });
    expect(problems).toEqual([expect.stringMatching(new RegExp(`^${name} must be [^;]*\\.$`))]);
    expect(problems[0]).not.toContain('hidden');
  });

  test.each(['one', 'one:port', 'kafka://one:9092', 'one:9092,,two:9092'])('rejects KAFKA_BROKERS=%j', (value) => {
    expect(problemsOf({ KAFKA_BROKERS: value })[0]).toContain('KAFKA_BROKERS must be a comma list');
  });

  test.each([
    [{}, true],
    [{ SURETY_ROLES: 'api' }, false],
    [{ SURETY_ROLES: 'mailer', SMTP_URL: 'smtp://mail.example:25' }, false],
    [{ SURETY_SECRET: '' }, true],
    [{ SURETY_ADMIN_KEY: '' }, true],
    [{ SMTP_URL: 'smtp://mail.example:25' }, false],
  ])('with servers, a secret, a key and %j, writing to the data folder is %j', (more, expected) => {
    expect(writesToDataFolder(readSettings({ ...servers, ...common, ...more }))).toBe(expected);
  });

  test('accepts separate roles with the shared settings', () => {
    const settings = readSettings({ ...servers, ...common, SURETY_ROLES: 'api' });
    expect(settings.roles).toEqual(['api']);
    expect(hasSeparateRoles(settings)).toBe(true);
    expect(hasSeparateRoles(readSettings(servers))).toBe(false);
  });

  test('rejects a separate mailer without a mail server', () => {
    const apart = { ...servers, ...common, SURETY_ROLES: 'relay,mailer' };
    expect(problemsOf(apart)).toEqual([expect.stringMatching(/^SMTP_URL must be set: SURETY_ROLES leaves out api, /)]);
    expect(problemsOf({ ...apart, SMTP_URL: 'smtp://mail.example:25' })).toEqual([]);
    expect(problemsOf({ ...servers, ...common })).toEqual([]);
  });

  test('reports every shared setting that separate roles lack', () => {
    expect(problemsOf({ ...servers, SMTP_URL: 'smtp://mail.example:25', SURETY_ROLES: 'api,mailer' })).toEqual(
      ['SURETY_SECRET', 'SURETY_ADMIN_KEY', 'PUBLIC_URL'].map((name) =>
        expect.stringMatching(
          new RegExp(`^${name} must be set: SURETY_ROLES leaves out projector, relay, scheduler, `),
        ),
      ),
    );
  });

  test('rejects separate roles in a data folder', () => {
    expect(problemsOf({ ...common, SURETY_ROLES: 'api' })).toEqual([
      expect.stringMatching(/, KAFKA_BROKERS must be set: SURETY_ROLES leaves out .* all roles run in one process\.$/),
    ]);
  });
});

describe('Kafka with users and TLS', () => {
  const sasl = { KAFKA_SASL: 'scram-sha-512', KAFKA_USERNAME: 'surety', KAFKA_PASSWORD: 'a hidden word' };

  test('is read from the settings', () => {
    expect(readSettings({ ...servers, KAFKA_SSL: 'on', ...sasl }).servers?.kafka.security).toEqual({
      tls: true,
      login: { mechanism: 'scram-sha-512', username: 'surety', password: 'a hidden word' },
    });
  });

  test.each([
    ['a user without a password', { ...sasl, KAFKA_PASSWORD: '' }, /^KAFKA_SASL, KAFKA_USERNAME and KAFKA_PASSWORD /],
    ['a password without a mechanism', { ...sasl, KAFKA_SASL: '' }, /^KAFKA_SASL, KAFKA_USERNAME and KAFKA_PASSWORD /],
    ['another mechanism', { ...sasl, KAFKA_SASL: 'gssapi' }, /^KAFKA_SASL must be one of: plain, /],
    ['neither on nor off', { KAFKA_SSL: 'true' }, /^KAFKA_SSL must be on or off/],
  ])('rejects %s, without the password in the message', (_case, settings, sentence) => {
    const problems = problemsOf(settings);
    expect(problems).toEqual([expect.stringMatching(sentence)]);
    expect(problems.join()).not.toContain('hidden');
  });
});

describe('OpenID Connect', () => {
  const complete = {
    OIDC_ISSUER: 'https://accounts.example/realms/house',
    OIDC_CLIENT_ID: 'surety',
    OIDC_CLIENT_SECRET: 'a hidden word',
    PUBLIC_URL: 'https://surety.example/',
  };

  test('is read from the settings', () => {
    expect(readSettings(complete).openId).toEqual({
      issuer: 'https://accounts.example/realms/house',
      clientId: 'surety',
      clientSecret: 'a hidden word',
      trustsEmail: false,
      publicUrl: 'https://surety.example',
    });
    expect(readSettings({ ...complete, OIDC_ISSUER: 'http://127.0.0.1:8080' }).openId).toBeDefined();
    expect(readSettings({ PUBLIC_URL: 'https://surety.example' }).openId).toBeUndefined();
  });

  test.each([
    ['no public address', { PUBLIC_URL: '' }, /and PUBLIC_URL must be set together/],
    ['no client', { OIDC_CLIENT_ID: '' }, /and PUBLIC_URL must be set together/],
    ['an issuer elsewhere without TLS', { OIDC_ISSUER: 'http://accounts.example' }, /^OIDC_ISSUER must be a URL /],
    ['neither on nor off', { OIDC_TRUST_EMAIL: 'yes' }, /^OIDC_TRUST_EMAIL must be on or off/],
  ])('rejects %s, without the secret in the message', (_case, settings, sentence) => {
    const problems = problemsOf({ ...complete, ...settings });
    expect(problems).toEqual([expect.stringMatching(sentence)]);
    expect(problems.join()).not.toContain('hidden');
  });
});

describe('the admin key', () => {
  const platform = formatKey('platform', 'ABCDEFGHIJKL', new Uint8Array(20).fill(7));
  const merchant = formatKey('live', 'ABCDEFGHIJKL', new Uint8Array(20).fill(7));

  test('accepts a platform key or a long secret', () => {
    expect(readSettings({ SURETY_ADMIN_KEY: platform }).adminKey).toBe(platform);
    expect(readSettings({ SURETY_ADMIN_KEY: 'a'.repeat(32) }).adminKey).toBe('a'.repeat(32));
  });

  test.each([
    ['a short secret', 'a'.repeat(31)],
    ['a mistyped key', `${platform.slice(0, -1)}${platform.endsWith('0') ? '1' : '0'}`],
    ['a merchant key', merchant],
    ['a secret that no header can carry', `${'a'.repeat(40)} ü`],
  ])('rejects %s without showing it', (_case, key) => {
    const problems = problemsOf({ SURETY_ADMIN_KEY: key, SURETY_SECRET: 'short' });
    expect(problems).toHaveLength(2);
    expect(problems.join()).not.toContain(key);
    expect(problems.join()).not.toContain('"short"');
  });
});

test.each([
  [{}, 'http://127.0.0.1:3000'],
  [{ HOST: '0.0.0.0', PORT: '8080' }, 'http://localhost:8080'],
  [{ HOST: '::' }, 'http://localhost:3000'],
  [{ HOST: '::1' }, 'http://[::1]:3000'],
  [{ HOST: '0.0.0.0', PUBLIC_URL: 'https://api.example' }, 'https://api.example'],
])('schemas of public events are, with %j, under %s', (variables: Record<string, string>, origin) => {
  expect(schemaOrigin(readSettings(variables))).toBe(origin);
});
