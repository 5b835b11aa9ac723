import { hash, timingSafeEqual } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { type ApiKeyState, apiKey, apiKeyStream, type KeyGrant } from '#domain/api-key/api-key.ts';
import { loadState } from '#domain/events.ts';
import { type KeyKind, parseKey } from '#domain/api-key/key-format.ts';
import { Refusal } from '#domain/refusals.ts';
import type { EventStore } from '#stores/event-log/event-log.ts';
import type { Records } from '#stores/records/records.ts';
import type { ActingEnvironment } from '#domain/environment/environment.ts';
import type { Reader } from '#queries/query.ts';
import type { Actor } from '#event-sourcing/event.ts';

/** Who sent a request, as its API key says: the reader for queries, the actor for the metadata of events. */
export interface Caller {
  readonly reader: Reader;
  readonly actor: Actor & { readonly keyId: string };
  readonly label: string;
  /** Environment of a merchant's key; undefined for platform keys. */
  readonly environment: ActingEnvironment | undefined;
}

interface KeyRingOptions {
  readonly eventStore: Pick<EventStore, 'readStream'>;
  readonly records: Pick<Records, 'isKeyRevoked'>;
  /** The administrator's key from the settings: an API key or any long secret. */
  readonly adminKey: string | undefined;
}

/** Immutable data of a key. Its revocation is checked with every request. */
interface CachedKey {
  readonly keyId: string;
  readonly keyHash: Buffer;
  readonly caller: Caller;
}

/** Size of the cache; other keys are read from their streams. */
const MAX_CACHED_KEYS = 10_000;
const MAX_KEY_LENGTH = 512;

/**
 * Authenticates callers by API key. Reads keys from the event log, not from a read model, so that they work while read
 * models are rebuilt. A revocation applies to the next request.
 */
export class KeyRing {
  readonly #options: KeyRingOptions;
  readonly #admin: CachedKey | undefined;
  readonly #cache = new LRUCache<string, CachedKey>({ max: MAX_CACHED_KEYS });

  constructor(options: KeyRingOptions) {
    this.#options = options;
    this.#admin = options.adminKey === undefined ? undefined : adminOf(options.adminKey);
  }

  /**
   * Returns the caller. The refusal does not disclose why a key is invalid.
   * @param header value of `X-API-Key`; undefined when it is missing
   * @throws {Refusal} `api_key_missing`, `api_key_invalid` @throws {StoreUnavailable}
   */
  async authenticate(header: string | undefined): Promise<Caller> {
    if (header === undefined || header === '') {
      throw new Refusal('api_key_missing', 'Send your API key in the header X-API-Key');
    }
    if (header.length > MAX_KEY_LENGTH) throw invalidKey();
    const digest = digestOf(header);
    if (this.#admin !== undefined && timingSafeEqual(digest, this.#admin.keyHash)) return this.#admin.caller;
    const key = this.#cache.get(keyIdIn(header)) ?? (await this.#find(header));
    if (key === undefined || !timingSafeEqual(digest, key.keyHash)) throw invalidKey();
    if (await this.#options.records.isKeyRevoked(key.keyId)) throw invalidKey();
    return key.caller;
  }

  async #find(text: string): Promise<CachedKey | undefined> {
    const parsed = parseKey(text);
    if (parsed === undefined) return undefined;
    const state = await loadState(apiKey, apiKeyStream(parsed.keyId), this.#options.eventStore);
    if (state === undefined || state.status === 'revoked' || kindFor(state.grant) !== parsed.kind) return undefined;
    const key = { keyId: state.keyId, keyHash: Buffer.from(state.keyHash, 'latin1'), caller: callerOf(state) };
    this.#cache.set(state.keyId, key);
    return key;
  }
}

/** Length of `_<secret><checksum>`, which follows the public id in a key. */
const SECRET_PART_LENGTH = 34;

/** Returns the public id in a key without checking its format, because the hash of the whole key is compared anyway. */
function keyIdIn(header: string): string {
  return header.slice(header.indexOf('_', 'sk_'.length) + 1, -SECRET_PART_LENGTH);
}

/** Returns the SHA-256 as bytes of its hex text, which is the fastest form in Node. */
function digestOf(text: string): Buffer {
  return Buffer.from(hash('sha256', text, 'hex'), 'latin1');
}

function invalidKey(): Refusal {
  return new Refusal('api_key_invalid', 'The API key in the header X-API-Key is unknown or no longer valid');
}

function adminOf(secret: string): CachedKey {
  const keyId = parseKey(secret)?.keyId ?? 'settings';
  return {
    keyId,
    keyHash: digestOf(secret),
    caller: {
      reader: { role: 'admin' },
      actor: { role: 'admin', keyId, label: 'first admin key' },
      label: 'first admin key',
      environment: undefined,
    },
  };
}

function kindFor(grant: KeyGrant): KeyKind {
  if (grant.role !== 'merchant') return 'platform';
  return grant.testMode ? 'test' : 'live';
}

function callerOf({ keyId, label, grant }: ApiKeyState): Caller {
  if (grant.role !== 'merchant') {
    return { reader: { role: grant.role }, actor: { role: grant.role, keyId, label }, label, environment: undefined };
  }
  const { merchantId, environmentId, testMode } = grant;
  return {
    reader: { role: 'merchant', merchantId, environmentId, testMode },
    actor: { role: 'merchant', keyId, label },
    label,
    environment: { environmentId, merchantId, testMode },
  };
}
