import { resolve } from 'node:path';
import express from 'express';
import { z } from 'zod';
import { parseKey } from './domain/api-key/key-format.ts';

/** Roles of a process. */
export const ROLES = ['api', 'projector', 'relay', 'mailer', 'scheduler'] as const;
export type Role = (typeof ROLES)[number];

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;

export const SASL_MECHANISMS = ['plain', 'scram-sha-256', 'scram-sha-512'] as const;

const MIN_SECRET_LENGTH = 32;

/** Settings that replace embedded stores with servers. */
const SERVER_SETTINGS = ['EVENTSTORE_URL', 'MONGODB_URL', 'KAFKA_BROKERS'] as const;

const KAFKA_LOGIN_SETTINGS = ['KAFKA_SASL', 'KAFKA_USERNAME', 'KAFKA_PASSWORD'] as const;

/** Settings that processes with separate roles must share. A single process has defaults for them. */
const SHARED_SETTINGS = ['SURETY_SECRET', 'SURETY_ADMIN_KEY', 'PUBLIC_URL'] as const;

/** Variables of the command line (`src/cli/service.ts`) and of the tests of this repository, which are not settings of the service. */
const OTHER_VARIABLES = ['SURETY_URL', 'SURETY_KEY', 'SURETY_BOOK', 'SURETY_TEST_COUNTS'];

const port = z
  .string()
  .regex(/^\d{1,5}$/)
  .transform(Number)
  .refine((value) => value <= 65_535);

const publicUrl = z.string().refine((text) => {
  const url = URL.parse(text);
  return url !== null && /^https?:$/.test(url.protocol) && url.search === '' && url.hash === '' && url.username === '';
});

const smtpUrl = z.string().refine((text) => {
  const url = URL.parse(text);
  return url !== null && /^smtps?:$/.test(url.protocol) && url.hostname !== '';
});

/** An address, or a name with the address in angle brackets. */
const mailFrom = z.string().refine((text) => {
  const address = /^[^<>\p{Cc}]*<([^<>\s]+)>$/u.exec(text)?.[1] ?? text;
  return z.email().safeParse(address).success;
});

// The drivers validate the rest when they connect.
const eventStoreUrl = z.string().regex(/^esdb(\+discover)?:\/\/[^\s/?]+\S*$/);
const mongoUrl = z.string().regex(/^mongodb(\+srv)?:\/\/[^\s/?]+\S*$/);

const brokers = z
  .string()
  .transform((list) => list.split(',').map((broker) => broker.trim()))
  .pipe(z.array(z.string().regex(/^(\[[0-9a-fA-F:.]+\]|[^\s:/@]+):\d{1,5}$/)));

const upToMillion = z
  .string()
  .regex(/^\d{1,6}$/)
  .transform(Number)
  .refine((value) => value >= 1);

/** Value of Express's setting `trust proxy`; Express validates addresses and subnets. */
const trustProxy = z
  .string()
  .transform((text) => (/^(true|false)$/.test(text) ? text === 'true' : /^\d+$/.test(text) ? Number(text) : text))
  .refine((value) => typeof value !== 'number' || value < 1_000)
  .refine((value) => {
    try {
      express().set('trust proxy', value);
      return true;
    } catch {
      return false;
    }
  });

const roles = z
  .string()
  .transform((list) => list.split(',').map((name) => name.trim()))
  .pipe(z.array(z.enum(ROLES)))
  .transform((list) => [...new Set(list)]);

const environment = z.object({
  HOST: z.string().regex(/^\S+$/).default('127.0.0.1'),
  PORT: port.default(3000),
  PUBLIC_URL: publicUrl.transform((url) => url.replace(/\/+$/, '')).optional(),
  SURETY_DATA: z.string().default('./data'),
  SURETY_ADMIN_KEY: z.string().refine(isAdminKey).optional(),
  SURETY_ROLES: roles.default([...ROLES]),
  SURETY_SECRET: z.string().min(MIN_SECRET_LENGTH).optional(),
  SURETY_SAMPLE: z.enum(['on', 'off']).optional(),
  SUPPORT_EMAIL: z.email().optional(),
  EVENTSTORE_URL: eventStoreUrl.optional(),
  MONGODB_URL: mongoUrl.optional(),
  KAFKA_BROKERS: brokers.optional(),
  KAFKA_SSL: z.enum(['on', 'off']).default('off'),
  KAFKA_SASL: z.enum(SASL_MECHANISMS).optional(),
  KAFKA_USERNAME: z.string().optional(),
  KAFKA_PASSWORD: z.string().optional(),
  SMTP_URL: smtpUrl.optional(),
  MAIL_FROM: mailFrom.optional(),
  RATE_LIMIT: upToMillion.optional(),
  MAX_CONNECTIONS: upToMillion.default(1_000),
  TRUST_PROXY: trustProxy.default(false),
  LOG_LEVEL: z.enum(LOG_LEVELS).default('info'),
});

