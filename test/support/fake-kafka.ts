import { EventEmitter } from 'node:events';
import type { ConsumerConfig, ConsumerRunConfig, ConsumerSubscribeTopics, Kafka } from 'kafkajs';

type Step = 'connect' | 'subscribe' | 'run' | 'disconnect';

/** A consumer of kafkajs as far as the adapter goes: each step of it does what its test says, else nothing. */
export class FakeConsumer extends EventEmitter {
  readonly events = { CRASH: 'crash', GROUP_JOIN: 'join', FETCH: 'fetch', HEARTBEAT: 'heartbeat' };
  /** The steps that were begun, in their order. */
  readonly steps: Step[] = [];
  /** To what it was subscribed, and how it was run. */
  subscribedTo: ConsumerSubscribeTopics | undefined;
  ranWith: ConsumerRunConfig | undefined;
  readonly #does: Partial<Record<Step, () => Promise<void>>>;

  constructor(does: Partial<Record<Step, () => Promise<void>>>) {
    super();
    this.#does = does;
  }

  async connect(): Promise<void> {
    await this.#step('connect');
  }

  async subscribe(topics?: ConsumerSubscribeTopics): Promise<void> {
    this.subscribedTo = topics;
    await this.#step('subscribe');
  }

  async run(config?: ConsumerRunConfig): Promise<void> {
    this.ranWith = config;
    await this.#step('run');
  }

  async disconnect(): Promise<void> {
    await this.#step('disconnect');
  }

  /** As kafkajs tells that it has given up. */
  crash(error: Error): void {
    this.emit('crash', { payload: { error } });
  }

  async #step(step: Step): Promise<void> {
    this.steps.push(step);
    await this.#does[step]?.();
  }
}

/** A client whose consumers are these, and whose administrator says what is given. */
export function fakeKafka(consumer: (config: ConsumerConfig) => FakeConsumer, admin: object = {}): Kafka {
  const nothing = async (): Promise<void> => await Promise.resolve();
  return { consumer, admin: () => ({ connect: nothing, disconnect: nothing, ...admin }) } as unknown as Kafka;
}
