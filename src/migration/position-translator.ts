import type { Position, StoredEvent } from '../event-store/event-store.ts';

/** Translates positions of one log to those of a copy with the same events. Keeps only the positions that are wanted. */
export class PositionTranslator {
  readonly #wanted: readonly Position[];
  readonly #found = new Map<Position, Position | undefined>();
  #next = 0;
  #lastCopied: Position | undefined;

  /** @param wanted positions of the old log; a position between events stands for the last event before it */
  constructor(wanted: readonly Position[]) {
    this.#wanted = [...new Set(wanted)].toSorted((a, b) => (a < b ? -1 : 1));
  }

  /** Adds the next event of the old log and its copy in the new log. */
  readonly add = (from: Pick<StoredEvent, 'position'>, to: Pick<StoredEvent, 'position'>): void => {
    for (let wanted = this.#wanted[this.#next]; wanted !== undefined && wanted < from.position; ) {
      this.#found.set(wanted, this.#lastCopied);
      this.#next += 1;
      wanted = this.#wanted[this.#next];
    }
    this.#lastCopied = to.position;
  };

  /**
   * Returns the position in the new log after all events were added; undefined: before the first event.
   * @throws {Error} for a position that was not wanted
   */
  of(position: Position): Position | undefined {
    if (this.#found.has(position)) return this.#found.get(position);
    if (!this.#wanted.includes(position)) throw new Error(`Position ${position} was not passed to the constructor`);
    return this.#lastCopied;
  }
}
