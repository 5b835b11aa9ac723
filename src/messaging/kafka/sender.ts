import { setTimeout as pause } from 'node:timers/promises';
import { type Kafka, type Message, Partitioners, type Producer } from 'kafkajs';
import { StoreUnavailable } from '../../event-store/event-store.ts';
import { asUnavailable, NO_RETRIES, untilDisconnected } from './client.ts';

/** Messages for one topic, in their order. */
export interface TopicBatch {
  readonly topic: string;
  readonly messages: Message[];
}

/** How long the broker may wait for its replicas; less than kafkajs waits for the broker. */
const REPLICATE_WITHIN_MS = 8_000;
/** Another broker leads a partition by now: a new producer asks which, and everything is sent again, in its order. */
const TRIES = 5;
const PAUSE_MS = 100;
const LEADS_ELSEWHERE: ReadonlySet<string> = new Set([
  'NOT_LEADER_FOR_PARTITION',
  'LEADER_NOT_AVAILABLE',
  'REPLICA_NOT_AVAILABLE',
]);

/**
 * A producer that is thrown away after any error and made anew by the next use. kafkajs itself tries nothing again: its
 * second try may leave out what another broker leads by then.
 */
export class Sender {
  readonly #kafka: Kafka;
  #producer: Promise<Producer> | undefined;
  #closed = false;

  constructor(kafka: Kafka) {
    this.#kafka = kafka;
  }

  /** Resolves when every message is with all replicas that are in sync. @throws {StoreUnavailable} when it is not known */
  async send(batches: TopicBatch[]): Promise<void> {
    for (let tries = 1; ; tries++) {
      try {
        await this.#sendOnce(batches);
        return;
      } catch (error) {
        if (tries === TRIES || !leadsElsewhere(error)) throw asUnavailable(error);
        await pause(PAUSE_MS * tries);
      }
    }
  }

  async close(): Promise<void> {
    this.#closed = true;
    if (this.#producer !== undefined) await untilDisconnected(disconnect(this.#producer));
  }

  async #sendOnce(batches: TopicBatch[]): Promise<void> {
    if (this.#closed) throw new StoreUnavailable('Kafka: closed');
    const connecting = (this.#producer ??= this.#connect());
    try {
      const producer = await connecting;
      await producer.sendBatch({ acks: -1, timeout: REPLICATE_WITHIN_MS, topicMessages: batches });
    } catch (error) {
      this.#discard(connecting);
      throw error;
    }
  }

  async #connect(): Promise<Producer> {
    const producer = this.#kafka.producer({
      allowAutoTopicCreation: false,
      createPartitioner: Partitioners.DefaultPartitioner,
      idempotent: false,
      maxInFlightRequests: 1,
      retry: NO_RETRIES,
    });
    await producer.connect();
    return producer;
  }

  #discard(connecting: Promise<Producer>): void {
    if (this.#producer === connecting) this.#producer = undefined;
    void untilDisconnected(disconnect(connecting));
  }
}

/** Whether the brokers have answered that others lead: soon they all know. */
function leadsElsewhere(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { type } = error as Error & { readonly type?: string };
  return LEADS_ELSEWHERE.has(type ?? '') || leadsElsewhere(error.cause);
}

async function disconnect(connecting: Promise<Producer>): Promise<void> {
  const producer = await connecting;
  await producer.disconnect();
}
