import { expect, test } from '@jest/globals';
import { KafkaJSAggregateError, KafkaJSProtocolError } from 'kafkajs';
import { asUnavailable } from './client.ts';

test.each([
  ['TOPIC_AUTHORIZATION_FAILED', 'the topics surety.*'],
  ['GROUP_AUTHORIZATION_FAILED', 'the consumer groups surety.*'],
  ['CLUSTER_AUTHORIZATION_FAILED', 'to create topics'],
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