export const SETTING_NAMES = Object.keys(environment.shape);

/** Describes valid values in error messages. */
const MUST_BE: Record<keyof z.infer<typeof environment>, string> = {
  HOST: 'a host name or an address',
  PORT: 'a whole number from 0 to 65535',
  PUBLIC_URL: 'a URL that begins with http:// or https:// and ends with its path',
  SURETY_DATA: 'a folder',
  SURETY_ADMIN_KEY: `a key that begins with sk_platform_, or any other secret of at least ${MIN_SECRET_LENGTH} visible ASCII characters`,
  SURETY_ROLES: `a comma list out of: ${ROLES.join(', ')}`,
  SURETY_SECRET: `at least ${MIN_SECRET_LENGTH} characters long`,
  SURETY_SAMPLE: 'on or off',
  SUPPORT_EMAIL: 'an e-mail address',
  EVENTSTORE_URL: 'a URL that begins with esdb:// and names a host',
  MONGODB_URL: 'a URL that begins with mongodb:// or mongodb+srv:// and names a host',
  KAFKA_BROKERS: 'a comma list of host:port',
  KAFKA_SSL: 'on or off',
  KAFKA_SASL: `one of: ${SASL_MECHANISMS.join(', ')}`,
  KAFKA_USERNAME: 'a name',
  KAFKA_PASSWORD: 'a password',
  SMTP_URL: 'a URL that begins with smtp:// or smtps:// and names a host',
  MAIL_FROM: 'an e-mail address, or a name followed by one in angle brackets',
  RATE_LIMIT: 'a whole number of requests a second, from 1 to 999999',
  MAX_CONNECTIONS: 'a whole number of connections, from 1 to 999999',
  TRUST_PROXY:
    'true, false, a number of proxies, or a comma list of addresses, subnets, loopback, linklocal and uniquelocal',
  LOG_LEVEL: `one of: ${LOG_LEVELS.join(', ')}`,
};

/** Settings whose values are never logged or shown. */
const SECRET_SETTINGS: ReadonlySet<string> = new Set([
  'SURETY_ADMIN_KEY',
  'SURETY_SECRET',
  'SMTP_URL',
  'EVENTSTORE_URL',
  'MONGODB_URL',
  'KAFKA_PASSWORD',
]);

/** Security of the connections to Kafka. */
export interface KafkaSecurity {
  /** With TLS the broker must have a certificate for its name that Node trusts (`NODE_EXTRA_CA_CERTS` adds authorities). */
  readonly tls: boolean;
  /** Undefined: no authentication. */
  readonly login:
    | {
        readonly mechanism: (typeof SASL_MECHANISMS)[number];
        readonly username: string;
        readonly password: string;
      }
    | undefined;
}

/** Settings of the process, read from environment variables once, at startup. */
export interface Settings {
  readonly host: string;
  /** 0: any free port. */
  readonly port: number;
  /** Without a trailing slash; undefined: the origin of each request. */
  readonly publicUrl: string | undefined;
  /** Absolute path of the data folder. */
  readonly dataFolder: string;
  readonly adminKey: string | undefined;
  readonly roles: readonly Role[];
  readonly secret: string | undefined;
  /** Undefined: the option of the command line decides. */
  readonly sample: boolean | undefined;
  readonly supportEmail: string | undefined;
  /** May contain a password. Undefined: the log is in the data folder. */
  readonly eventStoreUrl: string | undefined;
  /** May contain a password. Undefined: read models and records are in the data folder. */
  readonly mongoUrl: string | undefined;
  /** Each `host:port`. Undefined: the job queue is in memory, and no public events are sent. */
  readonly kafkaBrokers: readonly string[] | undefined;
  readonly kafkaSecurity: KafkaSecurity;
  /** May contain a password. Undefined: mails are written as files to the outbox in the data folder. */
  readonly smtpUrl: string | undefined;
  readonly mailFrom: string | undefined;
  /** Requests per second for a merchant's key; undefined: no limit. */
  readonly rateLimit: number | undefined;
  /** Maximum number of open connections; additional ones are refused. */
  readonly maxConnections: number;
  /** Proxies whose `X-Forwarded-*` headers are trusted: a value of Express's `trust proxy`. */
  readonly trustProxy: boolean | number | string;
  readonly logLevel: (typeof LOG_LEVELS)[number];
}

