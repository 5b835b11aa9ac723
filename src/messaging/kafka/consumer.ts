import { setTimeout as pause } from 'node:timers/promises';
import type { Batch, EachBatchPayload, Kafka, KafkaMessage, OffsetsByTopicPartition } from 'kafkajs';
import type { JobConsumer } from '../messaging.ts';
import { FEW_RETRIES, type KafkaLog, reasonOf } from './client.ts';
import { GroupMember } from './group-member.ts';
import { HandOver, type HandOverOptions } from './hand-over.ts';
import { recordOf } from './job-record.ts';

export interface ConsumerOptions extends HandOverOptions {
  readonly kafka: Kafka;
  readonly topic: string;
  readonly group: string;
  readonly sessionTimeoutMs: number;
  readonly log?: KafkaLog | undefined;
}

const FIRST_PAUSE_MS = 200;
const LONGEST_PAUSE_MS = 5_000;
/** How long a broker may wait for news before it answers a fetch; heartbeats go out in between. */
const FETCH_WAIT_MS = 500;
const REBALANCE_WITHIN_MS = 30_000;
/** A consumer that was not heard of for that long is told to be dead, and after a while more it is made anew. */
const SILENT_AFTER_MS = 20_000;
const DEAD_AFTER_MS = 45_000;
const LOOK_AFTER_IT_MS = 1_000;
/** A topic may have become another one while nothing was heard of it for that long, several times what a fetch takes. */
const DOUBT_AFTER_MS = 2_000;

/**
 * A member of the queue's consumer group. Whenever kafkajs gives up, for whatever reason, a new one takes its place: kafkajs
 * itself leaves a live process with a dead consumer after some errors.
 */
export function startConsumer(options: ConsumerOptions): JobConsumer {
  const stopping = new AbortController();
  let failure: string | undefined = 'has not joined its consumer group yet';
  let failures = 0;
  let current: Member | undefined;
  /** Why it ended last: the same reason again is not logged. */
  let told: string | undefined;

  const joined = (): void => {
    failure = undefined;
    failures = 0;
    told = undefined;
  };
  const keepConsuming = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      current = new Member(options, joined);
      try {
        await current.consume(stopping.signal);
      } catch (error) {
        const reason = reasonOf(error);
        failure = `consumes no jobs and tries again (${reason})`;
        if (reason !== told)
          options.log?.warn({ topic: options.topic, reason }, 'The consumer of a queue takes no jobs and tries again');
        told = reason;
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
    open: () => (failure === undefined ? current?.open() : undefined),
    overdueMs: () => (failure === undefined ? current?.overdueMs() : undefined),
    stop: async () => {
      stopping.abort();
      await consuming;
    },
  };
}

/** One member of the group, from its beginning to its end. */
class Member {
  readonly #options: ConsumerOptions;
  readonly #member: GroupMember;
  readonly #handOver: HandOver;
  /** Partition → what was committed last. */
  readonly #committed = new Map<number, bigint>();
  readonly #readSoFar = new ReadSoFar();
  #assigned: readonly number[] = [];
  #heardAt = performance.now();
  #fetchedAt = performance.now();

  constructor(options: ConsumerOptions, joined: () => void) {
    const { kafka, topic, group, sessionTimeoutMs } = options;
    this.#options = options;
    this.#handOver = new HandOver(options);
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
    consumer.on(FETCH, ({ payload }) => {
      heard();
      const silentMs = Math.max(payload.duration, this.#heardAt - this.#fetchedAt);
      this.#fetchedAt = this.#heardAt;
      if (silentMs >= DOUBT_AFTER_MS) this.#readSoFar.doubt();
    });
    consumer.on(HEARTBEAT, heard);
    consumer.on(GROUP_JOIN, ({ payload }) => {
      heard();
      this.#committed.clear();
      this.#assigned = payload.memberAssignment[topic] ?? [];
      this.#readSoFar.rejoined();
      this.#handOver.assign(this.#assigned);
      joined();
    });
  }

  check(): string | undefined {
    const silentMs = performance.now() - this.#heardAt;
    if (silentMs >= SILENT_AFTER_MS) return `has not heard of Kafka for ${Math.round(silentMs / 1_000)} s`;
    return this.#handOver.failure();
  }

  open(): number {
    return this.#handOver.open();
  }

  overdueMs(): number {
    return this.#handOver.overdueMs();
  }

  /** Consumes until the signal aborts. @throws what ended it before */
  async consume(signal: AbortSignal): Promise<void> {
    const stopped = Promise.withResolvers<void>();
    const stop = (): void => stopped.resolve();
    signal.addEventListener('abort', stop);
    const lookAfterIt = setInterval(() => {
      if (performance.now() - this.#heardAt > DEAD_AFTER_MS) this.#member.fail(new Error('Kafka does not answer'));
    }, LOOK_AFTER_IT_MS);
    try {
      // A group whose offsets the broker has dropped after a long standstill reads everything again: the ends stand in it too.
      const consuming = this.#member.consume(this.#options.topic, async (payload) => await this.#take(payload));
      await Promise.race([stopped.promise, consuming]);
    } finally {
      clearInterval(lookAfterIt);
      signal.removeEventListener('abort', stop);
    }
  }

  /** Ends what is at hand, and then leaves the group. */
  async end(): Promise<void> {
    await this.#handOver.stop();
    await this.#member.end();
  }

  /** Waits for no job, however many a batch holds, so that heartbeats go on between batches as kafkajs sends them. */
  async #take(payload: EachBatchPayload): Promise<void> {
    const { batch } = payload;
    const { topic, partition, messages, highWatermark } = batch;
    const course = this.#readSoFar.take(batch);
    if (course.is === 'lost') return await this.#giveUp(payload, course.why);
    if (course.is === 'doubtful') {
      this.#member.consumer.seek({ topic, partition, offset: String(course.from) });
      return;
    }
    const records = messages.map((message) => [recordOf(message, partition), BigInt(message.offset)] as const);
    const level = BigInt(batch.lastOffset()) + 1n >= BigInt(highWatermark);
    this.#handOver.take(partition, records, level);
    // As long as only what was read before comes again, it is not sure that the topic is still the same.
    if (course.is === 'again') return;
    const lowWater = this.#handOver.lowWater(partition);
    if (lowWater === undefined || this.#committed.get(partition) === lowWater) return;
    // Every end of a job comes by here as a record, so nothing more has to be committed elsewhere.
    await this.#commit(payload, lowWater);
    this.#committed.set(partition, lowWater);
  }

  async #commit({ batch, commitOffsetsIfNecessary: commit }: Committing, to: bigint, ...also: number[]): Promise<void> {
    const partitions = [...new Set([batch.partition, ...also])].map((partition) => ({ partition, offset: String(to) }));
    await commit({ topics: [{ topic: batch.topic, partitions }] });
  }

  /**
   * Nothing holds that is known of the topic. What the group has committed may be about the old one, too, so whoever comes next
   * reads all partitions of this member from their beginning. @throws always, or kafkajs would read on
   */
  async #giveUp(payload: EachBatchPayload, why: string): Promise<never> {
    const lost = new Error(why);
    // At once: whatever is at hand is waited for, but nothing more is handed over.
    this.#member.fail(lost);
    // Refused when they are others' by now, who commit for themselves.
    await this.#commit(payload, 0n, ...this.#assigned).catch(() => undefined);
    throw lost;
  }
}

