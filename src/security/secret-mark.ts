import { createHmac } from 'node:crypto';
import { keepFirst } from '../records/first-value.ts';
import type { Records } from '../records/records.ts';

/** Names the value in the records that tells which secret signs the tokens of their merchants; never changed. */
export const SECRET_MARK = 'secret-mark';

/** 16 bytes: enough to tell secrets apart, and a secret of 32 characters is not guessed from them. */
const MARK_BYTES = 16;

/** The service was given another secret than the one with which links in mails were made. */
export class OtherSecret extends Error {
  override readonly name = 'OtherSecret';
  constructor() {
    super('The secret of this process is not the one that signs the links in mails here');
  }
}

/** Tells a secret apart from others and lets nobody find it out: an HMAC of a constant under it. */
export function markOf(secret: string): string {
  return createHmac('sha256', secret).update('surety secret mark').digest().subarray(0, MARK_BYTES).toString('hex');
}

/**
 * Makes sure that all processes on these records sign with one secret; the first that comes says which.
 * @throws {OtherSecret} @throws {StoreUnavailable}
 */
export async function keepToSecret(
  records: Pick<Records, 'getValue' | 'setValue' | 'takeLease' | 'readLease'>,
  secret: string,
): Promise<void> {
  const mark = markOf(secret);
  if ((await keepFirst(records, SECRET_MARK, mark)) !== mark) throw new OtherSecret();
}

/**
 * As `keepToSecret`, but it writes nothing, so records that know no secret have no other one.
 * @param secret undefined: a start that would have to make one
 * @throws {OtherSecret} @throws {StoreUnavailable}
 */
export async function refuseOtherSecret(records: Pick<Records, 'getValue'>, secret: string | undefined): Promise<void> {
  const kept = await records.getValue(SECRET_MARK);
  if (kept !== undefined && (secret === undefined || markOf(secret) !== kept)) throw new OtherSecret();
}

/** Lets these records have the secret from now on: tokens that were made with another one end. @throws {StoreUnavailable} */
export async function changeSecret(records: Pick<Records, 'getValue' | 'setValue'>, secret: string): Promise<void> {
  const mark = markOf(secret);
  if ((await records.getValue(SECRET_MARK)) !== mark) await records.setValue(SECRET_MARK, mark);
}
