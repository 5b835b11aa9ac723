import type { Admin, Kafka } from 'kafkajs';
import { asUnavailable, NO_RETRIES, untilDisconnected } from './client.ts';

/** Asks the brokers, on one connection that is replaced after an error. */
export class Pulse {
  readonly #kafka: Kafka;
  #admin: Promise<Admin> | undefined;

  constructor(kafka: Kafka) {
    this.#kafka = kafka;
  }

  /** @throws {StoreUnavailable} when no broker answers */
  async ping(): Promise<void> {
    await this.ask(async (admin) => await admin.describeCluster());
  }

  /** Resolves with the answer. @throws {StoreUnavailable} when no broker answers */
  async ask<T>(question: (admin: Admin) => Promise<T>): Promise<T> {
    const connecting = (this.#admin ??= this.#connect());
    try {
      return await question(await connecting);
    } catch (error) {
      if (this.#admin === connecting) this.#admin = undefined;
      void untilDisconnected(disconnect(connecting));
      throw asUnavailable(error);
    }
  }

  async close(): Promise<void> {
    if (this.#admin !== undefined) await untilDisconnected(disconnect(this.#admin));
  }

  async #connect(): Promise<Admin> {
    const admin = this.#kafka.admin({ retry: NO_RETRIES });
    await admin.connect();
    return admin;
  }
}

async function disconnect(connecting: Promise<Admin>): Promise<void> {
  const admin = await connecting;
  await admin.disconnect();
}
