import { createHash } from 'node:crypto';
import { StoreUnavailable } from '#stores/shared/store-unavailable.ts';
import { rowsOf } from '#stores/records/blobs.ts';
import { type Fence, WriterFenced, type RecordKind, type Lease, type Records } from '#stores/records/records.ts';

/** The records in memory. */
export class MemoryRecords implements Records {
  readonly #blobs: Map<string, Uint8Array>;
  readonly #revoked: Set<string>;
  readonly #values: Map<string, string>;
  readonly #fences: Map<string, number>;
  readonly #leases: Map<string, Lease>;
  #closed = false;

  /** Creates empty records, or records with the content of others, as after a restart. */
  constructor(before?: MemoryRecords) {
    this.#blobs = before === undefined ? new Map<string, Uint8Array>() : before.#blobs;
    this.#revoked = before === undefined ? new Set<string>() : before.#revoked;
    this.#values = before === undefined ? new Map<string, string>() : before.#values;
    this.#fences = before === undefined ? new Map<string, number>() : before.#fences;
    this.#leases = before === undefined ? new Map<string, Lease>() : before.#leases;
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
    this.#checkOpen();
    return this.#values.get(name);
  }

  async setValue(name: string, value: string, fence?: Fence): Promise<void> {
    this.#checkOpen();
    if (fence !== undefined) this.#raise(name, fence);
    this.#values.set(name, value);
  }

  async replaceValue(name: string, seen: string | undefined, value: string): Promise<boolean> {
    this.#checkOpen();
    if (this.#values.get(name) !== seen) return false;
    this.#values.set(name, value);
    return true;
  }

  async fenceValue(name: string, fence: Fence): Promise<string | undefined> {
    this.#checkOpen();
    this.#raise(name, fence);
    return this.#values.get(name);
  }

  async list(kind: RecordKind, { after = '', limit }: { after: string | undefined; limit: number }): Promise<string[]> {
    this.#checkOpen();
    const names = { blobs: this.#blobs, revoked_keys: this.#revoked, values: this.#values }[kind].keys();
    return [...names]
      .filter((name) => name > after)
      .toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)))
      .slice(0, limit);
  }

  async readLease(name: string): Promise<Lease | undefined> {
    this.#checkOpen();
    return this.#leases.get(name);
  }

  async acquireLease(name: string, holder: string, seen: Lease | undefined, above = 0): Promise<Lease | undefined> {
    this.#checkOpen();
    const { token = 0, beat = 0 } = this.#leases.get(name) ?? {};
    if (token !== (seen?.token ?? 0) || beat !== (seen?.beat ?? 0)) return undefined;
    return this.#saveLease(name, { holder, token: Math.max(token, above) + 1, beat: beat + 1 });
  }

  async renewLease(name: string, lease: Lease): Promise<Lease | undefined> {
    this.#checkOpen();
    const held = this.#held(name, lease);
    return held === undefined ? undefined : this.#saveLease(name, { ...held, beat: held.beat + 1 });
  }

  async releaseLease(name: string, lease: Lease): Promise<void> {
    this.#checkOpen();
    const held = this.#held(name, lease);
    if (held !== undefined) this.#saveLease(name, { ...held, holder: undefined, beat: held.beat + 1 });
  }

  async ping(): Promise<void> {
    this.#checkOpen();
  }

  async close(): Promise<void> {
    this.#closed = true;
  }

  #raise(name: string, { token }: Fence): void {
    const greatest = this.#fences.get(name) ?? 0;
    if (greatest > token) throw new WriterFenced(name, greatest);
    this.#fences.set(name, token);
  }

  #held(name: string, { holder, token }: Lease): Lease | undefined {
    const current = this.#leases.get(name);
    return current?.holder === holder && current?.token === token ? current : undefined;
  }

  #saveLease(name: string, lease: Lease): Lease {
    this.#leases.set(name, lease);
    return lease;
  }

  #checkOpen(): void {
    if (this.#closed) throw new StoreUnavailable('the records are closed');
  }
}

const WRITES = [
  'setValue',
  'replaceValue',
  'fenceValue',
  'putBlob',
  'revokeKey',
  'acquireLease',
  'renewLease',
  'releaseLease',
];

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
