import { expect, test } from '@jest/globals';
import { KafkaJSAggregateError, KafkaJSProtocolError } from 'kafkajs';
import { asUnavailable } from './client.ts';

test('reports the reason of the first topic that the brokers refuse to create', () => {
  const refused = new KafkaJSProtocolError({
    message: 'Replication factor is larger than the number of brokers',
  } as never);
  const error = new KafkaJSAggregateError('Topic creation errors', [refused]);
  expect(asUnavailable(error).message).toBe('Kafka: Replication factor is larger than the number of brokers');
});
