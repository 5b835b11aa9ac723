import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { unknownSettings } from './names.ts';
import { environment, type ProcessRole, ROLES, SECRET_SETTINGS, type Values } from './values.ts';

export { type ProcessRole, ROLES, SASL_MECHANISMS } from './values.ts';

const SERVER_SETTINGS = ['EVENTSTORE_URL', 'MONGODB_URL', 'KAFKA_BROKERS'] as const;

const OIDC_SETTINGS = ['OIDC_ISSUER', 'OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET'] as const;

const KAFKA_LOGIN_SETTINGS = ['KAFKA_SASL', 'KAFKA_USERNAME', 'KAFKA_PASSWORD'] as const;

/** Settings that processes with separate roles must share. A single process has defaults for them. */
const SHARED_SETTINGS = ['SURETY_SECRET', 'SURETY_ADMIN_KEY', 'PUBLIC_URL'] as const;

export type Settings = Readonly<ReturnType<typeof settingsOf>>;

export class InvalidSettings extends Error {
  override readonly name = 'InvalidSettings';
  readonly problems: readonly string[];
  constructor(problems: readonly string[]) {
    super(problems.join('\n'));
    this.problems = problems;
  }
}

/**
 * Reads the settings from environment variables, and secrets from the files that `NAME_FILE` names. An empty variable
 * counts as not set.
 * @throws {InvalidSettings}
 */
export function readSettings(variables: Readonly<Record<string, string | undefined>>): Settings {
  const given = Object.fromEntries(
    Object.entries(variables).filter((entry): entry is [string, string] => entry[1] !== undefined && entry[1] !== ''),
  );
  const { variables: values, problems: fileProblems } = readSecretFiles(given);
  const parsed = environment.safeParse(values);
  const problems = [...unknownSettings(given), ...authoritiesProblem(given), ...fileProblems];
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
  if (isComplete && openIdOf(parsed.data) === undefined && OIDC_SETTINGS.some((name) => name in values))
    problems.push(`${OIDC_SETTINGS.join(', ')} and PUBLIC_URL must be set together, or none of the first three.`);
  const missing = SERVER_SETTINGS.filter((name) => !(name in values));
  if (isComplete && missing.length > 0 && missing.length < SERVER_SETTINGS.length)
    problems.push(serversMissing(missing));
  if (!parsed.success || problems.length > 0) throw new InvalidSettings(problems);
  const roleProblems = separateRoleProblems(parsed.data, values);
  if (roleProblems.length > 0) throw new InvalidSettings(roleProblems);
  return settingsOf(parsed.data);
}

export function hasSeparateRoles({ roles }: Pick<Settings, 'roles'>): boolean {
  return ROLES.some((role) => !roles.includes(role));
}

/** The addresses of the servers. */
export type Servers = NonNullable<Settings['servers']>;

/** Returns the addresses by the names of their settings. They may contain passwords. */
export function addressesOf({
  eventStoreUrl,
  mongoUrl,
  kafka,
}: Servers): Readonly<Record<(typeof SERVER_SETTINGS)[number], string>> {
  return { EVENTSTORE_URL: eventStoreUrl, MONGODB_URL: mongoUrl, KAFKA_BROKERS: kafka.brokers.join(',') };
}

/** Returns whether the roles use the job queue. The roles api, projector and scheduler work while Kafka is down. */
export function usesJobs({ roles }: Pick<Settings, 'roles'>): boolean {
  return roles.includes('relay') || roles.includes('mailer');
}

/** Returns whether the process sends public events, which requires Kafka. */
export function sendsPublicEvents({ roles, servers }: Pick<Settings, 'roles' | 'servers'>): boolean {
  return servers !== undefined && roles.includes('relay');
}

/**
 * Returns the address under which public events locate their schemas. It follows from the settings alone, so that an
 * event is always the same.
 */
export function schemaOrigin({ publicUrl, host, port }: Pick<Settings, 'publicUrl' | 'host' | 'port'>): string {
  const name = host === '0.0.0.0' || host === '::' ? 'localhost' : host;
  return publicUrl ?? `http://${name.includes(':') ? `[${name}]` : name}:${port}`;
}

