import { createHash } from 'node:crypto';

/** A named value. Its revision grows with every write, also when the value stays the same. */
export interface RevisedValue {
  readonly value: string;
  readonly revision: number;
}

/** Kind of record that can be listed: blobs by SHA-256, revoked keys by id, values by name. */
export type RecordKind = 'blobs' | 'revoked_keys' | 'values';

/**
 * Leases of work that only one process does at a time. Each call is judged by the clock of the store alone: a lease is
 * free when it was released, or when its holder has not renewed it for the time to live. Leases save work; no guarantee
 * depends on them.
 */
export interface Leases {
  /**
   * Acquires the lease if it is free or already held by `holder`; of several concurrent calls for a free lease, one
   * succeeds.
   * @param holder id of a process; never used by another process
   * @returns a token greater than that of every acquisition before; undefined while another process holds the lease
   */
  acquireLease(name: string, holder: string, timeToLiveMs: number): Promise<number | undefined>;
  /** Renews the lease; returns false when another process has acquired it or it was released. */
  renewLease(name: string, holder: string): Promise<boolean>;
  /** Releases the lease, unless another process has acquired it. */
  releaseLease(name: string, holder: string): Promise<void>;
  /** Returns the process that holds the lease; undefined while it is free. */
  findHolder(name: string, timeToLiveMs: number): Promise<string | undefined>;
}

/**
 * Port of the store for data that is neither in the event log nor derived from it: claim documents by content hash,
 * revoked keys, and named values such as the checkpoints of processes. Unlike read models it cannot be rebuilt, so
 * every backup must include it.
 *
 * Guarantees, checked by `test/ports/records.suite.ts`: a successful write is durable; equal contents are stored once;
 * of several writers that replace the same revision of a value, one succeeds.
 */
export interface Records {
  /**
   * Stores the bytes under their lower-case hex SHA-256, which it returns. Repairs rows that are stored with other
   * bytes.
   */
  putBlob(bytes: Uint8Array): Promise<string>;
  /**
   * Returns a row of a blob, from 0, of `BLOB_ROW_BYTES` bytes or fewer; undefined behind the last. `readBlob` reads
   * them all.
   */
  getBlobRow(sha256: string, row: number): Promise<Uint8Array | undefined>;
  /** Revokes a key; idempotent. A revocation is permanent. */
  revokeKey(keyId: string): Promise<void>;
  isKeyRevoked(keyId: string): Promise<boolean>;
  getValue(name: string): Promise<string | undefined>;
  getRevised(name: string): Promise<RevisedValue | undefined>;
  /** Writes the value, whatever is stored. */
  setValue(name: string, value: string): Promise<void>;
  /**
   * Replaces the value if its revision is still `revision` (undefined: absent). The new revision is the next number,
   * from 1.
   * @returns whether the value was written
   */
  replaceValue(name: string, revision: number | undefined, value: string): Promise<boolean>;
  /** Returns a page of names in their order, after `after` (exclusive), to copy all records. */
  list(kind: RecordKind, options: { after: string | undefined; limit: number }): Promise<readonly string[]>;
  /** Absent for embedded records, which only one process uses. */
  readonly leases?: Leases | undefined;
  ping(): Promise<void>;
  close(): Promise<void>;
}

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

/**
 * Yields the rows of a stored blob, one in memory at a time; none when the blob is missing.
 * @throws {StoreUnavailable}
 */
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
