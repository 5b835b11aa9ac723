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
 * Guarantee: when `publish` resolves, every message is durable, and the messages of each key are in the given order after those
 * published before. After an error or a kill any of the messages may have been written, each after its predecessors of the same key.
 * A caller that then publishes the same messages again, from the first that was not acknowledged, repeats some of them but never
 * changes the order of the first occurrences.
 */
export interface PublicEvents {
  /** Wait for each call before the next. @throws {StoreUnavailable} when the outcome is unknown: publish the same messages again */
  publish(messages: readonly PublicMessage[]): Promise<void>;
  findMissing(topics: readonly string[]): Promise<readonly string[]>;
  close(): Promise<void>;
}
