import type { Fence, Records } from '../../records/records.ts';
import { Checkpoint } from '../checkpoint.ts';

type Values = Pick<Records, 'getValue' | 'setValue' | 'fenceValue'>;

/** Names the checkpoint, so it never changes. */
const PROCESS = 'mail-requests';
/** The name while a queue of jobs was the register of mails. */
const EARLIER = 'mail-jobs';

/**
 * The checkpoint of the relay of mails. A value under the earlier name only means that the queue of earlier versions
 * has not been imported yet.
 */
export class MailCheckpoint extends Checkpoint {
  readonly #records: Values;
  readonly #earlier: Checkpoint;

  constructor(records: Values, fence?: Fence) {
    super(PROCESS, records, fence);
    this.#records = records;
    this.#earlier = new Checkpoint(EARLIER, records, fence);
  }

  override under(fence: Fence | undefined): MailCheckpoint {
    return new MailCheckpoint(this.#records, fence);
  }

  override async hasBegun(): Promise<boolean> {
    return (await super.hasBegun()) || (await this.#earlier.hasBegun());
  }

  /**
   * Runs `takeOver` until it succeeded once. The checkpoint is saved only after that, so a kill in between repeats it.
   * @throws {WriterFenced}
   */
  async upgrade(takeOver: () => Promise<void>): Promise<void> {
    if (await super.hasBegun()) return;
    const position = await this.#earlier.read();
    await takeOver();
    await this.save(position);
  }
}
