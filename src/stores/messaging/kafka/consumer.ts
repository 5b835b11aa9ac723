import type { Consumer, EachBatchPayload, Kafka, KafkaMessage } from 'kafkajs';
import { backOff, pauseUnlessAborted, unlessAborted } from '../../shared/timing.ts';
import type { ConsumeOptions, JobConsumer } from '../messaging.ts';
import { FEW_RETRIES, type KafkaLog, reasonOf, untilDisconnected } from './client.ts';

export interface ConsumerOptions extends ConsumeOptions {
  readonly kafka: Kafka;
  readonly topic: string;
  readonly group: string;
  readonly sessionTimeoutMs: number;
  readonly log?: KafkaLog | undefined;
}

/** How long a broker waits for messages before it answers a fetch; heartbeats are sent between fetches. */
const FETCH_WAIT_MS = 500;
const REBALANCE_TIMEOUT_MS = 30_000;
/** A member without a reply from Kafka for this long is reported as not ready. */
const SILENT_AFTER_MS = 20_000;
const DEAD_AFTER_MS = 45_000;
const CHECK_EVERY_MS = 1_000;
/** Longer keys are not job ids; kafkajs takes minutes to compute the partition of a key of 1 MB. */
const MAX_ID_BYTES = 200;

/**
 * Joins the consumer group of a queue and starts a new member whenever kafkajs gives up, because after some errors
 * kafkajs stops consuming without reporting it.
 */
export function startConsumer(options: ConsumerOptions): JobConsumer {
  const stopping = new AbortController();
  let failure: string | undefined = 'has not joined its consumer group yet';
  const pauses = backOff(200);
  let current: Member | undefined;
  /** Avoids logging the same reason for every new member. */
  let loggedReason: string | undefined;

  const joined = (): void => {
    failure = undefined;
    pauses.reset();
    loggedReason = undefined;
  };
  const keepConsuming = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      current = new Member(options, stopping.signal, joined);
      try {
        await current.consume();
      } catch (error) {
        const reason = reasonOf(error);
        failure = `receives no messages and will retry (${reason})`;
        if (reason !== loggedReason)
          options.log?.warn({ topic: options.topic, reason }, 'A consumer receives no messages and will retry');
        loggedReason = reason;
      }
      await current.end();
      await pauseUnlessAborted(pauses.next(), stopping.signal);
    }
  };
  const consuming = keepConsuming();
  return {
    check: () => failure ?? current?.check(),
    stop: async () => {
      stopping.abort();
      await consuming;
    },
  };
}

/** A member of the consumer group, which can be ended at any time, also while it connects. */
class Member {
  readonly #options: ConsumerOptions;
  readonly #signal: AbortSignal;
  readonly #consumer: Consumer;
  readonly #failed = Promise.withResolvers<never>();
  #lastReplyAt = performance.now();
  #inProgress: Promise<void> = Promise.resolve();
  #hasEnded = false;

  constructor(options: ConsumerOptions, signal: AbortSignal, joined: () => void) {
    const { kafka, group, sessionTimeoutMs } = options;
    this.#options = options;
    this.#signal = signal;
    this.#consumer = kafka.consumer({
      groupId: group,
      allowAutoTopicCreation: false,
      sessionTimeout: sessionTimeoutMs,
      heartbeatInterval: sessionTimeoutMs / 5,
      rebalanceTimeout: REBALANCE_TIMEOUT_MS,
      maxWaitTimeInMs: FETCH_WAIT_MS,
      retry: { ...FEW_RETRIES, restartOnFailure: async () => await Promise.resolve(false) },
    });
    // Prevents an unhandled rejection before `consume` is called.
    this.#failed.promise.catch(() => undefined);
    const { CRASH, GROUP_JOIN, FETCH, HEARTBEAT } = this.#consumer.events;
    this.#consumer.on(CRASH, ({ payload }) => this.#failed.reject(payload.error));
    const onReply = (): void => {
      this.#lastReplyAt = performance.now();
    };
    this.#consumer.on(FETCH, onReply);
    this.#consumer.on(HEARTBEAT, onReply);
    this.#consumer.on(GROUP_JOIN, () => {
      onReply();
      joined();
    });
  }

  check(): string | undefined {
    const silentMs = performance.now() - this.#lastReplyAt;
    return silentMs >= SILENT_AFTER_MS
      ? `has had no reply from Kafka for ${Math.round(silentMs / 1_000)} s`
      : undefined;
  }

  /**
   * Consumes from the committed offset of the group, or from the start, until the signal aborts.
   * @throws the error that ended the consumer
   */
  async consume(): Promise<void> {
    const checking = setInterval(() => {
      if (performance.now() - this.#lastReplyAt > DEAD_AFTER_MS)
        this.#failed.reject(new Error('Kafka does not answer'));
    }, CHECK_EVERY_MS);
    this.#start().catch((error: unknown) => this.#failed.reject(error));
    try {
      await unlessAborted(this.#failed.promise, this.#signal);
    } finally {
      clearInterval(checking);
    }
  }

  async end(): Promise<void> {
    this.#hasEnded = true;
    await this.#inProgress;
    await this.#disconnect();
  }

  async #start(): Promise<void> {
    const eachBatch = async (payload: EachBatchPayload): Promise<void> => {
      const work = this.#handleBatch(payload);
      this.#inProgress = work.catch(() => undefined);
      await work;
    };
    const steps = [
      async () => await this.#consumer.connect(),
      async () => await this.#consumer.subscribe({ topics: [this.#options.topic], fromBeginning: true }),
      async () => await this.#consumer.run({ autoCommit: false, eachBatch }),
    ];
    for (const step of steps) {
      await step();
      // `end` may have disconnected before this step connected again.
      if (this.#hasEnded) return await this.#disconnect();
    }
  }

  async #disconnect(): Promise<void> {
    await untilDisconnected(this.#consumer.disconnect());
  }

  /**
   * Handles a batch and commits its offset, whatever the results. A batch that is not finished is delivered to another
   * member.
   */
  async #handleBatch(payload: EachBatchPayload): Promise<void> {
    const { batch } = payload;
    const { topic, partition, messages } = batch;
    const { handle, concurrency, sessionTimeoutMs } = this.#options;
    let lost: Error | undefined;
    const heartbeat = setInterval(() => {
      payload.heartbeat().catch((error: Error) => (lost ??= error));
    }, sessionTimeoutMs / 5);
    const rest = messages.values();
    const worker = async (): Promise<void> => {
      for (const message of rest) {
        if (lost !== undefined || this.#hasEnded || this.#signal.aborted) return;
        const { offset } = message;
        await handle({ jobId: idOf(message), location: { partition, offset } }, this.#signal).catch(() => undefined);
      }
    };
    try {
      await Promise.all(Array.from({ length: concurrency }, worker));
    } finally {
      clearInterval(heartbeat);
    }
    if (lost !== undefined) throw lost;
    if (this.#hasEnded || this.#signal.aborted) return;
    const next = String(BigInt(batch.lastOffset()) + 1n);
    await payload.commitOffsetsIfNecessary({ topics: [{ topic, partitions: [{ partition, offset: next }] }] });
  }
}

/** Returns the id in the key of a message; undefined when another producer wrote no key or one that is not UTF-8. */
function idOf({ key }: Pick<KafkaMessage, 'key'>): string | undefined {
  if (key === null || key.length === 0 || key.length > MAX_ID_BYTES) return undefined;
  const text = key.toString();
  return Buffer.from(text).equals(key) ? text : undefined;
}
