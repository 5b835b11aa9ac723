import type { Records } from '../../records/records.ts';
import { Checkpoint } from '../subscription/checkpoint.ts';

/** Returns the checkpoint of the mail relay. */
export function mailCheckpoint(records: Pick<Records, 'getValue' | 'setValue' | 'fenceValue'>): Checkpoint {
  return new Checkpoint('mail-requests', records);
}
