/** A message that asks for a job to be done. It carries the id alone; the consumer looks the job up in the event log. */
export interface JobMessage {
  /** Undefined when the message has no id: another producer wrote it. */
  readonly jobId: string | undefined;
  /** Where the message is, for the log: on Kafka partition and offset. */
  readonly location: Readonly<Record<string, string | number>>;
}

export interface ConsumeOptions {
  /** Called with every message, with some more than once. The message is done when it ends, also when it throws. */
  readonly handle: (message: JobMessage, signal: AbortSignal) => Promise<void>;
  /** How many messages are handled at the same time. */
  readonly concurrency: number;
}

/** One consumer of a queue. After a failure it connects again by itself. */
export interface JobConsumer {
  /** Why it receives no messages at the moment; undefined when it does. */
  readonly check: () => string | undefined;
  /** Takes no more messages, aborts the signal of those in progress, and resolves when they have ended. */
  readonly stop: () => Promise<void>;
}

/**
 * Queues that carry job ids from the process that requests a job to one of those that do it.
 *
 * A queue is no register: a message may be lost (a restart of a queue in memory, a recreated topic) and may come more than once.
 * The event log knows what is open, so jobs that no consumer took up are published again.
 *
 * Guarantees, checked by `test/ports/messaging.suite.ts` for every adapter:
 * - while the queue exists, every published id reaches a consumer at least once;
 * - several consumers of one queue share its messages;
 * - a consumer that stops ends what is in progress and takes nothing more.
 */
export interface JobQueues {
  /** @throws {StoreUnavailable} when it is not known whether the messages are there; publishing them again is safe */
  publish(queue: string, jobIds: readonly string[]): Promise<void>;
  consume(queue: string, options: ConsumeOptions): JobConsumer;
  /** Resolves when the queue answers. @throws {StoreUnavailable} */
  ping(): Promise<void>;
  /** Stop the consumers before. */
  close(): Promise<void>;
}