/** Settings are missing, invalid or contradictory. */
export class InvalidSettings extends Error {
  override readonly name = 'InvalidSettings';
  /** One message per problem. */
  readonly problems: readonly string[];
  constructor(problems: readonly string[]) {
    super(problems.join('\n'));
    this.problems = problems;
  }
}

/**
 * Reads the settings from environment variables. An empty variable counts as not set.
 * @throws {InvalidSettings}
 */
export function readSettings(variables: Readonly<Record<string, string | undefined>>): Settings {
  const set = Object.fromEntries(Object.entries(variables).filter(([, value]) => value !== undefined && value !== ''));
  const parsed = environment.safeParse(set);
  const problems = [...unknownSettings(set)];
  if (!parsed.success) {
    const names = new Set(parsed.error.issues.map((issue) => issue.path[0] as keyof typeof MUST_BE));
    problems.push(...[...names].map((name) => invalidValue(name, set[name])));
  }
  if (parsed.success && loginOf(parsed.data) === undefined && KAFKA_LOGIN_SETTINGS.some((name) => name in set)) {
    problems.push(
      `${KAFKA_LOGIN_SETTINGS.slice(0, 2).join(', ')} and ${KAFKA_LOGIN_SETTINGS[2]} must be set together, or none of them.`,
    );
  }
  if (!parsed.success || problems.length > 0) throw new InvalidSettings(problems);
  const roleProblems = separateRoleProblems(parsed.data, set);
  if (roleProblems.length > 0) throw new InvalidSettings(roleProblems);
  return settingsOf(parsed.data);
}

/** Returns whether other processes have some of the roles. */
export function hasSeparateRoles({ roles }: Pick<Settings, 'roles'>): boolean {
  return ROLES.some((role) => !roles.includes(role));
}

type ServerSettings = Pick<Settings, 'eventStoreUrl' | 'mongoUrl' | 'kafkaBrokers'>;

/** Returns whether any store of the installation is in the data folder. */
export function hasEmbeddedStore(settings: ServerSettings): boolean {
  return serversNotSet(settings).length > 0;
}

/** Returns whether all stores are in the data folder. */
export function hasNoServer(settings: ServerSettings): boolean {
  return serversNotSet(settings).length === SERVER_SETTINGS.length;
}

/** Returns the addresses of servers that are set, by the names of their settings. */
export function addressesOf({
  eventStoreUrl,
  mongoUrl,
  kafkaBrokers,
}: ServerSettings): Readonly<Record<string, string>> {
  return {
    ...(eventStoreUrl === undefined ? {} : { EVENTSTORE_URL: eventStoreUrl }),
    ...(mongoUrl === undefined ? {} : { MONGODB_URL: mongoUrl }),
    ...(kafkaBrokers === undefined ? {} : { KAFKA_BROKERS: kafkaBrokers.join(',') }),
  };
}

/** Returns the names of the servers' settings that are not set. */
export function serversNotSet(settings: ServerSettings): readonly string[] {
  const addresses = addressesOf(settings);
  return SERVER_SETTINGS.filter((name) => !(name in addresses));
}

/** Lists the server settings that are set and those that are not, as a clause for messages; undefined when all or none are set. */
export function describeServers(settings: ServerSettings): string | undefined {
  const set = Object.keys(addressesOf(settings));
  const others = serversNotSet(settings);
  if (set.length === 0 || others.length === 0) return undefined;
  const are = (names: readonly string[]): string => `${names.join(' and ')} ${names.length === 1 ? 'is' : 'are'}`;
  return `${are(set)} set, ${are(others)} not`;
}

/** Returns whether the roles use the job queue. The roles api, projector and scheduler work while Kafka is down. */
export function usesJobs({ roles }: Pick<Settings, 'roles'>): boolean {
  return roles.includes('relay') || roles.includes('mailer');
}

/** Returns whether the process sends public events, which requires Kafka. */
export function sendsPublicEvents({ roles, kafkaBrokers }: Pick<Settings, 'roles' | 'kafkaBrokers'>): boolean {
  return kafkaBrokers !== undefined && roles.includes('relay');
}

