import { resolve } from 'node:path';
import { unknownSettings } from './names.ts';
import { readSecretFiles } from './secret-files.ts';
import { environment, type ProcessRole, ROLES, SECRET_SETTINGS, type Values } from './values.ts';

export { type ProcessRole, ROLES, SASL_MECHANISMS } from './values.ts';

const SERVER_SETTINGS = ['EVENTSTORE_URL', 'MONGODB_URL', 'KAFKA_BROKERS'] as const;

const KAFKA_LOGIN_SETTINGS = ['KAFKA_SASL', 'KAFKA_USERNAME', 'KAFKA_PASSWORD'] as const;

/** Settings that processes with separate roles must share. A single process has defaults for them. */
const SHARED_SETTINGS = ['SURETY_SECRET', 'SURETY_ADMIN_KEY', 'PUBLIC_URL'] as const;

export type Settings = Readonly<ReturnType<typeof settingsOf>>;

export type KafkaSecurity = Settings['kafkaSecurity'];

export class InvalidSettings extends Error {
  override readonly name = 'InvalidSettings';
  readonly problems: readonly string[];
  constructor(problems: readonly string[]) {
    super(problems.join('\n'));
    this.problems = problems;
  }
}

/**
 * Reads the settings from environment variables, and secrets from the files that `NAME_FILE` names. An empty variable counts as not set.
 * @throws {InvalidSettings}
 */
export function readSettings(variables: Readonly<Record<string, string | undefined>>): Settings {
  const given = Object.fromEntries(
    Object.entries(variables).filter((entry): entry is [string, string] => entry[1] !== undefined && entry[1] !== ''),
  );
  const { variables: values, problems: fileProblems } = readSecretFiles(given);
  const parsed = environment.safeParse(values);
  const problems = [...unknownSettings(given), ...fileProblems];
  if (!parsed.success) {
    const names = new Set(parsed.error.issues.map((issue) => issue.path[0] as keyof Values));
    problems.push(...[...names].map((name) => invalidValue(name, values)));
  }
  // A password file that cannot be read is one problem, not two.
  const isComplete = parsed.success && fileProblems.length === 0;
  if (isComplete && loginOf(parsed.data) === undefined && KAFKA_LOGIN_SETTINGS.some((name) => name in values)) {
    problems.push(
      `${KAFKA_LOGIN_SETTINGS.slice(0, 2).join(', ')} and ${KAFKA_LOGIN_SETTINGS[2]} must be set together, or none of them.`,
    );
  }
  if (!parsed.success || problems.length > 0) throw new InvalidSettings(problems);
  const roleProblems = separateRoleProblems(parsed.data, values);
  if (roleProblems.length > 0) throw new InvalidSettings(roleProblems);
  return settingsOf(parsed.data);
}

export function hasSeparateRoles({ roles }: Pick<Settings, 'roles'>): boolean {
  return ROLES.some((role) => !roles.includes(role));
}

type ServerSettings = Pick<Settings, 'eventStoreUrl' | 'mongoUrl' | 'kafkaBrokers'>;

export function hasEmbeddedStore(settings: ServerSettings): boolean {
  return serversNotSet(settings).length > 0;
}

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

/** Returns the address under which public events locate their schemas. It follows from the settings alone, so that an event is always the same. */
export function schemaOrigin({ publicUrl, host, port }: Pick<Settings, 'publicUrl' | 'host' | 'port'>): string {
  const name = host === '0.0.0.0' || host === '::' ? 'localhost' : host;
  return publicUrl ?? `http://${name.includes(':') ? `[${name}]` : name}:${port}`;
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

function settingsOf(values: Values) {
  return {
    host: values.HOST,
    /** 0: any free port. */
    port: values.PORT,
    /** Without a trailing slash; undefined: the origin of each request. */
    publicUrl: values.PUBLIC_URL,
    /** Absolute path of the data folder. */
    dataFolder: resolve(values.SURETY_DATA),
    adminKey: values.SURETY_ADMIN_KEY,
    roles: values.SURETY_ROLES as readonly ProcessRole[],
    secret: values.SURETY_SECRET,
    /** Undefined: the option of the command line decides. */
    sample: values.SURETY_SAMPLE === undefined ? undefined : values.SURETY_SAMPLE === 'on',
    supportEmail: values.SUPPORT_EMAIL,
    /** May contain a password. Undefined: the log is in the data folder. */
    eventStoreUrl: values.EVENTSTORE_URL,
    /** May contain a password. Undefined: read models and records are in the data folder. */
    mongoUrl: values.MONGODB_URL,
    /** Each `host:port`. Undefined: the job queue is in memory, and no public events are sent. */
    kafkaBrokers: values.KAFKA_BROKERS as readonly string[] | undefined,
    /** With TLS the broker must have a certificate for its name that Node trusts (`NODE_EXTRA_CA_CERTS` adds authorities). */
    kafkaSecurity: { tls: values.KAFKA_SSL === 'on', login: loginOf(values) },
    /** May contain a password. Undefined: mails are written as files to the outbox in the data folder. */
    smtpUrl: values.SMTP_URL,
    mailFrom: values.MAIL_FROM,
    /** Requests per second for a merchant's key; undefined: no limit. */
    rateLimit: values.RATE_LIMIT,
    maxConnections: values.MAX_CONNECTIONS,
    /** Proxies whose `X-Forwarded-*` headers are trusted: a value of Express's `trust proxy`. */
    trustProxy: values.TRUST_PROXY,
    logLevel: values.LOG_LEVEL,
  };
}

function loginOf({ KAFKA_SASL: mechanism, KAFKA_USERNAME: username, KAFKA_PASSWORD: password }: Values) {
  if (mechanism === undefined || username === undefined || password === undefined) return undefined;
  return { mechanism, username, password };
}

function invalidValue(name: keyof Values, set: Readonly<Record<string, string>>): string {
  const mustBe = `must be ${environment.shape[name].description}`;
  if (!SECRET_SETTINGS.includes(name)) return `${name} ${mustBe}; it is ${JSON.stringify(set[name])}.`;
  const file = set[`${name}_FILE`];
  return `${name}${file === undefined ? '' : ` in ${file}`} ${mustBe}.`;
}

function separateRoleProblems({ SURETY_ROLES }: Values, set: Readonly<Record<string, unknown>>): readonly string[] {
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
