import type { EventStore, Position } from '../event-store/event-store.ts';
import type { Fence, Records } from '../records/records.ts';

/** Where a process starts on a log that has events already, as an operator says it. */
export type From = 'start' | 'end' | Position;

type Values = Pick<Records, 'getValue' | 'setValue' | 'fenceValue'>;

/** How far a process has followed the log. It lies in records: a rebuild of the read models does not touch it. */
export class Checkpoint {
  readonly #process: string;
  readonly #records: Values;
  readonly #fence: Fence | undefined;

  /**
   * @param process name of the process; never changed, or it would start again
   * @param fence where one of several processes follows the log: the previous leader can save nothing once it is read
   */
  constructor(process: string, records: Values, fence?: Fence) {
    this.#process = process;
    this.#records = records;
    this.#fence = fence;
  }

  /** Name of the value in records. */
  get name(): string {
    return `checkpoint ${this.#process}`;
  }

  /** The same checkpoint, written with a fence. */
  under(fence: Fence | undefined): Checkpoint {
    return new Checkpoint(this.#process, this.#records, fence);
  }

  /** Whether it is known where the process begins. */
  async hasBegun(): Promise<boolean> {
    return (await this.#records.getValue(this.name)) !== undefined;
  }

  /**
   * Sets where the process begins, once for a data folder, before anything is appended to it: at the beginning of an empty
   * log. On a log of a version that did not have the process it is the end, so that nobody is mailed about what happened long ago.
   */
  async begin(eventStore: Pick<EventStore, 'lastPosition'>): Promise<void> {
    if (await this.hasBegun()) return;
    await this.save(await eventStore.lastPosition());
  }

  /** Everything up to here is done; undefined: nothing yet. @throws {Error} when it never began @throws {WriterFenced} */
  async read(): Promise<Position | undefined> {
    const text =
      this.#fence === undefined
        ? await this.#records.getValue(this.name)
        : await this.#records.fenceValue(this.name, this.#fence);
    if (text === undefined) throw new Error(`${this.name} is not there`);
    return text === '' ? undefined : BigInt(text);
  }

  /** @throws {WriterFenced} */
  async save(position: Position | undefined): Promise<void> {
    await this.#records.setValue(this.name, checkpointValue(position), this.#fence);
  }
}

/** Returns a position as a checkpoint stores it; undefined: before the first event. */
export function checkpointValue(position: Position | undefined): string {
  return position === undefined ? '' : String(position);
}
