import { hash, timingSafeEqual } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { type ApiKeyEvent, type ApiKeyState, apiKey, apiKeyStream, type KeyGrant } from '../domain/api-key/api-key.ts';
import { decode } from '../domain/events.ts';
import type { Recorded } from '../event-sourcing/event.ts';
import { type KeyKind, parseKey } from '../domain/api-key/key-format.ts';
import { Refusal } from '../domain/refusals.ts';
import type { EventStore } from '../event-store/event-store.ts';
import type { Records } from '../records/records.ts';
import type { Caller } from './caller.ts';

export interface KeyRingOptions {
  readonly eventStore: Pick<EventStore, 'readStream'>;
  readonly records: Pick<Records, 'isKeyRevoked'>;
  /** The administrator's key of the settings: one in the form of a key, or any long secret. */
  readonly adminKey: string | undefined;
}

/** A key that once opened, by its public id. Nothing here ever changes; whether it was revoked is asked every time. */
interface KnownKey {
  readonly keyId: string;
  readonly keyHash: Buffer;
  readonly caller: Caller;
}

/** How many keys are remembered; each further one costs a read of its stream now and then. */
const REMEMBERED_KEYS = 10_000;
/** No key Surety makes or accepts is longer. */
const LONGEST_KEY = 512;

/**
 * Opens the door to who has a key (`decisions`: Keys, roles, tenancy). The log is the authority, not a read model, so keys
 * work while read models are rebuilt; revocation acts on the next request.
 */
export class KeyRing {
  readonly #options: KeyRingOptions;
  readonly #admin: KnownKey | undefined;
  readonly #known = new LRUCache<string, KnownKey>({ max: REMEMBERED_KEYS });

  constructor(options: KeyRingOptions) {
    this.#options = options;
    this.#admin = options.adminKey === undefined ? undefined : adminOf(options.adminKey);
  }

  /**
   * Who has this key. Whatever is wrong with it, the answer is the same.
   * @param header the text of `X-API-Key`; undefined when there was none
   * @throws {Refusal} `api_key_missing`, `api_key_invalid`
   * @throws {StoreUnavailable} when it cannot be told
   */
  async authenticate(header: string | undefined): Promise<Caller> {
    if (header === undefined || header === '') {
      throw new Refusal('api_key_missing', 'Send your API key in the header X-API-Key');
    }
    if (header.length > LONGEST_KEY) throw invalid();
    const digest = digestOf(header);
    if (this.#admin !== undefined && timingSafeEqual(digest, this.#admin.keyHash)) return this.#admin.caller;
    const key = this.#known.get(header.slice(header.indexOf('_', 3) + 1, -SECRET_PART)) ?? (await this.#find(header));
    if (key === undefined || !timingSafeEqual(digest, key.keyHash)) throw invalid();
    if (await this.#options.records.isKeyRevoked(key.keyId)) throw invalid();
    return key.caller;
  }

  async #find(text: string): Promise<KnownKey | undefined> {
    const parsed = parseKey(text);
    if (parsed === undefined) return undefined;
    const events = await this.#options.eventStore.readStream(apiKeyStream(parsed.keyId));
    const state = events.reduce<ApiKeyState | undefined>(
      (folded, raw) => apiKey.evolve(folded, decode(raw) as Recorded<ApiKeyEvent>),
      undefined,
    );
    if (state === undefined || state.situation === 'revoked' || kindFor(state.grant) !== parsed.kind) return undefined;
    const key = { keyId: state.keyId, keyHash: Buffer.from(state.keyHash, 'latin1'), caller: callerOf(state) };
    this.#known.set(state.keyId, key);
    return key;
  }
}

/** Length of `_<secret><checksum>`, what follows the public id in a key. */
const SECRET_PART = 34;

/** SHA-256 as the bytes of its hex text: the form in which Node computes it fastest. */
function digestOf(text: string): Buffer {
  return Buffer.from(hash('sha256', text, 'hex'), 'latin1');
}

function invalid(): Refusal {
  return new Refusal('api_key_invalid', 'The API key in the header X-API-Key is unknown or no longer valid');
}

function adminOf(secret: string): KnownKey {
  const keyId = parseKey(secret)?.keyId ?? 'settings';
  return {
    keyId,
    keyHash: digestOf(secret),
    caller: { reader: { role: 'admin' }, actor: { role: 'admin', keyId }, environment: undefined },
  };
}

function kindFor(grant: KeyGrant): KeyKind {
  if (grant.role !== 'merchant') return 'platform';
  return grant.testMode ? 'test' : 'live';
}

function callerOf({ keyId, grant }: ApiKeyState): Caller {
  if (grant.role !== 'merchant') {
    return { reader: { role: grant.role }, actor: { role: grant.role, keyId }, environment: undefined };
  }
  const { merchantId, environmentId, testMode } = grant;
  return {
    reader: { role: 'merchant', merchantId, environmentId, testMode },
    actor: { role: 'merchant', keyId },
    environment: { environmentId, merchantId, testMode },
  };
}
