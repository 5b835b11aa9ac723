import { createHash } from 'node:crypto';
import type { Records } from './records.ts';

/** Size of the rows of a blob in bytes; its last row may be shorter. */
export const BLOB_ROW_BYTES = 256 * 1024;

export function rowsOf(bytes: Uint8Array): readonly Uint8Array[] {
  const count = Math.max(1, Math.ceil(bytes.length / BLOB_ROW_BYTES));
  return Array.from({ length: count }, (_, row) => bytes.subarray(row * BLOB_ROW_BYTES, (row + 1) * BLOB_ROW_BYTES));
}

export interface BlobSource {
  readonly records: Pick<Records, 'getBlobRow'>;
  /** Called before each row, because embedded records never wait. */
  readonly nextTurn: () => Promise<void>;
}

/** Yields the rows of a stored blob, one in memory at a time; none when the blob is missing. @throws {StoreUnavailable} */
export async function* readBlob({ records, nextTurn }: BlobSource, sha256: string): AsyncGenerator<Uint8Array> {
  for (let row = 0; ; row++) {
    await nextTurn();
    const bytes = await records.getBlobRow(sha256, row);
    if (bytes === undefined) return;
    yield bytes;
    if (bytes.length < BLOB_ROW_BYTES) return;
  }
}

interface CheckedBlob {
  readonly state: 'intact' | 'missing' | 'altered';
  readonly size: number;
}

export async function checkBlob(source: BlobSource, sha256: string): Promise<CheckedBlob> {
  const hash = createHash('sha256');
  let size: number | undefined;
  for await (const row of readBlob(source, sha256)) {
    hash.update(row);
    size = (size ?? 0) + row.length;
  }
  if (size === undefined) return { state: 'missing', size: 0 };
  return { state: hash.digest('hex') === sha256 ? 'intact' : 'altered', size };
}