/** Returns whether the process uses a store in the data folder, which only one process may do at a time. */
export function needsFolderLock(settings: Settings): boolean {
  const { eventStoreUrl, mongoUrl, kafkaBrokers } = settings;
  return eventStoreUrl === undefined || mongoUrl === undefined || (kafkaBrokers === undefined && usesJobs(settings));
}

/** Returns whether a service writes to the data folder: stores, secrets that are not set, or mails. */
export function writesToDataFolder(settings: Settings): boolean {
  const { secret, adminKey, roles, smtpUrl } = settings;
  const createsSecret = secret === undefined || adminKey === undefined;
  return needsFolderLock(settings) || createsSecret || (roles.includes('mailer') && smtpUrl === undefined);
}

function settingsOf(values: z.infer<typeof environment>): Settings {
  return {
    host: values.HOST,
    port: values.PORT,
    publicUrl: values.PUBLIC_URL,
    dataFolder: resolve(values.SURETY_DATA),
    adminKey: values.SURETY_ADMIN_KEY,
    roles: values.SURETY_ROLES,
    secret: values.SURETY_SECRET,
    sample: values.SURETY_SAMPLE === undefined ? undefined : values.SURETY_SAMPLE === 'on',
    supportEmail: values.SUPPORT_EMAIL,
    eventStoreUrl: values.EVENTSTORE_URL,
    mongoUrl: values.MONGODB_URL,
    kafkaBrokers: values.KAFKA_BROKERS,
    kafkaSecurity: { tls: values.KAFKA_SSL === 'on', login: loginOf(values) },
    smtpUrl: values.SMTP_URL,
    mailFrom: values.MAIL_FROM,
    rateLimit: values.RATE_LIMIT,
    maxConnections: values.MAX_CONNECTIONS,
    trustProxy: values.TRUST_PROXY,
    logLevel: values.LOG_LEVEL,
  };
}

/** Returns the login; undefined when a part of it is missing. */
function loginOf({
  KAFKA_SASL: mechanism,
  KAFKA_USERNAME: username,
  KAFKA_PASSWORD: password,
}: z.infer<typeof environment>): KafkaSecurity['login'] {
  if (mechanism === undefined || username === undefined || password === undefined) return undefined;
  return { mechanism, username, password };
}

/** Text with the prefix of keys must be a valid platform key, so that a mistyped or merchant's key is not used as a secret. */
function isAdminKey(text: string): boolean {
  if (text.startsWith('sk_')) return parseKey(text)?.kind === 'platform';
  return new RegExp(`^[\\x21-\\x7e]{${MIN_SECRET_LENGTH},512}$`).test(text);
}

function invalidValue(name: keyof typeof MUST_BE, value: string | undefined): string {
  const actual = SECRET_SETTINGS.has(name) ? '' : `; it is ${JSON.stringify(value)}`;
  return `${name} must be ${MUST_BE[name]}${actual}.`;
}

/** Reports unknown names, because a mistyped setting would have no effect. */
function unknownSettings(set: Readonly<Record<string, unknown>>): string[] {
  const knownNames = new Set([...Object.keys(MUST_BE), ...OTHER_VARIABLES]);
  const unknown = Object.keys(set).filter((name) => name.startsWith('SURETY_') && !knownNames.has(name));
  const all = [...knownNames].filter((name) => name.startsWith('SURETY_') && !OTHER_VARIABLES.includes(name));
  return unknown.map(
    (name) => `${name} is not a setting of Surety; the settings with this prefix are: ${all.join(', ')}.`,
  );
}

/** Returns the problems of a process that has only some of the roles. */
function separateRoleProblems(
  { SURETY_ROLES }: z.infer<typeof environment>,
  set: Readonly<Record<string, unknown>>,
): readonly string[] {
  const missing = ROLES.filter((role) => !SURETY_ROLES.includes(role));
  if (missing.length === 0) return [];
  const reason = `SURETY_ROLES leaves out ${missing.join(', ')}`;
  const embedded = SERVER_SETTINGS.filter((name) => !(name in set));
  if (embedded.length > 0) {
    return [`${embedded.join(', ')} must be set: ${reason}, and on embedded stores all roles run in one process.`];
  }
  const shared = 'processes with separate roles must share it';
  const problems = SHARED_SETTINGS.filter((name) => !(name in set)).map(
    (name) => `${name} must be set: ${reason}, and ${shared}.`,
  );
  if (!SURETY_ROLES.includes('mailer') || 'SMTP_URL' in set) return problems;
  const lost = 'a separate mailer would write mails to files in its data folder';
  return [...problems, `SMTP_URL must be set: ${reason}, and ${lost}.`];
}
