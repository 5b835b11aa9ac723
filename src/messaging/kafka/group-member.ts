import type { Consumer, EachBatchHandler } from 'kafkajs';
import { untilDisconnected } from './client.ts';

/** A consumer of kafkajs in its group, from its beginning to its end, whenever that comes. */
export class GroupMember {
  readonly consumer: Consumer;
  readonly #over = Promise.withResolvers<never>();
  #hasEnded = false;

  constructor(consumer: Consumer) {
    this.consumer = consumer;
    // It may crash or be failed before a caller awaits it.
    this.#over.promise.catch(() => undefined);
    consumer.on(consumer.events.CRASH, ({ payload }) => this.fail(payload.error));
  }

  /**
   * Takes the batches of a topic from where the group is, else from the first message on. Never resolves.
   * @throws what ends it
   */
  async consume(topic: string, eachBatch: EachBatchHandler): Promise<never> {
    this.#begin(topic, eachBatch).catch((error: unknown) => this.fail(error));
    return await this.#over.promise;
  }

  /** It is over. */
  fail(error: unknown): void {
    this.#over.reject(error);
  }

  /** Leaves the group; also what was just beginning ends. */
  async end(): Promise<void> {
    this.#hasEnded = true;
    await this.#disconnect();
  }

  async #begin(topic: string, eachBatch: EachBatchHandler): Promise<void> {
    const steps = [
      async () => await this.consumer.connect(),
      async () => await this.consumer.subscribe({ topics: [topic], fromBeginning: true }),
      async () => await this.consumer.run({ autoCommit: false, eachBatch }),
    ];
    for (const step of steps) {
      await step();
      // kafkajs would go on: what ended it came before there was anything to end.
      if (this.#hasEnded) {
        await this.#disconnect();
        return;
      }
    }
  }

  async #disconnect(): Promise<void> {
    await untilDisconnected(this.consumer.disconnect());
  }
}
