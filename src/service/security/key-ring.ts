import { hash, timingSafeEqual } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { type ApiKeyState, apiKey, apiKeyStream, kindFor } from '#domain/api-key/api-key.ts';
import { loadState } from '#domain/events.ts';
import { parseKey } from '#domain/api-key/key-format.ts';
import { Refusal } from '#domain/refusals.ts';
import type { EventStore } from '#stores/event-log/event-log.ts';
import type { Records } from '#stores/records/records.ts';
import type { ActingEnvironment } from '#domain/environment/environment.ts';
import { person, type PersonState, personStream } from '#domain/person/person.ts';
import type { CallerRights, Reader } from '#queries/query.ts';
import type { Instant } from '#event-sourcing/time.ts';
import type { Actor } from '#event-sourcing/event.ts';

/** Who sent a request, as its API key says: the reader for queries, the actor for the metadata of events. */
export interface Caller extends CallerRights {
  /** How often the sessions of its person were ended; 0 of no person. */
  readonly sessionsEnded: number;
  /** What limits count by. Another secret in place of the administrator's key has another id. */
  readonly id: string;
  readonly reader: Reader;
  readonly actor: Actor;
  /** Null for a session without a key. */
  readonly label: string | null;
  /** Environment of a merchant's key; undefined for other keys. */
  readonly environment: ActingEnvironment | undefined;
}

/** Returns the environment of a merchant in which a person without a key acts. */
export type FindActing = (merchantId: string) => Promise<ActingEnvironment>;

interface KeyRingOptions {
  readonly eventStore: Pick<EventStore, 'readStream'>;
  readonly records: Pick<Records, 'isKeyRevoked'>;
  /** The administrator's key from the settings: an API key or any long secret. */
  readonly adminKey: string | undefined;
  readonly now: () => Instant;
}

/** Immutable data of a key. Its revocation, its expiry and its person are checked with every request. */
interface CachedKey {
  readonly keyId: string;
  readonly keyHash: Buffer;
  /** As the key says; of a key of a person its rights at the time of the issue. */
  readonly caller: Caller;
  readonly personId: string | null;
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
   * @throws {Refusal} `api_key_missing`, `api_key_invalid`, `api_key_expired` @throws {StoreUnavailable}
   */
  async authenticate(header: string | undefined): Promise<Caller> {
    if (header === undefined || header === '') {
      throw new Refusal('api_key_missing', 'Send your API key in the header X-API-Key');
    }
    if (header.length > MAX_KEY_LENGTH) throw invalidKey();
    const digest = digestOf(header);
    if (this.#admin !== undefined && timingSafeEqual(digest, this.#admin.keyHash)) return this.#admin.caller;
    const key = this.#cache.get(keyIdIn(header)) ?? (await this.#find(parseKey(header) ?? {}));
    if (key === undefined || !timingSafeEqual(digest, key.keyHash)) throw invalidKey();
    return await this.#callerOf(key);
  }

  /** Returns the caller of the key with this `id`. @throws {Refusal} as `authenticate` @throws {StoreUnavailable} */
  async authenticateById(id: string): Promise<Caller> {
    if (id === this.#admin?.caller.id) return this.#admin.caller;
    const key = this.#cache.get(id) ?? (await this.#find({ keyId: id }));
    if (key === undefined) throw invalidKey();
    return await this.#callerOf(key);
  }

  async #callerOf(key: CachedKey): Promise<Caller> {
    if (await this.#options.records.isKeyRevoked(key.keyId)) throw invalidKey();
    const { expiresAt } = key.caller;
    if (expiresAt !== null && expiresAt <= this.#options.now())
      throw new Refusal('api_key_expired', `The API key in the header X-API-Key expired at ${expiresAt}`);
    if (key.personId === null) return key.caller;
    const state = await this.#loadPerson(key.personId);
    if (state === undefined) throw invalidKey();
    return callerOfPerson(key.caller, state, readerOf(state, key.caller.reader));
  }

  /**
   * Returns the caller that a person is without a key.
   * @param findEnvironment returns the environment in which a person of a merchant acts; its errors are passed on
   * @throws {Refusal} `api_key_invalid` for no person, or a removed one @throws {StoreUnavailable}
   */
  async authenticatePerson(id: string, findEnvironment: FindActing): Promise<Caller> {
    const state = await this.#loadPerson(id);
    if (state === undefined) throw invalidKey();
    const environment = state.merchant === null ? undefined : await findEnvironment(state.merchant.merchantId);
    const reader = readerOf(
      state,
      environment === undefined ? { role: 'admin' } : { role: 'merchant', ...environment },
    );
    const actor = { role: state.role, keyId: null };
    return callerOfPerson({ id, actor, label: null, environment, expiresAt: null }, state, reader);
  }

  /** Returns the person if it was not removed. */
  async #loadPerson(personId: string): Promise<PersonState | undefined> {
    const state = await loadState(person, personStream(personId), this.#options.eventStore);
    return state?.isRemoved === false ? state : undefined;
  }

  async #find({ keyId, kind }: Partial<NonNullable<ReturnType<typeof parseKey>>>): Promise<CachedKey | undefined> {
    if (keyId === undefined) return undefined;
    const state = await loadState(apiKey, apiKeyStream(keyId), this.#options.eventStore);
    if (state === undefined || state.status === 'revoked') return undefined;
    if (kind !== undefined && kind !== kindFor(state.grant)) return undefined;
    const key = {
      keyId: state.keyId,
      keyHash: Buffer.from(state.keyHash, 'latin1'),
      caller: callerOf(state),
      personId: state.personId,
    };
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
  const keyHash = digestOf(secret);
  return {
    keyId,
    keyHash,
    caller: {
      id: `${keyId}-${keyHash.toString('latin1', 0, 8)}`,
      sessionsEnded: 0,
      reader: { role: 'admin' },
      actor: { role: 'admin', keyId, label: 'first admin key' },
      label: 'first admin key',
      environment: undefined,
      person: null,
      authority: null,
      access: 'full',
      expiresAt: null,
    },
    personId: null,
  };
}

function callerOf({ keyId, label, grant, authority, access, expiresAt }: ApiKeyState): Caller {
  const rights = { id: keyId, sessionsEnded: 0, person: null, authority, access, expiresAt };
  const actor = { role: grant.role, keyId, label };
  if (grant.role !== 'merchant') return { ...rights, reader: grant, actor, label, environment: undefined };
  const { merchantId, environmentId, testMode } = grant;
  return { ...rights, reader: grant, actor, label, environment: { environmentId, merchantId, testMode } };
}

/** Returns the caller with the rights of its person as they are now. @throws {Refusal} without a reader */
function callerOfPerson(
  caller: Pick<Caller, 'id' | 'actor' | 'label' | 'environment' | 'expiresAt'>,
  { personId, name, authority, access, sessionsEnded }: PersonState,
  reader: Reader | undefined,
): Caller {
  if (reader === undefined) throw invalidKey();
  const actor = { ...caller.actor, role: reader.role, personId };
  return { ...caller, reader, actor, person: { person_id: personId, name }, authority, access, sessionsEnded };
}

/**
 * Returns the reader that a person is by a key; undefined where the key is of an environment, and the person not of its
 * merchant, or the other way round.
 */
function readerOf({ role, merchant, providerId }: PersonState, ofKey: Reader): Reader | undefined {
  if (role === 'merchant' || ofKey.role === 'merchant')
    return ofKey.role === 'merchant' && ofKey.merchantId === merchant?.merchantId ? ofKey : undefined;
  if (role !== 'insurer') return { role };
  return providerId === null ? undefined : { role, providerId };
}
