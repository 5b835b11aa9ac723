/**
 * What is neither event nor derived: claim documents by content hash, revoked keys, and (later) leases and checkpoints of
 * processes. Unlike the read models it cannot be made again and belongs into every backup.
 *
 * Guarantees, checked by `test/ports/records.suite.ts`: what was answered is durable; the same content twice is kept once.
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
  /** Replaces the value. */
  setValue(name: string, value: string): Promise<void>;
  ping(): Promise<void>;
  close(): Promise<void>;
}
