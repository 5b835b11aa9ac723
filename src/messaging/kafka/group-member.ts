import type { Consumer, EachBatchHandler } from 'kafkajs';
import { untilDisconnected } from './client.ts';

/** A kafkajs consumer that can be ended at any time, also while it connects. */
export class GroupMember {
  readonly consumer: Consumer;
  readonly #failed = Promise.withResolvers<never>();
  #hasEnded = false;

  constructor(consumer: Consumer) {
    this.consumer = consumer;
    // Prevents an unhandled rejection before `consume` is called.
    this.#failed.promise.catch(() => undefined);
    consumer.on(consumer.events.CRASH, ({ payload }) => this.fail(payload.error));
  }

  /**
   * Consumes a topic from the committed offset of the group, or from the start when there is none. Never resolves.
   * @throws the error that ends it
   */
  async consume(topic: string, eachBatch: EachBatchHandler): Promise<never> {
    this.#start(topic, eachBatch).catch((error: unknown) => this.fail(error));
    return await this.#failed.promise;
  }

  fail(error: unknown): void {
    this.#failed.reject(error);
  }

  async end(): Promise<void> {
    this.#hasEnded = true;
    await this.#disconnect();
  }

  async #start(topic: string, eachBatch: EachBatchHandler): Promise<void> {
    const steps = [
      async () => await this.consumer.connect(),
      async () => await this.consumer.subscribe({ topics: [topic], fromBeginning: true }),
      async () => await this.consumer.run({ autoCommit: false, eachBatch }),
    ];
    for (const step of steps) {
      await step();
      // `end` may have disconnected before this step connected again.
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
