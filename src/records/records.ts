/**
 * Who has the lead in something that one process at a time may do. No clock is in it: whoever has the lead moves `beat`,
 * and a contender who has seen it stand still for the time to live, by a clock of its own, takes over.
 */
export interface Lease {
  /** Undefined: given back, free to take. */
  readonly holder: string | undefined;
  /** Grows with every take-over: what was begun under a smaller one is over. */
  readonly token: number;
  readonly beat: number;
}

/** What records hold by name: contents by their SHA-256, ids of revoked keys, names of values. */
export type RecordKind = 'blobs' | 'revoked_keys' | 'values';

/** With what token something is written. */
export interface Fence {
  readonly token: number;
}

/**
 * A greater token stands there: whoever hears this writes nothing more. Mostly somebody else has taken the lead; where leases
 * were lost and what they fenced was not, whoever leads takes the lead anew, with a token above this one.
 */
export class Fenced extends Error {
  override readonly name = 'Fenced';
  /** The one that stands there. */
  readonly token: number;
  constructor(what: string, token: number) {
    super(`${what} is written by another process by now`);
    this.token = token;
  }
}

/**
 * What is neither event nor derived: claim documents by content hash, revoked keys, leases and checkpoints of
 * processes. Unlike the read models it cannot be made again and belongs into every backup.
 *
 * Guarantees, checked by `test/ports/records.suite.ts`: what was answered is durable; the same content twice is kept once;
 * of several who take one lease at once one gets it, and every holder has a token of its own, greater than all before.
 */
export interface Records {
  /** Keeps the bytes under their lower-case hex SHA-256 and returns it. */
  putBlob(bytes: Uint8Array): Promise<string>;
  getBlob(sha256: string): Promise<Uint8Array | undefined>;
  /** From the moment this resolves, `isKeyRevoked` is true for ever. Repeating it changes nothing. */
  revokeKey(keyId: string): Promise<void>;
  isKeyRevoked(keyId: string): Promise<boolean>;
  /** A small named value, for example what the first start made. */
  getValue(name: string): Promise<string | undefined>;
  /** Replaces the value. @throws {Fenced} when a greater token is stored; without a fence the token is ignored */
  setValue(name: string, value: string, fence?: Fence): Promise<void>;
  /**
   * Writes the value if the stored one is still what was `seen` (undefined: absent); a fence is ignored.
   * @returns whether it was written; of several writers that saw the same value, one writes
   */
  replaceValue(name: string, seen: string | undefined, value: string): Promise<boolean>;
  /**
   * Rejects writes with a smaller token from now on, and returns the value.
   * @throws {Fenced} when a greater token is stored
   */
  fenceValue(name: string, fence: Fence): Promise<string | undefined>;
  /** Names of what is kept, in order of name, a page after `after` (exclusive). For a copy. */
  list(kind: RecordKind, options: { after: string | undefined; limit: number }): Promise<readonly string[]>;
  /** Undefined when nobody ever took it. */
  readLease(name: string): Promise<Lease | undefined>;
  /**
   * Makes `holder` the holder if the lease is still what was `seen`; else undefined. Its token is the next one, greater than
   * `above` (default 0) as well.
   */
  takeLease(name: string, holder: string, seen: Lease | undefined, above?: number): Promise<Lease | undefined>;
  /** The lease with the next beat; undefined when somebody else has taken it. */
  beatLease(name: string, lease: Lease): Promise<Lease | undefined>;
  /** Gives the lease back, if it is still the one that was taken. */
  releaseLease(name: string, lease: Lease): Promise<void>;
  /**
   * The time by the clock of the server, in milliseconds since 1970; undefined until the server has sent it. Absent where the store is
   * no server.
   */
  serverTime?: (() => number | undefined) | undefined;
  ping(): Promise<void>;
  close(): Promise<void>;
}
