import { describe, expect, test } from '@jest/globals';
import { type Kafka, Partitioners, type ProducerBatch, type ProducerConfig } from 'kafkajs';
import { StoreUnavailable } from '../../shared/store-unavailable.ts';
import { Sender, type TopicBatch } from './sender.ts';

const BATCHES: TopicBatch[] = [
  {
    topic: 't',
    messages: [
      { key: 'a', value: '1' },
      { key: 'a', value: '2' },
    ],
  },
  { topic: 'u', messages: [{ key: 'b', value: '3' }] },
];

/** The error of kafkajs when another broker leads a partition; it wraps the error of the broker. */
function refusal(type: string): Error {
  return new Error('given up', { cause: Object.assign(new Error('refused'), { type }) });
}

interface Fixture {
  readonly kafka: Kafka;
  readonly configs: ProducerConfig[];
  /** Sent batches with the number of the producer, from 1. */
  readonly sent: { readonly producerNumber: number; readonly batch: ProducerBatch }[];
  readonly disconnected: number[];
}

/** Creates a client whose producers fail with these errors, one after the other, before they send. */
function createFixture(...failures: readonly Error[]): Fixture {
  const remaining = [...failures];
  const configs: ProducerConfig[] = [];
  const sent: Fixture['sent'] = [];
  const disconnected: number[] = [];
  const producer = (config: ProducerConfig): object => {
    const producerNumber = configs.push(config);
    return {
      connect: async () => await Promise.resolve(),
      disconnect: async () => {
        disconnected.push(producerNumber);
        await Promise.resolve();
      },
      sendBatch: async (batch: ProducerBatch) => {
        const failure = remaining.shift();
        if (failure !== undefined) throw failure;
        sent.push({ producerNumber, batch });
        return await Promise.resolve([]);
      },
    };
  };
  return { kafka: { producer } as unknown as Kafka, configs, sent, disconnected };
}

describe('The sender', () => {
  test('waits for all in-sync replicas, sends one request at a time and creates no topic', async () => {
    const { kafka, configs, sent } = createFixture();
    await new Sender(kafka).send(BATCHES);
    expect(configs).toMatchObject([
      {
        allowAutoTopicCreation: false,
        createPartitioner: Partitioners.DefaultPartitioner,
        idempotent: false,
        maxInFlightRequests: 1,
        retry: { retries: 0 },
      },
    ]);
    expect(sent).toMatchObject([{ producerNumber: 1, batch: { acks: -1, topicMessages: BATCHES } }]);
  });

  test.each(['NOT_LEADER_FOR_PARTITION', 'LEADER_NOT_AVAILABLE', 'REPLICA_NOT_AVAILABLE'])(
    'sends everything again with a new producer when the leader has changed (%s)',
    async (type) => {
      const { kafka, sent, disconnected } = createFixture(refusal(type), refusal(type));
      const sender = new Sender(kafka);
      await sender.send(BATCHES);
      expect(sent).toMatchObject([{ producerNumber: 3, batch: { topicMessages: BATCHES } }]);
      await sender.close();
      expect(disconnected).toEqual([1, 2, 3]);
    },
  );

  test('fails after five attempts without a leader', async () => {
    const { kafka, configs, sent } = createFixture(...Array.from({ length: 9 }, () => refusal('LEADER_NOT_AVAILABLE')));
    await expect(new Sender(kafka).send(BATCHES)).rejects.toThrow(StoreUnavailable);
    expect(configs).toHaveLength(5);
    expect(sent).toEqual([]);
  });

  test('does not retry after other errors, and uses a new producer next time', async () => {
    const { kafka, sent, disconnected } = createFixture(refusal('NOT_ENOUGH_REPLICAS'));
    const sender = new Sender(kafka);
    await expect(sender.send(BATCHES)).rejects.toThrow('Kafka: refused');
    expect(sent).toEqual([]);
    await sender.send(BATCHES);
    expect(sent).toMatchObject([{ producerNumber: 2 }]);
    expect(disconnected).toEqual([1]);
  });

  test('neither connects nor sends after it was closed', async () => {
    const { kafka, configs } = createFixture();
    const sender = new Sender(kafka);
    await sender.close();
    await expect(sender.send(BATCHES)).rejects.toThrow('closed');
    expect(configs).toEqual([]);
  });
});
