import type { EventStore, Position } from '../event-store/event-store.ts';
import type { Records } from '../records/records.ts';

/** How far a process has followed the log. It lies in records: a rebuild of the read models does not touch it. */
export class Checkpoint {
  readonly #name: string;
  readonly #records: Pick<Records, 'getValue' | 'setValue'>;

  /** @param process name of the process; never changed, or it would begin anew */
  constructor(process: string, records: Pick<Records, 'getValue' | 'setValue'>) {
    this.#name = `checkpoint ${process}`;
    this.#records = records;
  }

  /**
   * Where the process begins, said once for a data folder, before anything is appended to it: at the beginning of an empty
   * log. On a log of a version that did not have the process it is the end, so that nobody is mailed about what happened long ago.
   */
  async begin(eventStore: Pick<EventStore, 'lastPosition'>): Promise<void> {
    if ((await this.#records.getValue(this.#name)) !== undefined) return;
    await this.save(await eventStore.lastPosition());
  }

  /** Everything up to here is done; undefined: nothing yet. @throws {Error} when it never began */
  async read(): Promise<Position | undefined> {
    const text = await this.#records.getValue(this.#name);
    if (text === undefined) throw new Error(`${this.#name} is not there`);
    return text === '' ? undefined : BigInt(text);
  }

  async save(position: Position | undefined): Promise<void> {
    await this.#records.setValue(this.#name, position === undefined ? '' : String(position));
  }
}
