import { createHash } from 'node:crypto';
import type { Records } from '../../src/records/records.ts';

/** The records' port in memory. */
export class MemoryRecords implements Records {
  readonly #blobs = new Map<string, Uint8Array>();
  readonly #revoked = new Set<string>();
  readonly #values = new Map<string, string>();

  async putBlob(bytes: Uint8Array): Promise<string> {
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    this.#blobs.set(sha256, Uint8Array.from(bytes));
    return sha256;
  }

  async getBlob(sha256: string): Promise<Uint8Array | undefined> {
    return this.#blobs.get(sha256);
  }

  async revokeKey(keyId: string): Promise<void> {
    this.#revoked.add(keyId);
  }

  async isKeyRevoked(keyId: string): Promise<boolean> {
    return this.#revoked.has(keyId);
  }

  async getValue(name: string): Promise<string | undefined> {
    return this.#values.get(name);
  }

  async setValue(name: string, value: string): Promise<void> {
    this.#values.set(name, value);
  }

  async ping(): Promise<void> {}

  async close(): Promise<void> {}
}
