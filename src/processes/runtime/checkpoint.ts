import type { Position, StoredEvent } from '#stores/event-log/event-log.ts';
import { formatLogPoint, type EventReference, parseLogPoint } from '#stores/event-log/log-identity.ts';
import { type Fence, readValue, type Records } from '#stores/records/records.ts';
import { SafeError } from '#stores/shared/safe-error.ts';

/** End of the error text when the log lacks the event of a checkpoint: going on would skip events that were never handled. */
export const RESTORE_HINT =
  'This is another log, perhaps restored from an older backup. The process is stalled and skips no event; see "Restore" in docs/runbook.md';

/** Names of the checkpoints in the records begin with it. */
export const CHECKPOINT_PREFIX = 'checkpoint ';

/** Where a process starts reading a log that already has events, as the operator gives it in `--from`. */
export type StartPosition = 'start' | 'end' | Position;

type Values = Pick<Records, 'getValue' | 'setValue' | 'fenceValue'>;

/** The last event that a process has handled, by position and id. Kept in the records, so a rebuild of the read models does not change it. */
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
    return `${CHECKPOINT_PREFIX}${this.#process}`;
  }

  withFence(fence: Fence | undefined): Checkpoint {
    return new Checkpoint(this.#process, this.#records, fence);
  }

  async isInitialised(): Promise<boolean> {
    return (await this.#records.getValue(this.name)) !== undefined;
  }

  /**
   * Returns the last handled event; undefined when no event was handled yet.
   * @throws {Error} when the checkpoint is not initialised @throws {WriterFenced}
   */
  async read(): Promise<EventReference | undefined> {
    const text = await readValue(this.#records, this.name, this.#fence);
    if (text === undefined) throw new Error(`${this.name} is not initialised`);
    return parseLogPoint(this.name, text);
  }

  /** @throws {WriterFenced} */
  async save(point: EventReference | undefined): Promise<void> {
    await this.#records.setValue(this.name, formatLogPoint(point), this.#fence);
  }
}

/** A process reached an event of which the store has found that it was altered. It does not know what the event required. */
export class AlteredEvent extends SafeError {
  override readonly name = 'AlteredEvent';
  constructor({ position }: Pick<StoredEvent, 'position'>) {
    super(`The event at position ${position} was altered in the store; the runbook has a section "A damaged log"`);
  }
}
