import { expect, test } from '@jest/globals';
import { KafkaJSAggregateError, KafkaJSProtocolError } from 'kafkajs';
import { asUnavailable, securityFor } from './client.ts';

test.each([
  ['TOPIC_AUTHORIZATION_FAILED', 'the topics surety.*'],
  ['GROUP_AUTHORIZATION_FAILED', 'Read on the consumer group surety.jobs.mail.v1'],
])('names the right that is missing for %s', (type, right) => {
  const error = new KafkaJSAggregateError('errors', [new KafkaJSProtocolError({ message: 'x', type } as never)]);
  expect(asUnavailable(error).message).toMatch(/^Kafka: the user of KAFKA_USERNAME lacks /);
  expect(asUnavailable(error).message).toContain(right);
});

test('reports the reason of the first topic that the brokers refuse to create', () => {
  const refused = new KafkaJSProtocolError({
    message: 'Replication factor is larger than the number of brokers',
  } as never);
  const error = new KafkaJSAggregateError('Topic creation errors', [refused]);
  expect(asUnavailable(error).message).toBe('Kafka: Replication factor is larger than the number of brokers');
});

const LOGIN = { mechanism: 'plain', username: 'surety', password: 'secret' } as const;

test('uses neither TLS nor SASL by default', () => {
  expect(securityFor(undefined)).toEqual({});
  expect(securityFor({ tls: false, login: undefined })).toEqual({});
});

test('passes TLS and user to kafkajs', () => {
  expect(securityFor({ tls: true, login: undefined })).toEqual({ ssl: true });
  expect(securityFor({ tls: true, login: LOGIN })).toEqual({ ssl: true, sasl: LOGIN });
});

test.each(['plain', 'scram-sha-256', 'scram-sha-512'] as const)('passes the mechanism %s to kafkajs', (mechanism) => {
  expect(securityFor({ tls: false, login: { ...LOGIN, mechanism } })).toEqual({ sasl: { ...LOGIN, mechanism } });
});
