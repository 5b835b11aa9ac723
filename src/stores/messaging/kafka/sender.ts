import { setTimeout as pause } from 'node:timers/promises';
import { type Kafka, type Message, Partitioners, type Producer } from 'kafkajs';
import { StoreUnavailable } from '../../shared/store-unavailable.ts';
import { asUnavailable, hasErrorType, NO_RETRIES } from './client.ts';
import { SharedConnection } from './shared-connection.ts';

export interface TopicBatch {
  readonly topic: string;
  readonly messages: Message[];
}

/** How long a broker waits for its replicas; less than the request timeout of kafkajs. */
const REPLICATION_TIMEOUT_MS = 8_000;
/**
 * Attempts when the leader of a partition has changed: a new producer finds the leader, and everything is sent again in
 * order.
 */
const MAX_ATTEMPTS = 5;
const PAUSE_MS = 100;
const LEADER_CHANGED = ['NOT_LEADER_FOR_PARTITION', 'LEADER_NOT_AVAILABLE', 'REPLICA_NOT_AVAILABLE'];

/**
 * A producer that is replaced after any error. Retries of kafkajs are off, because they may omit partitions whose
 * leader has changed meanwhile.
 */
export class Sender {
  readonly #connection: SharedConnection<Producer>;
  #closed = false;

  constructor(kafka: Kafka) {
    this.#connection = new SharedConnection(() =>
      kafka.producer({
        allowAutoTopicCreation: false,
        createPartitioner: Partitioners.DefaultPartitioner,
        idempotent: false,
        maxInFlightRequests: 1,
        retry: NO_RETRIES,
      }),
    );
  }

  /** Resolves when all in-sync replicas have every message. @throws {StoreUnavailable} when the outcome is unknown */
  async send(batches: TopicBatch[]): Promise<void> {
    const request = { acks: -1, timeout: REPLICATION_TIMEOUT_MS, topicMessages: batches };
    for (let attempt = 1; ; attempt++) {
      if (this.#closed) throw new StoreUnavailable('Kafka: closed');
      try {
        await this.#connection.use(async (producer) => await producer.sendBatch(request));
        return;
      } catch (error) {
        if (attempt === MAX_ATTEMPTS || !hasErrorType(error, LEADER_CHANGED)) throw asUnavailable(error);
        await pause(PAUSE_MS * attempt);
      }
    }
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.#connection.close();
  }
}
