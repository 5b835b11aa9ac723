import { expect, test } from '@jest/globals';
import { lookalikes, unknownSettings } from './names.ts';

const set = (names: readonly string[]): Record<string, string> => Object.fromEntries(names.map((name) => [name, 'x']));

test('names that are mistaken for a setting are found', () => {
  const names = [
    'MONGO_URL',
    'MONGO_URI',
    'MONGODB_CONNECTION_STRING',
    'KAFKA_BROKER',
    'KAFKA_BOOTSTRAP_SERVERS',
    'KAFKA_SASL_MECHANISM',
    'EVENTSTOREDB_URL',
    'KURRENTDB_URL',
    'SMTP_HOST',
    'PUBLICURL',
    'MAX_CONNECTION',
    'LOGLEVEL',
    'port',
    'PUBLIC_URL_FILE',
    'KAFKA_USERNAME_FILE',
  ];
  expect(lookalikes(set(names))).toEqual(names);
});

test('settings, and variables of other programs, are not', () => {
  const settings = ['KAFKA_BROKERS', 'MONGODB_URL', 'MONGODB_URL_FILE', 'SURETY_SECRET_FILE', 'PORT', 'SURETY_DATE'];
  const others = ['PATH', 'HOME', 'HOSTNAME', 'MAIL', 'KAFKA_HOME', 'KAFKA_HEAP_OPTS', 'EVENTSTORE_IMAGE'];
  const ofKubernetes = ['KAFKA_SERVICE_HOST', 'KAFKA_SERVICE_PORT', 'KAFKA_SERVICE_PORT_BROKER', 'KAFKA_PORT_9092_TCP'];
  expect(lookalikes(set([...settings, ...others, ...ofKubernetes]))).toEqual([]);
  expect(lookalikes({ KAFKA_PORT: 'tcp://10.0.0.1:9092', MONGO_URL: '' })).toEqual([]);
});

test('every unknown name with the prefix SURETY_ is refused', () => {
  const names = ['SURETY_DATE', 'SURETY_MONGODB_URL', 'SURETY_DATA_FILE', 'SURETY_SECRET_FILE', 'SURETY_URL'];
  expect(unknownSettings(set(names)).map((sentence) => sentence.split(' ')[0])).toEqual(names.slice(0, 3));
});
