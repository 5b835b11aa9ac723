import type { Position } from '../../event-store/event-store.ts';
import type { Fence, Records } from '../../records/records.ts';

/** Where a process starts reading a log that already has events, as the operator gives it in `--from`. */
export type StartPosition = 'start' | 'end' | Position;

type Values = Pick<Records, 'getValue' | 'setValue' | 'fenceValue'>;

/** The position up to which a process has handled the log. Kept in the records, so a rebuild of the read models does not change it. */
export class Checkpoint {
  readonly #process: string;
  readonly #records: Values;
  readonly #fence: Fence | undefined;

  /**
   * @param process name of the process; part of the stored name, so it must never change
   * @param fence required where several processes compete for leadership: once a new leader has read the checkpoint, the previous
   * leader cannot save it
   */
  constructor(process: string, records: Values, fence?: Fence) {
    this.#process = process;
    this.#records = records;
    this.#fence = fence;
  }

  get name(): string {
    return `checkpoint ${this.#process}`;
  }

  withFence(fence: Fence | undefined): Checkpoint {
    return new Checkpoint(this.#process, this.#records, fence);
  }

  async isInitialised(): Promise<boolean> {
    return (await this.#records.getValue(this.name)) !== undefined;
  }

  /**
   * Returns the position of the last handled event; undefined when no event was handled yet.
   * @throws {Error} when the checkpoint is not initialised @throws {WriterFenced}
   */
  async read(): Promise<Position | undefined> {
    const text =
      this.#fence === undefined
        ? await this.#records.getValue(this.name)
        : await this.#records.fenceValue(this.name, this.#fence);
    if (text === undefined) throw new Error(`${this.name} is not initialised`);
    return text === '' ? undefined : BigInt(text);
  }

  /** @throws {WriterFenced} */
  async save(position: Position | undefined): Promise<void> {
    await this.#records.setValue(this.name, checkpointValue(position), this.#fence);
  }
}

/** Returns the stored text of a checkpoint: decimal digits, or '' before the first event. */
export function checkpointValue(position: Position | undefined): string {
  return position === undefined ? '' : String(position);
}
