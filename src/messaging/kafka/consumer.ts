import { setTimeout as pause } from 'node:timers/promises';
import type { EachBatchPayload, Kafka, KafkaMessage } from 'kafkajs';
import type { ConsumeOptions, JobConsumer } from '../messaging.ts';
import { FEW_RETRIES, type KafkaLog, reasonOf } from './client.ts';
import { GroupMember } from './group-member.ts';

export interface ConsumerOptions extends ConsumeOptions {
  readonly kafka: Kafka;
  readonly topic: string;
  readonly group: string;
  readonly sessionTimeoutMs: number;
  readonly log?: KafkaLog | undefined;
}

const FIRST_PAUSE_MS = 200;
const LONGEST_PAUSE_MS = 5_000;
/** How long a broker may wait for messages before it answers a fetch; heartbeats go out in between. */
const FETCH_WAIT_MS = 500;
const REBALANCE_WITHIN_MS = 30_000;
/** A member that has had no reply from Kafka for that long is reported; after a while more it is replaced. */
const SILENT_AFTER_MS = 20_000;
const DEAD_AFTER_MS = 45_000;
const CHECK_EVERY_MS = 1_000;
/** Ids of Surety are shorter. kafkajs takes minutes over the partition of a key of a megabyte. */
const LONGEST_ID_BYTES = 200;

/**
 * Joins the consumer group of a queue. Whenever kafkajs gives up, a new member takes its place: after some errors kafkajs leaves
 * a live process with a dead consumer.
 */
export function startConsumer(options: ConsumerOptions): JobConsumer {
  const stopping = new AbortController();
  let failure: string | undefined = 'has not joined its consumer group yet';
  let failures = 0;
  let current: Member | undefined;
  /** Why the last member ended: the same reason again is not logged. */
  let logged: string | undefined;

  const joined = (): void => {
    failure = undefined;
    failures = 0;
    logged = undefined;
  };
  const keepConsuming = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      current = new Member(options, stopping.signal, joined);
      try {
        await current.consume();
      } catch (error) {
        const reason = reasonOf(error);
        failure = `receives no messages and tries again (${reason})`;
        if (reason !== logged)
          options.log?.warn(
            { topic: options.topic, reason },
            'The consumer of a queue receives no messages and tries again',
          );
        logged = reason;
      }
      await current.end();
      const pauseMs = Math.min(FIRST_PAUSE_MS * 2 ** failures, LONGEST_PAUSE_MS);
      failures += 1;
      await pause(pauseMs, undefined, { signal: stopping.signal }).catch(() => undefined);
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

/** One member of the group, from its start to its end. */
class Member {
  readonly #options: ConsumerOptions;
  readonly #signal: AbortSignal;
  readonly #member: GroupMember;
  #heardAt = performance.now();
  #inProgress: Promise<void> = Promise.resolve();
  #hasEnded = false;

  constructor(options: ConsumerOptions, signal: AbortSignal, joined: () => void) {
    const { kafka, group, sessionTimeoutMs } = options;
    this.#options = options;
    this.#signal = signal;
    const consumer = kafka.consumer({
      groupId: group,
      allowAutoTopicCreation: false,
      sessionTimeout: sessionTimeoutMs,
      heartbeatInterval: sessionTimeoutMs / 5,
      rebalanceTimeout: REBALANCE_WITHIN_MS,
      maxWaitTimeInMs: FETCH_WAIT_MS,
      retry: { ...FEW_RETRIES, restartOnFailure: async () => await Promise.resolve(false) },
    });
    this.#member = new GroupMember(consumer);
    const { GROUP_JOIN, FETCH, HEARTBEAT } = consumer.events;
    const heard = (): void => {
      this.#heardAt = performance.now();
    };
    consumer.on(FETCH, heard);
    consumer.on(HEARTBEAT, heard);
    consumer.on(GROUP_JOIN, () => {
      heard();
      joined();
    });
  }

  check(): string | undefined {
    const silentMs = performance.now() - this.#heardAt;
    return silentMs >= SILENT_AFTER_MS
      ? `has had no reply from Kafka for ${Math.round(silentMs / 1_000)} s`
      : undefined;
  }

  /** Consumes until it is stopped. @throws what ended it before */
  async consume(): Promise<void> {
    const stopped = Promise.withResolvers<void>();
    const stop = (): void => stopped.resolve();
    this.#signal.addEventListener('abort', stop);
    const checking = setInterval(() => {
      if (performance.now() - this.#heardAt > DEAD_AFTER_MS) this.#member.fail(new Error('Kafka does not answer'));
    }, CHECK_EVERY_MS);
    try {
      const consuming = this.#member.consume(this.#options.topic, async (payload) => {
        const work = this.#take(payload);
        this.#inProgress = work.catch(() => undefined);
        await work;
      });
      await Promise.race([stopped.promise, consuming]);
    } finally {
      clearInterval(checking);
      this.#signal.removeEventListener('abort', stop);
    }
  }

  /** Waits for what is in progress, and then leaves the group. */
  async end(): Promise<void> {
    this.#hasEnded = true;
    await this.#inProgress;
    await this.#member.end();
  }

  /** Handles a batch and commits its offset whatever came of it. A batch that was left early comes again to another member. */
  async #take(payload: EachBatchPayload): Promise<void> {
    const { batch } = payload;
    const { topic, partition, messages } = batch;
    const { handle, concurrency, sessionTimeoutMs } = this.#options;
    let lost: Error | undefined;
    const beating = setInterval(() => {
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
      clearInterval(beating);
    }
    if (lost !== undefined) throw lost;
    if (this.#hasEnded || this.#signal.aborted) return;
    const next = String(BigInt(batch.lastOffset()) + 1n);
    await payload.commitOffsetsIfNecessary({ topics: [{ topic, partitions: [{ partition, offset: next }] }] });
  }
}

/** The id in the key of a message; undefined where another producer wrote none, or one that is no text. */
function idOf({ key }: Pick<KafkaMessage, 'key'>): string | undefined {
  if (key === null || key.length === 0 || key.length > LONGEST_ID_BYTES) return undefined;
  const text = key.toString();
  return Buffer.from(text).equals(key) ? text : undefined;
}
