import { resolve } from 'node:path';
import express from 'express';
import { z } from 'zod';
import { parseKey } from './domain/api-key/key-format.ts';

/** The work a process can do. */
export const ROLES = ['api', 'projector', 'relay', 'mailer', 'scheduler'] as const;
export type Role = (typeof ROLES)[number];

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;

/** How a user of Kafka is known. */
export const SASL_MECHANISMS = ['plain', 'scram-sha-256', 'scram-sha-512'] as const;

/** A secret shorter than this can be guessed. */
const SHORTEST_SECRET = 32;

/** Without them the store that is built in is used. */
const OF_SERVERS = ['EVENTSTORE_URL', 'MONGODB_URL', 'KAFKA_BROKERS'] as const;

/** What a user of Kafka is told by. */
const LOGIN = ['KAFKA_SASL', 'KAFKA_USERNAME', 'KAFKA_PASSWORD'] as const;

/** What several processes must have in common, and one process makes for itself. */
const IN_COMMON = ['SURETY_SECRET', 'SURETY_ADMIN_KEY', 'PUBLIC_URL'] as const;

/** Names beginning with SURETY_ that are no settings of the service: the tests of this repository read them. */
const OF_THE_TESTS = ['SURETY_BOOK', 'SURETY_TEST_COUNTS'];

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

/** A driver reads the rest of it when it connects. */
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

/** A value of Express's setting `trust proxy`; Express itself judges addresses and subnets. */
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
  SURETY_SECRET: z.string().min(SHORTEST_SECRET).optional(),
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