/** Returns whether a service writes to the data folder: stores, secrets that are not set, or mails. */
export function writesToDataFolder({ servers, secret, adminKey, roles, smtpUrl }: Settings): boolean {
  const createsSecret = secret === undefined || adminKey === undefined;
  return servers === undefined || createsSecret || (roles.includes('mailer') && smtpUrl === undefined);
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
    /** Undefined: persons sign in with keys and tickets alone. */
    openId: openIdOf(values),
    /** Undefined: the stores are in the data folder, the job queue is in memory, and no public events are sent. */
    servers: serversOf(values),
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

function openIdOf(values: Values) {
  const { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId, OIDC_CLIENT_SECRET: clientSecret, PUBLIC_URL } = values;
  if (issuer === undefined || clientId === undefined || clientSecret === undefined || PUBLIC_URL === undefined)
    return undefined;
  return { issuer, clientId, clientSecret, trustsEmail: values.OIDC_TRUST_EMAIL === 'on', publicUrl: PUBLIC_URL };
}

function serversOf(values: Values) {
  const { EVENTSTORE_URL: eventStoreUrl, MONGODB_URL: mongoUrl, KAFKA_BROKERS: brokers, KAFKA_SSL: tls } = values;
  if (eventStoreUrl === undefined || mongoUrl === undefined || brokers === undefined) return undefined;
  return {
    /** May contain a password. */
    eventStoreUrl,
    /** May contain a password. */
    mongoUrl,
    kafka: {
      /** Each `host:port`. */
      brokers: brokers as readonly string[],
      /**
       * With TLS the broker must have a certificate for its name that Node trusts (`NODE_EXTRA_CA_CERTS` adds
       * authorities).
       */
      security: { tls: tls === 'on', login: loginOf(values) },
    },
  };
}

function serversMissing(names: readonly string[]): string {
  const are = names.length === 1 ? 'is' : 'are';
  return `${names.join(' and ')} ${are} not set: set ${SERVER_SETTINGS.join(', ')}, or none of them to keep everything in the data folder.`;
}

/** Node reads this file itself; where it cannot, it trusts no certificate of these authorities. */
function authoritiesProblem({ NODE_EXTRA_CA_CERTS: file }: Readonly<Record<string, string>>): readonly string[] {
  if (file === undefined) return [];
  try {
    void new X509Certificate(readFileSync(file));
    return [];
  } catch (error) {
    return [`NODE_EXTRA_CA_CERTS cannot be read: ${(error as Error).message}.`];
  }
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
  if (!('MONGODB_URL' in set)) {
    const embedded = 'in a data folder all roles run in one process';
    return [`${SERVER_SETTINGS.join(', ')} must be set: ${reason}, and ${embedded}.`];
  }
  const shared = 'processes with separate roles must share it';
  const problems = SHARED_SETTINGS.filter((name) => !(name in set)).map(
    (name) => `${name} must be set: ${reason}, and ${shared}.`,
  );
  if (!SURETY_ROLES.includes('mailer') || 'SMTP_URL' in set) return problems;
  const lost = 'a separate mailer would write mails to files in its data folder';
  return [...problems, `SMTP_URL must be set: ${reason}, and ${lost}.`];
}

type Variables = Readonly<Record<string, string>>;

/**
 * Reads each secret setting whose file is named by `NAME_FILE`, as containers get secrets. The line break at the end of
 * the file is not part of the secret.
 * @returns the variables with the secrets, and one sentence for each problem
 */
function readSecretFiles(given: Variables): {
  readonly variables: Variables;
  readonly problems: readonly string[];
} {
  const variables: Record<string, string> = { ...given };
  const problems: string[] = [];
  for (const name of SECRET_SETTINGS) {
    const file = given[`${name}_FILE`];
    if (file === undefined) continue;
    if (name in given) {
      problems.push(`${name} and ${name}_FILE are both set: leave out one of them.`);
      delete variables[name];
      continue;
    }
    try {
      const secret = readFileSync(file, 'utf8').replace(/\r?\n$/, '');
      if (secret === '') problems.push(`${name}_FILE names an empty file: ${file}.`);
      else variables[name] = secret;
    } catch (error) {
      problems.push(`${name}_FILE cannot be read: ${(error as Error).message}.`);
    }
  }
  return { variables, problems };
}
