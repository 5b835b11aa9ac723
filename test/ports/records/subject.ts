import type { Records } from '#stores/records/records.ts';

/** Records under test, empty at the beginning. */
export interface RecordsSubject {
  readonly records: Records;
  /** Flips a bit of a stored row of a blob. */
  flipBit(sha256: string, row: number): Promise<void>;
  /** Closes the store and opens the same data again. */
  reopen(): Promise<Records>;
  dispose(): Promise<void>;
}
