import type { EventStoreDBClient } from '@eventstore/db-client';
import { describe } from '@jest/globals';

import { openEventStoreDB } from '#stores/event-log/eventstoredb/eventstoredb-event-store.ts';
import type { EventStoreDBOptions } from '#stores/event-log/eventstoredb/eventstoredb-event-store.ts';
import type { EventStore } from '#stores/event-log/event-log.ts';
import { freePort } from '#test/support/free-port.ts';
import { LONG_LIMITS } from '#test/ports/support/eventstoredb.ts';
import { temporaryFolder } from '#test/ports/support/temporary-folder.ts';
import { NAMED_EVENTSTORE } from '../../support/named-eventstore.ts';
import { startStandIn } from '../stand-in.ts';
import type { StandIn } from '../stand-in.ts';
import { closeClient, plainClient } from './plain-client.ts';

/**
 * Declares a suite that makes its server fail or inspects it, and so always runs on the stand-in; its title has a note.
 */
export function describeOnStandIn(name: string, suite: () => void): void {
  const note = ' (on the stand-in: tests do not disturb the server at EVENTSTORE_URL)';
  describe(NAMED_EVENTSTORE === undefined ? name : name + note, () => {
    suite();
  });
}

/** A stand-in in a temporary folder, with stores and clients. `dispose` closes everything. */
export class StandInHarness {
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

  static async start(): Promise<StandInHarness> {
    const folder = temporaryFolder();
    // Not an ephemeral port: an outgoing connection could take it while the server is down.
    return new StandInHarness(folder, await startStandIn(folder.folder, await freePort()));
  }

  get folder(): string {
    return this.#folder.folder;
  }

  /** Opens a store with long time limits where the options set none. */
  store(options: Partial<EventStoreDBOptions> = {}): EventStore {
    return this.storeWithDefaults({ ...LONG_LIMITS, ...options });
  }

  /** Opens a store with the default timeouts. */
  storeWithDefaults(options: Partial<EventStoreDBOptions> = {}): EventStore {
    const store = openEventStoreDB({ url: this.server.url, ...options });
    this.#stores.push(store);
    return store;
  }

  /** Opens a client without the adapter. */
  client(): EventStoreDBClient {
    const client = plainClient(this.server.url);
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
