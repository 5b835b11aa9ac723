import { createHash } from 'node:crypto';
import { StoreUnavailable } from '#stores/shared/store-unavailable.ts';
import { rowsOf } from '#stores/records/blobs.ts';
import type { Leases, RecordKind, Records, RevisedValue } from '#stores/records/records.ts';

/** The records in memory. */
export class MemoryRecords implements Records {
  readonly #blobs: Map<string, Uint8Array>;
  readonly #revoked: Set<string>;
  readonly #values: Map<string, RevisedValue>;
  #closed = false;
  leases?: Leases;

  /** Creates empty records, or records with the content of others, as after a restart. */
  constructor(before?: MemoryRecords) {
    this.#blobs = before === undefined ? new Map<string, Uint8Array>() : before.#blobs;
    this.#revoked = before === undefined ? new Set<string>() : before.#revoked;
    this.#values = before === undefined ? new Map<string, RevisedValue>() : before.#values;
  }

  async putBlob(bytes: Uint8Array): Promise<string> {
    this.#checkOpen();
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    this.#blobs.set(sha256, Uint8Array.from(bytes));
    return sha256;
  }

  async getBlobRow(sha256: string, row: number): Promise<Uint8Array | undefined> {
    this.#checkOpen();
    const bytes = this.#blobs.get(sha256);
    return bytes === undefined ? undefined : rowsOf(bytes)[row];
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
    return (await this.getRevised(name))?.value;
  }

  async getRevised(name: string): Promise<RevisedValue | undefined> {
    this.#checkOpen();
    return this.#values.get(name);
  }

  async setValue(name: string, value: string): Promise<void> {
    this.#checkOpen();
    this.#values.set(name, { value, revision: (this.#values.get(name)?.revision ?? 0) + 1 });
  }

  async replaceValue(name: string, revision: number | undefined, value: string): Promise<boolean> {
    this.#checkOpen();
    if (this.#values.get(name)?.revision !== revision) return false;
    this.#values.set(name, { value, revision: (revision ?? 0) + 1 });
    return true;
  }

  async list(kind: RecordKind, { after = '', limit }: { after: string | undefined; limit: number }): Promise<string[]> {
    this.#checkOpen();
    const names = { blobs: this.#blobs, revoked_keys: this.#revoked, values: this.#values }[kind].keys();
    return [...names]
      .filter((name) => name > after)
      .toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)))
      .slice(0, limit);
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

const WRITES = ['setValue', 'replaceValue', 'putBlob', 'revokeKey'];

/** Wraps records of a process that is killed after so many writes: each later one throws "killed". */
export function dyingRecords(records: MemoryRecords, allowed: number): MemoryRecords {
  let writes = 0;
  return new Proxy(records, {
    get: (object, name) => {
      const member: unknown = Reflect.get(object, name, object);
      if (typeof member !== 'function') return member;
      return async (...args: unknown[]) => {
        if (WRITES.includes(String(name)) && ++writes > allowed) throw new Error('killed');
        return await (Reflect.apply(member, object, args) as Promise<unknown>);
      };
    },
  });
}
