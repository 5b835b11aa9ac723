import { createHmac, timingSafeEqual } from 'node:crypto';
import type { PersonState } from '#domain/person/person.ts';
import type { Instant } from '#event-sourcing/time.ts';
import { secretHash } from './start-secrets.ts';

/** What a signed text is for: one of another purpose is not valid. */
type Purpose = 'session' | 'ticket' | 'sign-in';

const SUFFIX_LENGTH = 8;

/** Signs what a browser keeps, with HMAC-SHA-256 under a key that derives from the secret for this alone. */
export class SessionTokens {
  /** Differs for another secret, so that the cookies of two services on one host have different names. */
  readonly nameSuffix: string;
  readonly #key: Buffer;

  constructor(secret: string) {
    this.nameSuffix = secretHash(secret).slice(0, SUFFIX_LENGTH);
    this.#key = createHmac('sha256', secret).update('surety sessions').digest();
  }

  /** @param fields texts without a dot */
  sign(purpose: Purpose, fields: readonly string[]): string {
    const text = fields.join('.');
    return `${text}.${this.#signatureOf(purpose, text)}`;
  }

  /** Returns the fields of a text that was signed for this purpose; undefined for any other text. */
  open(purpose: Purpose, signed: string): readonly string[] | undefined {
    const end = signed.lastIndexOf('.');
    const text = signed.slice(0, Math.max(end, 0));
    const [given, expected] = [signed.slice(end + 1), this.#signatureOf(purpose, text)].map((part) =>
      Buffer.from(part),
    );
    if (given === undefined || expected === undefined || given.length !== expected.length) return undefined;
    return timingSafeEqual(given, expected) ? text.split('.') : undefined;
  }

  #signatureOf(purpose: Purpose, text: string): string {
    return createHmac('sha256', this.#key).update(`${purpose} ${text}`).digest('base64url');
  }
}

/**
 * Returns the text of a ticket. The page shows name and role before it signs in; what counts are the rights of the
 * person then.
 */
export function signTicket(
  tokens: SessionTokens,
  { personId, sessionsEnded, name, role }: Pick<PersonState, 'personId' | 'sessionsEnded' | 'name' | 'role'>,
  issuedAt: Instant,
  id: string,
): string {
  const shown = Buffer.from(JSON.stringify({ name, role })).toString('base64url');
  return tokens.sign('ticket', [personId, String(sessionsEnded), String(Date.parse(issuedAt)), shown, id]);
}
