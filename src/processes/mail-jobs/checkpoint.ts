import type { Fence, Records } from '../../records/records.ts';
import { Checkpoint } from '../subscription/checkpoint.ts';

type Values = Pick<Records, 'getValue' | 'setValue' | 'fenceValue'>;

/** Name of the process in the stored checkpoint, so it must never change. */
const PROCESS = 'mail-requests';
/** Name in versions that kept mail jobs in the queue itself. */
const LEGACY_PROCESS = 'mail-jobs';

/** The checkpoint of the mail relay. A value under the legacy name alone means that the legacy queue has not been imported yet. */
export class MailCheckpoint extends Checkpoint {
  readonly #records: Values;
  readonly #legacy: Checkpoint;

  constructor(records: Values, fence?: Fence) {
    super(PROCESS, records, fence);
    this.#records = records;
    this.#legacy = new Checkpoint(LEGACY_PROCESS, records, fence);
  }

  override withFence(fence: Fence | undefined): MailCheckpoint {
    return new MailCheckpoint(this.#records, fence);
  }

  override async isInitialised(): Promise<boolean> {
    return (await super.isInitialised()) || (await this.#legacy.isInitialised());
  }

  /**
   * Runs `importLegacy` unless it has succeeded before. The checkpoint is saved afterwards, so a kill in between repeats the import.
   * @throws {WriterFenced}
   */
  async upgrade(importLegacy: () => Promise<void>): Promise<void> {
    if (await super.isInitialised()) return;
    const position = await this.#legacy.read();
    await importLegacy();
    await this.save(position);
  }
}
