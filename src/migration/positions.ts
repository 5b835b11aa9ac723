import type { Position, StoredEvent } from '../event-store/event-store.ts';

/**
 * Translates positions of one log into those of another that has the same events. The same event is known by stream and
 * revision, so it is the pairs that tell; only those that somebody needs are kept.
 */
export class Translation {
  /** Wanted positions, rising. */
  readonly #wanted: readonly Position[];
  readonly #found = new Map<Position, Position | undefined>();
  #next = 0;
  #reached: Position | undefined;

  /** @param wanted positions of the old log; between events they mean the last event before */
  constructor(wanted: readonly Position[]) {
    this.#wanted = [...new Set(wanted)].toSorted((a, b) => (a < b ? -1 : 1));
  }

  /** Takes in the next event of the old log and its place in the new one. */
  readonly take = (from: Pick<StoredEvent, 'position'>, to: Pick<StoredEvent, 'position'>): void => {
    for (let wanted = this.#wanted[this.#next]; wanted !== undefined && wanted < from.position; ) {
      this.#found.set(wanted, this.#reached);
      this.#next += 1;
      wanted = this.#wanted[this.#next];
    }
    this.#reached = to.position;
  };

  /**
   * Once all events were taken in: the position of the new log up to which the same events stand; undefined before the first.
   * @throws {Error} for a position that was not wanted
   */
  of(position: Position): Position | undefined {
    if (this.#found.has(position)) return this.#found.get(position);
    if (!this.#wanted.includes(position)) throw new Error(`Position ${position} was not to be translated`);
    return this.#reached;
  }
}
