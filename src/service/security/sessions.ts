import { Refusal } from '#domain/refusals.ts';
import type { Instant } from '#event-sourcing/time.ts';
import type { Caller, FindActing, KeyRing } from './key-ring.ts';
import type { SessionTokens } from './session-tokens.ts';

interface SessionOptions {
  readonly tokens: SessionTokens;
  readonly keyRing: Pick<KeyRing, 'authenticate' | 'authenticateById' | 'authenticatePerson'>;
  readonly now: () => Instant;
}

export interface OpenedSession {
  readonly caller: Caller;
  /** What the cookie holds. */
  readonly value: string;
  readonly expiresAt: Instant;
}

const SESSION_MS = 10 * 3_600_000;
/** How much the clocks of two processes may differ. */
const CLOCK_TOLERANCE_MS = 60_000;

/**
 * Opens sessions, which a cookie holds in place of a key, and authenticates their requests. The server keeps nothing of
 * a session: its key is checked at every request.
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
    const { tokens, keyRing, now } = this.#options;
    const caller = await keyRing.authenticate(key);
    const issued = Date.parse(now());
    const expires = Math.min(issued + SESSION_MS, Date.parse(caller.expiresAt ?? '') || Infinity);
    const kind = caller.actor.keyId === null ? 'person' : 'key';
    const value = tokens.sign('session', [kind, caller.id, ...[caller.sessionsEnded, issued, expires].map(String)]);
    return { caller, value, expiresAt: new Date(expires).toISOString() };
  }

  /**
   * Returns the caller of a session.
   * @throws {Refusal} `session_ended`, or as `findEnvironment` @throws {StoreUnavailable}
   */
  async authenticate(value: string, findEnvironment: FindActing): Promise<Caller> {
    const { tokens, keyRing, now } = this.#options;
    const [kind, id = '', number, issued, expires] = tokens.open('session', value) ?? [];
    const time = Date.parse(now());
    // A clock that was set back makes no session longer.
    if (!(Number(issued) <= time + CLOCK_TOLERANCE_MS && time < Number(expires))) throw ended();
    const found = kind === 'key' ? keyRing.authenticateById(id) : keyRing.authenticatePerson(id, findEnvironment);
    const caller = await found.catch((error: unknown) => {
      throw error instanceof Refusal && error.code.startsWith('api_key_') ? ended() : error;
    });
    if (String(caller.sessionsEnded) !== number) throw ended();
    return { ...caller, expiresAt: new Date(Number(expires)).toISOString() };
  }
}

function ended(): Refusal {
  return new Refusal('session_ended', 'The session has ended; sign in again');
}