/** What each setting must be, in the words of the sentence that stops the start. */
const MUST_BE: Record<keyof z.infer<typeof environment>, string> = {
  HOST: 'a host name or an address',
  PORT: 'a whole number from 0 to 65535',
  PUBLIC_URL: 'a URL that begins with http:// or https:// and ends with its path',
  SURETY_DATA: 'a folder',
  SURETY_ADMIN_KEY: `a key that begins with sk_platform_, or any other secret of at least ${SHORTEST_SECRET} visible ASCII characters`,
  SURETY_ROLES: `a comma list out of: ${ROLES.join(', ')}`,
  SURETY_SECRET: `at least ${SHORTEST_SECRET} characters long`,
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

/** Their values never stand in a sentence, a log or a message. */
const SECRET: ReadonlySet<string> = new Set([
  'SURETY_ADMIN_KEY',
  'SURETY_SECRET',
  'SMTP_URL',
  'EVENTSTORE_URL',
  'MONGODB_URL',
  'KAFKA_PASSWORD',
]);

/** How brokers are spoken to. */
export interface KafkaSecurity {
  /** The broker must show a certificate for its name that Node trusts (`NODE_EXTRA_CA_CERTS` names further authorities). */
  readonly tls: boolean;
  /** Undefined: as nobody. */
  readonly login:
    | {
        readonly mechanism: (typeof SASL_MECHANISMS)[number];
        readonly username: string;
        readonly password: string;
      }
    | undefined;
}

/** Everything that can be set from outside; read once, at the start. */
export interface Settings {
  readonly host: string;
  /** 0: any free port. */
  readonly port: number;
  /** Without a slash at its end; undefined: the origin of each request. */
  readonly publicUrl: string | undefined;
  /** Absolute path of the data folder. */
  readonly dataFolder: string;
  readonly adminKey: string | undefined;
  readonly roles: readonly Role[];
  readonly secret: string | undefined;
  /** Undefined: as the command line says. */
  readonly sample: boolean | undefined;
  readonly supportEmail: string | undefined;
  /** May carry a password. Undefined: the log lies in the data folder. */
  readonly eventStoreUrl: string | undefined;
  /** May carry a password. Undefined: read models and records lie in the data folder. */
  readonly mongoUrl: string | undefined;
  /** Each `host:port`. Undefined: job ids are carried in memory, and there are no public events. */
  readonly kafkaBrokers: readonly string[] | undefined;
  readonly kafkaSecurity: KafkaSecurity;
  /** May carry a password. Undefined: mails become files in the outbox of the data folder. */
  readonly smtpUrl: string | undefined;
  readonly mailFrom: string | undefined;
  /** Requests a second for a merchant's key; undefined: as many as it likes. */
  readonly rateLimit: number | undefined;
  /** Connections at a time; further ones are refused. */
  readonly maxConnections: number;
  /** Proxies that may say which protocol and host a client used; a value of Express's `trust proxy`. */
  readonly trustProxy: boolean | number | string;
  readonly logLevel: (typeof LOG_LEVELS)[number];
}

/** Settings that cannot be. `sentences` has one for each. */
export class WrongSettings extends Error {
  override readonly name = 'WrongSettings';
  readonly sentences: readonly string[];
  constructor(sentences: readonly string[]) {
    super(sentences.join('\n'));
    this.sentences = sentences;
  }
}

/**
 * Reads the settings from environment variables. An empty variable counts as not set.
 * @throws {WrongSettings}
 */
export function readSettings(variables: Readonly<Record<string, string | undefined>>): Settings {
  const given = Object.fromEntries(
    Object.entries(variables).filter(([, value]) => value !== undefined && value !== ''),
  );
  const parsed = environment.safeParse(given);
  const sentences = [...unknownSettings(given)];
  if (!parsed.success) {
    const names = new Set(parsed.error.issues.map((issue) => issue.path[0] as keyof typeof MUST_BE));
    sentences.push(...[...names].map((name) => wrongValue(name, given[name])));
  }
  if (parsed.success && loginOf(parsed.data) === undefined && LOGIN.some((name) => name in given)) {
    sentences.push(`${LOGIN.slice(0, 2).join(', ')} and ${LOGIN[2]} must be set together, or none of them.`);
  }
  if (!parsed.success || sentences.length > 0) throw new WrongSettings(sentences);
  const apart = whyNotApart(parsed.data, given);
  if (apart.length > 0) throw new WrongSettings(apart);
  return settingsOf(parsed.data);
}

/** Whether the settings leave roles to other processes. */
export function rolesAreApart({ roles }: Pick<Settings, 'roles'>): boolean {
  return ROLES.some((role) => !roles.includes(role));
}

type ServerSettings = Pick<Settings, 'eventStoreUrl' | 'mongoUrl' | 'kafkaBrokers'>;

/** Whether some store lies in the data folder, whatever the roles. */
export function hasEmbeddedStore(settings: ServerSettings): boolean {
  return serversNotSet(settings).length > 0;
}

/** Whether every store lies in the data folder. */
export function hasNoServer(settings: ServerSettings): boolean {
  return serversNotSet(settings).length === OF_SERVERS.length;
}

/** The addresses of servers by the names of their settings; without those that are not set. */
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

/** The names of the servers' settings that are not set. */
export function serversNotSet(settings: ServerSettings): readonly string[] {
  const addresses = addressesOf(settings);
  return OF_SERVERS.filter((name) => !(name in addresses));
}

/** Which of the servers are set and which are not, as the rest of a sentence; undefined where all or none are. */
export function serversInForce(settings: ServerSettings): string | undefined {
  const set = Object.keys(addressesOf(settings));
  const others = serversNotSet(settings);
  if (set.length === 0 || others.length === 0) return undefined;
  const are = (names: readonly string[]): string => `${names.join(' and ')} ${names.length === 1 ? 'is' : 'are'}`;
  return `${are(set)} set, ${are(others)} not`;
}

/** An api, a projector and a scheduler need no jobs, and work while Kafka is down. */
export function usesJobs({ roles }: Pick<Settings, 'roles'>): boolean {
  return roles.includes('relay') || roles.includes('mailer');
}

/** Without a broker there are no public events. */
export function sendsPublicEvents({ roles, kafkaBrokers }: Pick<Settings, 'roles' | 'kafkaBrokers'>): boolean {
  return kafkaBrokers !== undefined && roles.includes('relay');
}

/** Whether a process of these roles has a store in the data folder, so that it alone can work on it. */
export function worksInFolder(settings: Settings): boolean {
  const { eventStoreUrl, mongoUrl, kafkaBrokers } = settings;
  return eventStoreUrl === undefined || mongoUrl === undefined || (kafkaBrokers === undefined && usesJobs(settings));
}

/** Whether a process that serves keeps anything in the data folder: a store, a secret that it was not told, or mails. */
export function keepsInFolder(settings: Settings): boolean {
  const { secret, adminKey, roles, smtpUrl } = settings;
  const ownSecret = secret === undefined || adminKey === undefined;
  return worksInFolder(settings) || ownSecret || (roles.includes('mailer') && smtpUrl === undefined);
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

/** Undefined when a part of it is missing. */
function loginOf({
  KAFKA_SASL: mechanism,
  KAFKA_USERNAME: username,
  KAFKA_PASSWORD: password,
}: z.infer<typeof environment>): KafkaSecurity['login'] {
  if (mechanism === undefined || username === undefined || password === undefined) return undefined;
  return { mechanism, username, password };
}

/** What looks like a key must be a whole one of the platform: a mistyped or a merchant's key is no secret by accident. */
function isAdminKey(text: string): boolean {
  if (text.startsWith('sk_')) return parseKey(text)?.kind === 'platform';
  return new RegExp(`^[\\x21-\\x7e]{${SHORTEST_SECRET},512}$`).test(text);
}

function wrongValue(name: keyof typeof MUST_BE, value: string | undefined): string {
  const shown = SECRET.has(name) ? '' : `; it is ${JSON.stringify(value)}`;
  return `${name} must be ${MUST_BE[name]}${shown}.`;
}

/** A mistyped name would otherwise be a setting without effect. */
function unknownSettings(given: Readonly<Record<string, unknown>>): string[] {
  const known = new Set([...Object.keys(MUST_BE), ...OF_THE_TESTS]);
  const unknown = Object.keys(given).filter((name) => name.startsWith('SURETY_') && !known.has(name));
  const all = [...known].filter((name) => name.startsWith('SURETY_') && !OF_THE_TESTS.includes(name));
  return unknown.map((name) => `${name} is no setting of Surety; those that begin so are: ${all.join(', ')}.`);
}

/** A sentence for each thing in the way of roles in processes of their own. */
function whyNotApart(
  { SURETY_ROLES }: z.infer<typeof environment>,
  given: Readonly<Record<string, unknown>>,
): readonly string[] {
  const missing = ROLES.filter((role) => !SURETY_ROLES.includes(role));
  if (missing.length === 0) return [];
  const told = `SURETY_ROLES leaves out ${missing.join(', ')}`;
  const embedded = OF_SERVERS.filter((name) => !(name in given));
  if (embedded.length > 0) {
    return [`${embedded.join(', ')} must be set: ${told}, and on embedded stores all roles run in one process.`];
  }
  const why = 'roles in processes of their own must have it in common';
  const sentences = IN_COMMON.filter((name) => !(name in given)).map(
    (name) => `${name} must be set: ${told}, and ${why}.`,
  );
  if (!SURETY_ROLES.includes('mailer') || 'SMTP_URL' in given) return sentences;
  const lost = 'a mailer in a process of its own would put mails into a folder where nobody looks';
  return [...sentences, `SMTP_URL must be set: ${told}, and ${lost}.`];
}
