import { untilDisconnected } from './client.ts';

interface Connectable {
  connect(): Promise<void>;
  disconnect(): Promise<void>;
}

/** A client of kafkajs that stays connected and is replaced after any error. */
export class SharedConnection<Client extends Connectable> {
  readonly #create: () => Client;
  #connecting: Promise<Client> | undefined;

  constructor(create: () => Client) {
    this.#create = create;
  }

  /** @throws the errors of kafkajs */
  async use<T>(work: (client: Client) => Promise<T>): Promise<T> {
    const connecting = (this.#connecting ??= this.#connect());
    try {
      return await work(await connecting);
    } catch (error) {
      if (this.#connecting === connecting) this.#connecting = undefined;
      void untilDisconnected(connecting.then(async (client) => await client.disconnect()));
      throw error;
    }
  }

  async close(): Promise<void> {
    const connecting = this.#connecting;
    if (connecting !== undefined) await untilDisconnected(connecting.then(async (client) => await client.disconnect()));
  }

  async #connect(): Promise<Client> {
    const client = this.#create();
    await client.connect();
    return client;
  }
}