/** Of a batch, what it is committed by. */
interface Committing extends Pick<EachBatchPayload, 'batch'> {
  readonly commitOffsetsIfNecessary: (this: void, offsets?: OffsetsByTopicPartition) => Promise<void>;
}

/** How far one partition was read, and what the newest record was. */
interface ReadPartition {
  readonly next: bigint;
  readonly newest: string;
  /** Whether it is to be proven that the newest record is still there: `asked`, it was to come again already. */
  readonly proof: 'none' | 'needed' | 'asked';
}

/** What a batch is to what was read before. */
type Course =
  | { readonly is: 'on' | 'again' }
  | { readonly is: 'doubtful'; readonly from: bigint }
  | { readonly is: 'lost'; readonly why: string };

/**
 * What one member has read, to notice that the topic was deleted and made anew, or lost its end, while the member was frozen or
 * cut off: kafkajs then goes on with records whose offsets others had before, which would be passed over as known.
 *
 * A batch that was fetched before a rebalance is not mistaken for that: it has only records below its own high watermark, and
 * kafkajs takes no other batch of its partition until it is taken, so nothing was read that was fetched later. Only a new leader
 * may tell a mark that is too low, for moments; then the topic is read once more, and nothing is lost but time.
 */
class ReadSoFar {
  readonly #partitions = new Map<number, ReadPartition>();
  #lost: Course | undefined;

  /** Nothing was heard of the topic for a while: before it goes on, the newest record is to be seen once more. */
  doubt(): void {
    for (const [partition, read] of this.#partitions) this.#partitions.set(partition, { ...read, proof: 'needed' });
  }

  /** Reading goes on where the group is, and not where it was to: whatever was to come again has to be asked for again. */
  rejoined(): void {
    for (const [partition, read] of this.#partitions)
      if (read.proof === 'asked') this.#partitions.set(partition, { ...read, proof: 'needed' });
  }

  /** Once lost, it stays so. */
  take(batch: Batch): Course {
    if (this.#lost !== undefined) return this.#lost;
    const { topic, partition, messages, highWatermark } = batch;
    const [first, last] = [messages[0], messages.at(-1)];
    if (first === undefined || last === undefined) return { is: 'again' };
    const next = BigInt(last.offset) + 1n;
    const newest = markOf(last);
    const read = this.#partitions.get(partition);
    if (read === undefined) {
      this.#partitions.set(partition, { next, newest, proof: 'none' });
      return { is: 'on' };
    }
    const seen = messages.find(({ offset }) => BigInt(offset) + 1n === read.next);
    const follows = BigInt(first.offset) === read.next;
    const isOther = BigInt(highWatermark) < read.next || (seen !== undefined && markOf(seen) !== read.newest);
    if (isOther || (follows && read.proof === 'asked')) {
      const what = `${read.next} records of partition ${partition} had been read, and they are not there any more`;
      this.#lost = { is: 'lost', why: `the topic ${topic} was made anew or has lost records: ${what}` };
      return this.#lost;
    }
    if (follows && read.proof === 'needed') {
      this.#partitions.set(partition, { ...read, proof: 'asked' });
      return { is: 'doubtful', from: read.next - 1n };
    }
    if (next < read.next) return { is: 'again' };
    this.#partitions.set(partition, { next, newest, proof: 'none' });
    return { is: 'on' };
  }
}

/** What two records of the same offset do not have in common. */
function markOf({ timestamp, key }: KafkaMessage): string {
  return `${timestamp} ${String(key)}`;
}
