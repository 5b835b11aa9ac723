import { createHash } from 'node:crypto';
import { StoreUnavailable } from '../../src/event-store/event-store.ts';
import type { Records } from '../../src/records/records.ts';

/** The records' port in memory. */
export class MemoryRecords implements Records {
  readonly #blobs: Map<string, Uint8Array>;
  readonly #revoked: Set<string>;
  readonly #values: Map<string, string>;
  #closed = false;

  /** Empty, or with what others hold, as after a restart. */
  constructor(before?: MemoryRecords) {
    this.#blobs = before === undefined ? new Map<string, Uint8Array>() : before.#blobs;
    this.#revoked = before === undefined ? new Set<string>() : before.#revoked;
    this.#values = before === undefined ? new Map<string, string>() : before.#values;
  }

  async putBlob(bytes: Uint8Array): Promise<string> {
    this.#checkOpen();
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    this.#blobs.set(sha256, Uint8Array.from(bytes));
    return sha256;
  }

  async getBlob(sha256: string): Promise<Uint8Array | undefined> {
    this.#checkOpen();
    return this.#blobs.get(sha256);
  }

  async revokeKey(keyId: string): Promise<void> {
    this.#checkOpen();
    this.#revoked.add(keyId);
  }

  async isKeyRevoked(keyId: string): Promise<boolean> {
    this.#checkOpen();
    return this.#revoked.has(keyId);
  }

  async getValue(name: string): Promise<string | undefined> {
    this.#checkOpen();
    return this.#values.get(name);
  }

  async setValue(name: string, value: string): Promise<void> {
    this.#checkOpen();
    this.#values.set(name, value);
  }

  async ping(): Promise<void> {
    this.#checkOpen();
  }

  async close(): Promise<void> {
    this.#closed = true;
  }

  #checkOpen(): void {
    if (this.#closed) throw new StoreUnavailable('the records are closed');
  }
}
