import { EventStoreDBClient } from '@eventstore/db-client';
import { describe } from '@jest/globals';

import { openEventStoreDB } from '../../../../src/event-store/eventstoredb/eventstoredb-event-store.ts';
import type { EventStoreDBOptions } from '../../../../src/event-store/eventstoredb/eventstoredb-event-store.ts';
import type { EventStore } from '../../../../src/event-store/event-store.ts';
import { freePort } from '../../../support/free-port.ts';
import { temporaryFolder } from '../../../ports/support/temporary-folder.ts';
import { NAMED_EVENTSTORE } from '../../support/named-eventstore.ts';
import { startStandIn } from '../stand-in.ts';
import type { StandIn } from '../stand-in.ts';

/** Declares a suite that makes its server fail, or looks into it; its name says that it does so to the stand-in alone. */
export function describeOnStandIn(name: string, suite: () => void): void {
  const why = ' (on the stand-in: no test harms the server that EVENTSTORE_URL names)';
  describe(NAMED_EVENTSTORE === undefined ? name : name + why, () => {
    suite();
  });
}

/** A stand-in in a temporary folder, and stores on it. Everything is closed by `dispose`. */
export class World {
  readonly #folder: ReturnType<typeof temporaryFolder>;
  readonly #stores: EventStore[] = [];
  readonly #clients: EventStoreDBClient[] = [];
  readonly #port: number;
  server: StandIn;

  private constructor(folder: ReturnType<typeof temporaryFolder>, server: StandIn) {
    this.#folder = folder;
    this.server = server;
    this.#port = server.port;
  }

  static async start(): Promise<World> {
    const folder = temporaryFolder();
    // Not one that a connection of somebody may take while it is down.
    return new World(folder, await startStandIn(folder.folder, await freePort()));
  }

  get folder(): string {
    return this.#folder.folder;
  }

  /** A store that gives up early, so that tests are quick. */
  store(options: Partial<EventStoreDBOptions> = {}): EventStore {
    return this.usualStore({ readTimeoutMs: 1_000, attemptTimeoutMs: 1_000, appendTimeoutMs: 2_000, ...options });
  }

  /** A store as the product opens it. */
  usualStore(options: Partial<EventStoreDBOptions> = {}): EventStore {
    const store = openEventStoreDB({ url: this.server.url, ...options });
    this.#stores.push(store);
    return store;
  }

  /** The bare client. */
  client(): EventStoreDBClient {
    const client = EventStoreDBClient.connectionString(this.server.url);
    this.#clients.push(client);
    return client;
  }

  async restart(): Promise<void> {
    await this.server.stop();
    await this.start();
  }

  async start(): Promise<void> {
    this.server = await startStandIn(this.#folder.folder, this.#port);
  }

  async dispose(): Promise<void> {
    await Promise.all(this.#stores.map((store) => store.close()));
    for (const client of this.#clients) await closeClient(client);
    await this.server.stop();
    this.#folder.remove();
  }
}

/** `dispose` alone would leave the connection open. */
export async function closeClient(client: EventStoreDBClient): Promise<void> {
  await client.dispose();
  (await client['getChannel']()).close();
}
