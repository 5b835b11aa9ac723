import type { Position, StoredEvent } from '#stores/event-log/event-log.ts';
import { formatLogPoint, type EventReference, parseLogPoint } from '#stores/event-log/log-identity.ts';
import { OwnedValue } from '#stores/records/owned-value.ts';
import type { Records } from '#stores/records/records.ts';
import { SafeError } from '#stores/shared/errors.ts';

/**
 * End of the error text when the log lacks the event of a checkpoint: going on would skip events that were never
 * handled.
 */
export const RESTORE_HINT =
  'This is another log, perhaps restored from an older backup. The process is stalled and skips no event; see "Restore" in docs/runbook.md';

/** Names of the checkpoints in the records begin with it. */
export const CHECKPOINT_PREFIX = 'checkpoint ';

/** Where a process starts reading a log that already has events, as the operator gives it in `--from`. */
export type StartPosition = 'start' | 'end' | Position;

type Values = Pick<Records, 'getValue' | 'getRevised' | 'replaceValue'>;

/**
 * The last event that a process has handled, by position and id. Kept in the records, so a rebuild of the read models
 * does not change it.
 */
export class Checkpoint {
  readonly #records: Values;
  readonly #value: OwnedValue;

  /** @param process name of the process; part of the stored name, so it must never change */
  constructor(process: string, records: Values) {
    this.#records = records;
    this.#value = new OwnedValue(`${CHECKPOINT_PREFIX}${process}`, records);
  }

  get name(): string {
    return this.#value.name;
  }

  async isInitialised(): Promise<boolean> {
    return (await this.#records.getValue(this.name)) !== undefined;
  }

  /**
   * Returns the last handled event; undefined when no event was handled yet.
   * @throws {Error} when the checkpoint is not initialised
   */
  async read(): Promise<EventReference | undefined> {
    return this.#parse(await this.#records.getValue(this.name));
  }

  /**
   * Returns the last handled event. From then on the process that had the checkpoint before cannot save it.
   * @throws {TakenOver}
   */
  async takeOver(): Promise<EventReference | undefined> {
    return this.#parse(await this.#value.takeOver());
  }

  /** @throws {TakenOver} when it was saved by another process since it was taken over */
  async save(point: EventReference | undefined): Promise<void> {
    await this.#value.save(formatLogPoint(point));
  }

  #parse(text: string | undefined): EventReference | undefined {
    if (text === undefined) throw new Error(`${this.name} is not initialised`);
    return parseLogPoint(this.name, text);
  }
}

/**
 * A process reached an event of which the store has found that it was altered. It does not know what the event
 * required.
 */
export class AlteredEvent extends SafeError {
  override readonly name = 'AlteredEvent';
  constructor({ position }: Pick<StoredEvent, 'position'>) {
    super(`The event at position ${position} was altered in the store; the runbook has a section "A damaged log"`);
  }
}
