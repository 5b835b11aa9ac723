import { SECRET_SETTINGS, SETTING_NAMES } from './values.ts';

/**
 * Variables of the command line (`src/cli/service.ts`) and of the tests of this repository, which are not settings of
 * the service.
 */
const OTHER_VARIABLES = ['SURETY_URL', 'SURETY_KEY', 'SURETY_BOOK', 'SURETY_TEST_COUNTS'];

const KNOWN_NAMES = [...SETTING_NAMES, ...SECRET_SETTINGS.map((name) => `${name}_FILE`)];

type Variables = Readonly<Record<string, string | undefined>>;

/**
 * Refuses unknown names that begin with `SURETY_`: a mistyped setting would have no effect. Returns one sentence for
 * each.
 */
export function unknownSettings(set: Variables): string[] {
  const known = KNOWN_NAMES.filter((name) => name.startsWith('SURETY_'));
  return Object.keys(set)
    .filter((name) => name.startsWith('SURETY_') && !known.includes(name) && !OTHER_VARIABLES.includes(name))
    .map((name) => `${name} is not a setting of Surety; the settings with this prefix are: ${known.join(', ')}.`);
}

/** Address or login of a server, by a name that Surety does not know, such as `MONGO_URI`. */
const SERVER_VARIABLE =
  /^(EVENTSTORE|ESDB|KURRENT|MONGO|KAFKA|SMTP)\w*_(URL|URI|DSN|STRING|HOSTS?|PORT|ADDRESS|SERVERS?|BROKERS?|USER|USERNAME|PASS|PASSWORD|MECHANISM|SASL|SSL|TLS)(_FILE)?$/;

/** Variables that Kubernetes sets for the services of a namespace. */
const OF_KUBERNETES = /_SERVICE_(HOST|PORT)$|_SERVICE_PORT_|_PORT_\d+_/;

/**
 * Returns the names that look like a setting but are none, and have no effect. Other programs may use them, so they are
 * not refused.
 */
export function lookalikes(variables: Variables): string[] {
  const similar = new Set(SETTING_NAMES.map(canonical));
  return Object.entries(variables)
    .filter(([name, value = '']) => value !== '' && !value.startsWith('tcp://') && !OF_KUBERNETES.test(name))
    .map(([name]) => name)
    .filter((name) => !KNOWN_NAMES.includes(name) && (SERVER_VARIABLE.test(name) || similar.has(canonical(name))));
}

/** Returns the name without what is easily mistaken: case, underscores, a plural, and `_FILE`. */
function canonical(name: string): string {
  return name
    .toUpperCase()
    .replace(/_FILE$/, '')
    .replaceAll('_', '')
    .replace(/S$/, '');
}
