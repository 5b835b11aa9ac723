import type { ServerResponse } from 'node:http';
import { Refusal } from '#domain/refusals.ts';

const MIB = 1024 * 1024;

/** In bytes. */
export interface BodyMemoryLimits {
  readonly total: number;
  /** For one API key; requests without a key count as one key. */
  readonly perKey: number;
}

const LIMITS: BodyMemoryLimits = { total: 64 * MIB, perKey: 32 * MIB };

/** Counts further bytes of one body, unless they exceed a limit. @returns whether they are counted */
export type HoldBytes = (bytes: number) => boolean;

export function tooManyBytes(): Refusal {
  return new Refusal('busy', 'The service holds too many bytes of other requests; send the same request again');
}

/** Counts the bytes of the bodies in memory, so that clients together cannot exhaust the memory of the process. */
export class BodyMemory {
  readonly #limits: BodyMemoryLimits;
  readonly #byKey = new Map<string | undefined, number>();
  #total = 0;

  constructor(limits: Partial<BodyMemoryLimits> = {}) {
    this.#limits = { ...LIMITS, ...limits };
  }

  get bytes(): number {
    return this.#total;
  }

  /**
   * Returns the function that counts the bytes of one body until the response is closed.
   * @param keyId id of the API key; undefined without a key
   */
  holderFor(response: ServerResponse, keyId: string | undefined): HoldBytes {
    let held = 0;
    return (bytes) => {
      // Nothing would release them, and the work for the response is about to end.
      if (response.closed) return true;
      const ofKey = this.#byKey.get(keyId) ?? 0;
      if (this.#total + bytes > this.#limits.total || ofKey + bytes > this.#limits.perKey) return false;
      if (held === 0) response.once('close', () => this.#add(-held, keyId));
      held += bytes;
      this.#add(bytes, keyId);
      return true;
    };
  }

  #add(bytes: number, keyId: string | undefined): void {
    this.#total += bytes;
    const ofKey = (this.#byKey.get(keyId) ?? 0) + bytes;
    if (ofKey === 0) this.#byKey.delete(keyId);
    else this.#byKey.set(keyId, ofKey);
  }
}
