import type { Db } from 'mongodb';
import type { Builds } from '../read-models.ts';
import { readBuilds } from './catalog.ts';

/** Longest time for which a process uses the builds that it has read, unless a switch was announced. */
const VALID_FOR_MS = 1_000;
/** After this time every process has read an announcement, or reads the builds with its next request. */
export const ANNOUNCED_FOR_MS = 3 * VALID_FOR_MS;

/**
 * The builds that are served, as this process knows them. A switch is announced `ANNOUNCED_FOR_MS` before it happens,
 * and builds that were read longer than `VALID_FOR_MS` ago are not used. So a request that starts after a switch never
 * reads the old documents.
 */
export class ServedBuilds {
  readonly #entry: string | undefined;
  #builds: Builds = {};
  #isSwitching = false;
  #readAt = -Infinity;

  /** @param entry entry of the generation in the catalog; undefined without builds */
  constructor(entry: string | undefined) {
    this.#entry = entry;
  }

  async current(database: Db): Promise<Builds> {
    const mustRead = this.#isSwitching || performance.now() - this.#readAt > VALID_FOR_MS;
    return mustRead ? await this.read(database) : this.#builds;
  }

  async read(database: Db): Promise<Builds> {
    if (this.#entry === undefined) return {};
    const startedAt = performance.now();
    const { builds, isSwitching } = await readBuilds(database, this.#entry);
    if (startedAt > this.#readAt) {
      this.#builds = builds;
      this.#isSwitching = isSwitching;
      this.#readAt = startedAt;
    }
    return builds;
  }
}
