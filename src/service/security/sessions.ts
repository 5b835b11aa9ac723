import { Refusal } from '#domain/refusals.ts';
import type { Instant } from '#event-sourcing/time.ts';
import type { Records } from '#stores/records/records.ts';
import type { Caller, FindActing, KeyRing } from './key-ring.ts';
import type { SessionTokens } from './session-tokens.ts';

interface SessionOptions {
  readonly tokens: SessionTokens;
  readonly keyRing: Pick<KeyRing, 'authenticate' | 'authenticateById' | 'authenticatePerson'>;
  readonly records: Pick<Records, 'replaceValue'>;
  readonly now: () => Instant;
}

export interface OpenedSession {
  readonly caller: Caller;
  /** What the cookie holds. */
  readonly value: string;
  readonly expiresAt: Instant;
}

const SESSION_MS = 10 * 3_600_000;
const TICKET_MS = 3_600_000;
/** For how long the page of the issuer may take. */
export const SIGN_IN_MS = 600_000;
/** How much the clocks of two processes may differ. */
const CLOCK_TOLERANCE_MS = 60_000;

/**
 * Opens sessions, which a cookie holds in place of a key, and authenticates their requests. The server keeps nothing of
 * a session: its key and its person are checked at every request.
 */
export class Sessions {
  readonly #options: SessionOptions;

  constructor(options: SessionOptions) {
    this.#options = options;
  }

  get nameSuffix(): string {
    return this.#options.tokens.nameSuffix;
  }

  /** Opens a session for a key. @throws {Refusal} as for a request with the key @throws {StoreUnavailable} */
  async open(key: string): Promise<OpenedSession> {
    return this.#openFor(await this.#options.keyRing.authenticate(key));
  }

  /**
   * Opens a session for the person of a ticket, which is then used up.
   * @throws {Refusal} `ticket_invalid`, or as `findEnvironment` @throws {StoreUnavailable}
   */
  async redeem(ticket: string, findEnvironment: FindActing): Promise<OpenedSession> {
    const { tokens, records, now } = this.#options;
    const [id = '', number, issued] = tokens.open('ticket', ticket) ?? [];
    if (!this.#isBetween(Number(issued), Number(issued) + TICKET_MS)) throw invalidTicket();
    const opened = await this.openForPerson(id, findEnvironment).catch((error: unknown) => {
      throw isEnd(error) ? invalidTicket() : error;
    });
    const isFirst = async () => await records.replaceValue(`ticket ${ticket.split('.').at(-1)}`, undefined, now());
    if (String(opened.caller.sessionsEnded) !== number || !(await isFirst())) throw invalidTicket();
    return opened;
  }

  /** Returns what a cookie holds while a person signs in at an issuer. @param fields texts without a dot */
  hold(fields: readonly string[]): string {
    return this.#options.tokens.sign('sign-in', [...fields, String(Date.parse(this.#options.now()))]);
  }

  /** Returns the fields that such a cookie holds; undefined where it is too old, or none of this service. */
  heldIn(value: string | undefined): readonly string[] | undefined {
    const fields = this.#options.tokens.open('sign-in', value ?? '') ?? [];
    const at = Number(fields.at(-1));
    return this.#isBetween(at, at + SIGN_IN_MS) ? fields.slice(0, -1) : undefined;
  }

  /** Opens a session for a person. @throws {Refusal} as `KeyRing.authenticatePerson` @throws {StoreUnavailable} */
  async openForPerson(id: string, findEnvironment: FindActing): Promise<OpenedSession> {
    return this.#openFor(await this.#options.keyRing.authenticatePerson(id, findEnvironment));
  }

  #openFor(caller: Caller): OpenedSession {
    const { tokens, now } = this.#options;
    const issued = Date.parse(now());
    const expires = Math.min(issued + SESSION_MS, Date.parse(caller.expiresAt ?? '') || Infinity);
    const kind = caller.actor.keyId === null ? 'person' : 'key';
    const value = tokens.sign('session', [
      kind,
      caller.id,
      String(caller.sessionsEnded),
      String(issued),
      String(expires),
    ]);
    return { caller, value, expiresAt: new Date(expires).toISOString() };
  }

  /**
   * Returns the caller of a session.
   * @throws {Refusal} `session_ended`, or as `findEnvironment` @throws {StoreUnavailable}
   */
  async authenticate(value: string, findEnvironment: FindActing): Promise<Caller> {
    const { tokens, keyRing } = this.#options;
    const [kind, id = '', number, issued, expires] = tokens.open('session', value) ?? [];
    if (!this.#isBetween(Number(issued), Number(expires))) throw ended();
    const found = kind === 'key' ? keyRing.authenticateById(id) : keyRing.authenticatePerson(id, findEnvironment);
    const caller = await found.catch((error: unknown) => {
      throw isEnd(error) ? ended() : error;
    });
    if (String(caller.sessionsEnded) !== number) throw ended();
    return { ...caller, expiresAt: new Date(Number(expires)).toISOString() };
  }

  /** A clock that was set back makes nothing valid for longer. */
  #isBetween(issued: number, expires: number): boolean {
    const time = Date.parse(this.#options.now());
    return issued <= time + CLOCK_TOLERANCE_MS && time < expires;
  }
}

/** Returns whether the key of a session, or its person, is not valid any more. */
function isEnd(error: unknown): boolean {
  return error instanceof Refusal && error.code.startsWith('api_key_');
}

function invalidTicket(): Refusal {
  return new Refusal('ticket_invalid', 'The ticket is not valid, or not any more; ask for another one');
}

function ended(): Refusal {
  return new Refusal('session_ended', 'The session has ended; sign in again');
}
