/** A message for everybody who subscribes to a topic. */
export interface PublicMessage {
  readonly topic: string;
  /** Messages of one key stay in their order. */
  readonly key: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Text as it is sent, in UTF-8. */
  readonly value: string;
}

/**
 * Topics of public events, each a log that keeps the messages of one key in their order.
 *
 * Guarantee: when `publish` resolves, every message is durable, and those of one key stand in the order in which they were
 * given, behind everything that was published before. Nothing more is promised: after an error, and after a kill, any of the
 * messages may be there, each behind its predecessors of the same key. Whoever then publishes the same messages again, from the
 * first that was not answered, repeats some but never changes the order of the first occurrences.
 */
export interface PublicEvents {
  /** One call at a time: the next one waits until the last was answered. @throws {StoreUnavailable} publish the same again */
  publish(messages: readonly PublicMessage[]): Promise<void>;
  /** Returns those of the topics that do not exist. @throws {StoreUnavailable} */
  findMissing(topics: readonly string[]): Promise<readonly string[]>;
  close(): Promise<void>;
}
