import { EventEmitter } from 'node:events';
import type { ConsumerConfig, ConsumerRunConfig, ConsumerSubscribeTopics, Kafka } from 'kafkajs';

type Step = 'connect' | 'subscribe' | 'run' | 'disconnect';

/**
 * Fakes the part of a kafkajs consumer that the adapter uses; the test sets what each step does, by default nothing.
 */
export class FakeConsumer extends EventEmitter {
  readonly events = { CRASH: 'crash', GROUP_JOIN: 'join', FETCH: 'fetch', HEARTBEAT: 'heartbeat' };
  /** The started steps in their order. */
  readonly steps: Step[] = [];
  subscription: ConsumerSubscribeTopics | undefined;
  runConfig: ConsumerRunConfig | undefined;
  readonly #behaviour: Partial<Record<Step, () => Promise<void>>>;

  constructor(behaviour: Partial<Record<Step, () => Promise<void>>>) {
    super();
    this.#behaviour = behaviour;
  }

  async connect(): Promise<void> {
    await this.#step('connect');
  }

  async subscribe(topics?: ConsumerSubscribeTopics): Promise<void> {
    this.subscription = topics;
    await this.#step('subscribe');
  }

  async run(config?: ConsumerRunConfig): Promise<void> {
    this.runConfig = config;
    await this.#step('run');
  }

  async disconnect(): Promise<void> {
    await this.#step('disconnect');
  }

  /** Emits the event by which kafkajs reports that it has given up. */
  crash(error: Error): void {
    this.emit('crash', { payload: { error } });
  }

  async #step(step: Step): Promise<void> {
    this.steps.push(step);
    await this.#behaviour[step]?.();
  }
}

/** Returns a Kafka client with fake consumers and the given admin methods. */
export function fakeKafka(consumer: (config: ConsumerConfig) => FakeConsumer, admin: object = {}): Kafka {
  const doNothing = async (): Promise<void> => await Promise.resolve();
  return { consumer, admin: () => ({ connect: doNothing, disconnect: doNothing, ...admin }) } as unknown as Kafka;
}
