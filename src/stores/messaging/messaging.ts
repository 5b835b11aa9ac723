/** A message in a job queue. It holds only the job id; the consumer loads the job from the event log. */
export interface JobMessage {
  /** Undefined when the message has no id, because another producer wrote it. */
  readonly jobId: string | undefined;
  /** Location of the message for log lines; on Kafka: partition and offset. */
  readonly location: Readonly<Record<string, string | number>>;
}

export interface ConsumeOptions {
  /** Called with every message at least once. The message is committed when it returns or throws. */
  readonly handle: (message: JobMessage, signal: AbortSignal) => Promise<void>;
  readonly concurrency: number;
}

export interface JobConsumer {
  /** Returns why no messages are received; undefined while they are. */
  readonly check: () => string | undefined;
  /** Stops receiving, aborts the signal of the messages in flight, and resolves when those are handled. */
  readonly stop: () => Promise<void>;
}

/**
 * Queues that carry job ids from the process that requests a job to the processes that execute it.
 *
 * A queue is not a record of jobs: a message may be lost (an in-memory queue restarts, a topic is recreated) or
 * delivered again. The event log has the open jobs, so jobs that no consumer took are published again.
 *
 * Guarantees, checked by `test/ports/messaging.suite.ts` for every adapter:
 * - while the queue exists, every published id reaches a consumer at least once;
 * - several consumers of one queue share its messages;
 * - a consumer that stops finishes the messages in flight and receives no more.
 */
export interface JobQueues {
  /** @throws {StoreUnavailable} when the outcome is unknown; publishing the ids again is safe */
  publish(queue: string, jobIds: readonly string[]): Promise<void>;
  consume(queue: string, options: ConsumeOptions): JobConsumer;
  ping(): Promise<void>;
  /** Call it after the consumers were stopped. */
  close(): Promise<void>;
}

export interface TopicPlan {
  readonly topic: string;
  readonly partitions: number;
  readonly replication: number;
  /** Whether an existing topic may delete old messages. A new topic never does. Default: no. */
  readonly mayExpire?: boolean;
}

/** Existing topics differ from their plans. The message has a sentence for each difference, for the operator. */
export class TopicMismatch extends Error {
  override readonly name = 'TopicMismatch';
}

export interface PublicMessage {
  readonly topic: string;
  /** Messages with the same key keep their order. */
  readonly key: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly value: string;
}

/**
 * Topics of public events.
 *
 * Guarantee: when `publish` resolves, every message is durable, and the messages of each key are in the given order
 * after those published before. After an error or a kill any of the messages may have been written, each after its
 * predecessors of the same key. A caller that then publishes the same messages again, from the first that was not
 * acknowledged, repeats some of them but never changes the order of the first occurrences.
 */
export interface PublicEvents {
  /**
   * Wait for each call before the next.
   * @throws {StoreUnavailable} when the outcome is unknown: publish the same messages again
   */
  publish(messages: readonly PublicMessage[]): Promise<void>;
  findMissing(topics: readonly string[]): Promise<readonly string[]>;
  close(): Promise<void>;
}
