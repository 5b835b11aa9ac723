import type { Db } from 'mongodb';
import { type Generations, readGenerations } from './generations.ts';

/** Longest time for which a process uses what it has read, unless a switch was announced. */
const VALID_FOR_MS = 1_000;
/** After this time every process has read an announcement, or reads the document with its next request. */
export const ANNOUNCED_FOR_MS = 3 * VALID_FOR_MS;

/**
 * The generation that is served, as this process knows it. A switch is announced `ANNOUNCED_FOR_MS` before it happens,
 * and what was read longer than `VALID_FOR_MS` ago is not used. So a request that starts after a switch never reads the
 * old documents.
 */
export class ServedGeneration {
  readonly #hash: string;
  #known: Generations | undefined;
  #readAt = -Infinity;

  constructor(hash: string) {
    this.#hash = hash;
  }

  async current(database: Db): Promise<Generations> {
    const isValid = this.#known?.isSwitching !== true && performance.now() - this.#readAt <= VALID_FOR_MS;
    return isValid && this.#known !== undefined ? this.#known : await this.read(database);
  }

  async read(database: Db): Promise<Generations> {
    const startedAt = performance.now();
    const read = await readGenerations(database, this.#hash);
    if (startedAt > this.#readAt) {
      this.#known = read;
      this.#readAt = startedAt;
    }
    return read;
  }
}
