import { SafeError } from '../shared/safe-error.ts';

/**
 * Lease of work that only one process does at a time. It holds no time stamp: the holder increments `beat`, and a contender that has seen
 * the same beat for the time to live, by its local clock, takes the lease over.
 */
export interface Lease {
  readonly holder: string | undefined;
  /** Fencing token: increases with every acquisition, and invalidates work under smaller tokens. */
  readonly token: number;
  readonly beat: number;
}

/** Kind of record that can be listed: blobs by SHA-256, revoked keys by id, values by name. */
export type RecordKind = 'blobs' | 'revoked_keys' | 'values';

export interface Fence {
  readonly token: number;
}

/** Reads a value; with a fence, writes with a smaller token are rejected from then on. @throws {WriterFenced} */
export async function readValue(
  records: Pick<Records, 'getValue' | 'fenceValue'>,
  name: string,
  fence: Fence | undefined,
): Promise<string | undefined> {
  return fence === undefined ? await records.getValue(name) : await records.fenceValue(name, fence);
}

/**
 * A greater fencing token is stored: stop writing. Usually another process has become the leader. If the leases were lost, the leader
 * acquires its lease again, with a token above this one.
 */
export class WriterFenced extends SafeError {
  override readonly name = 'WriterFenced';
  readonly token: number;
  constructor(what: string, token: number) {
    super(`${what} is now written by another process`);
    this.token = token;
  }
}

/**
 * Port of the store for data that is neither in the event log nor derived from it: claim documents by content hash, revoked keys, leases
 * and checkpoints of processes. Unlike read models it cannot be rebuilt, so every backup must include it.
 *
 * Guarantees, checked by `test/ports/records.suite.ts`: a successful write is durable; equal contents are stored once; one of several
 * concurrent acquisitions of a lease succeeds; every acquisition has a token greater than all before.
 */
export interface Records {
  /** Stores the bytes under their lower-case hex SHA-256, which it returns. Repairs rows that are stored with other bytes. */
  putBlob(bytes: Uint8Array): Promise<string>;
  /** Returns a row of a blob, from 0, of `BLOB_ROW_BYTES` bytes or fewer; undefined behind the last. `readBlob` reads them all. */
  getBlobRow(sha256: string, row: number): Promise<Uint8Array | undefined>;
  /** Revokes a key; idempotent. A revocation is permanent. */
  revokeKey(keyId: string): Promise<void>;
  isKeyRevoked(keyId: string): Promise<boolean>;
  getValue(name: string): Promise<string | undefined>;
  /** Replaces the value. @throws {WriterFenced} when a greater token is stored; without a fence the token is ignored */
  setValue(name: string, value: string, fence?: Fence): Promise<void>;
  /**
   * Replaces the value if it is still `expected` (undefined: absent); ignores fences. Of several writers with the same `expected`, one succeeds.
   * @returns whether the value was written
   */
  replaceValue(name: string, expected: string | undefined, value: string): Promise<boolean>;
  /** Rejects writes with a smaller token from now on, and returns the value. @throws {WriterFenced} when a greater token is stored */
  fenceValue(name: string, fence: Fence): Promise<string | undefined>;
  /** Returns a page of names in their order, after `after` (exclusive), to copy all records. */
  list(kind: RecordKind, options: { after: string | undefined; limit: number }): Promise<readonly string[]>;
  readLease(name: string): Promise<Lease | undefined>;
  /**
   * Acquires the lease for `holder` if it is still as `expected`; else returns undefined. The new token is greater than the last one and
   * than `above` (default 0).
   */
  acquireLease(name: string, holder: string, expected: Lease | undefined, above?: number): Promise<Lease | undefined>;
  /** Increments the beat; returns undefined when another process has acquired the lease. */
  renewLease(name: string, lease: Lease): Promise<Lease | undefined>;
  /** Releases the lease, unless another process has acquired it. */
  releaseLease(name: string, lease: Lease): Promise<void>;
  ping(): Promise<void>;
  close(): Promise<void>;
}
