import {
  type Db,
  MongoBulkWriteError,
  MongoClient,
  MongoError,
  MongoServerError,
  MongoServerSelectionError,
  MongoTopologyClosedError,
  type TopologyDescription,
} from 'mongodb';
import { StoreUnavailable } from '../shared/store-unavailable.ts';
import { withTimeout } from '../shared/timing.ts';
import { tlsFailure } from '../shared/tls-failure.ts';

const DATABASE = 'surety';
/** Limits of the driver, which the connection string may override. */
const DEFAULT_LIMITS = {
  /** After this time without a server the client is replaced; longer than an election of a primary (10 s). */
  serverSelectionTimeoutMS: 15_000,
  connectTimeoutMS: 2_000,
  /** Short, so that a server that is back is noticed quickly. */
  heartbeatFrequencyMS: 1_000,
  /** Time limit of a response on an open connection. */
  socketTimeoutMS: 10_000,
};
/** Longest wait of a request for a server. */
const REQUEST_WAIT_MS = 2_000;
const ACTION_TIMEOUT_MS = 30_000;
/** Interval at which a waiting caller checks for the loss of the primary. */
const POLL_INTERVAL_MS = 200;
const PING_TIMEOUT_MS = 2_000;
const CLOSE_TIMEOUT_MS = 2_000;

const DUPLICATE_KEY = 11_000;

const NO_SERVER = 'no primary can be reached';
const NO_RESPONSE = 'MongoDB does not answer';

/**
 * Decides how long a caller waits while MongoDB has no primary. A request fails after 2 s, so that its client can
 * retry; a background process waits until a primary is elected. An index build also waits for its own end, which takes
 * minutes on a large collection.
 */
export type CallerKind = 'request' | 'process' | 'index build';

/**
 * Option of the command of an index build, without which the driver ends it after `socketTimeoutMS`; not in the types
 * of the driver (7.9).
 */
export const NO_SOCKET_TIMEOUT: object = { socketTimeoutMS: 0 };

/**
 * Connection to MongoDB, standalone or replica set, that reconnects automatically. The driver's client (7.9) does not
 * always: a message that it sends over a closing connection, including its heartbeat, is never answered and never times
 * out. So the client is replaced when it finds no server for 15 s, or when an action exceeds its time limit. Writes
 * return when the majority of the members have them in their journal; reads return only data that cannot be rolled
 * back. Transactions are not used.
 */
export class MongoConnection {
  readonly #connect: () => MongoClient;
  readonly #databaseName: string | undefined;
  #client: MongoClient | undefined;
  #closed = false;
  /** Start of the current time without a primary, by the monotonic clock. */
  #lostAt: number | undefined;
  #lossReason: string | undefined;
  /** Time of the last heartbeat of a primary, by the monotonic clock. */
  #heartbeatAt: number | undefined;

  /**
   * Creates a connection, which is opened by its first use.
   * @param url connection string; the path names the database (default `surety`), its parameters may name other limits
   * @throws {StoreUnavailable} when a parameter weakens durability or read consistency; the message names only the
   * parameter
   * @throws {Error} when `url` is not a connection string
   */
  constructor(url: string) {
    const limits = defaultLimitsFor(url);
    this.#connect = () => {
      const client = new MongoClient(url, {
        ...limits,
        appName: 'surety',
        writeConcern: { w: 'majority', journal: true },
        readConcern: { level: 'majority' },
        readPreference: 'primary',
        ignoreUndefined: true,
      });
      client.on('topologyDescriptionChanged', ({ newDescription }) => {
        if (this.#client === client) this.#observe(newDescription);
      });
      client.on('serverHeartbeatSucceeded', ({ reply }) => {
        if (reply['isWritablePrimary'] === true) this.#heartbeatAt = performance.now();
      });
      return client;
    };
    this.#databaseName = namesDatabase(url) ? undefined : DATABASE;
    this.#client = this.#connect();
    requireSafeOptions(this.#client);
  }

  /**
   * Runs `action` on the database. An action that timed out may still be executed when a server is found.
   * @throws {StoreUnavailable} when MongoDB fails, has no server for too long, or the connection was closed
   */
  async use<T>(action: (database: Db) => Promise<T>, caller: CallerKind = 'request'): Promise<T> {
    // The client of the driver would reconnect.
    if (this.#closed) throw new StoreUnavailable('The store is closed');
    const client = (this.#client ??= this.#connect());
    const { serverSelectionTimeoutMS } = client.options;
    const waitMs = caller === 'request' ? REQUEST_WAIT_MS : serverSelectionTimeoutMS;
    const actionMs = caller === 'index build' ? Infinity : ACTION_TIMEOUT_MS;
    return await this.#limit(this.#run(client, action), client, waitMs, actionMs);
  }

  async ping(): Promise<void> {
    const answered = this.use(async (database) => await database.command({ ping: 1 }));
    await withTimeout(answered, PING_TIMEOUT_MS, () => {
      throw new StoreUnavailable(NO_RESPONSE, { store: 'MongoDB' });
    });
  }

  /** Closes the connection permanently, within seconds even if the server hangs; idempotent. */
  async close(): Promise<void> {
    this.#closed = true;
    if (this.#client !== undefined) await closeClient(this.#client);
  }

  async #run<T>(client: MongoClient, action: (database: Db) => Promise<T>): Promise<T> {
    try {
      return await action(client.db(this.#databaseName));
    } catch (error) {
      if (isSocketClosed(error))
        throw new StoreUnavailable(`MongoDB: ${error.message}`, { cause: error, store: 'MongoDB' });
      if (!(error instanceof MongoError)) {
        // The driver reads the files of certificates when it connects.
        const failure = tlsFailure(error);
        if (failure === undefined) throw error;
        throw new StoreUnavailable(`MongoDB: ${failure}`, { cause: error, store: 'MongoDB' });
      }
      const reason = unwrap(error);
      if (reason instanceof MongoServerSelectionError) this.#discard(client);
      const hasUser = client.options.credentials !== undefined;
      throw new StoreUnavailable(`MongoDB: ${describe(reason, hasUser)}`, { cause: error, store: 'MongoDB' });
    }
  }

  /**
   * Waits for the work while a server is known, or was known within the last `waitMs`. After a longer outage every
   * caller waits as long as a request, so that a process can stop.
   * @throws {StoreUnavailable}
   */
  async #limit<T>(work: Promise<T>, client: MongoClient, waitMs: number, actionMs: number): Promise<T> {
    const { promise: timeout, reject } = Promise.withResolvers<never>();
    const start = performance.now();
    const check = (): void => {
      const now = performance.now();
      const waitLeft = waitMs - (this.#lostAt === undefined ? 0 : now - this.#lostAt);
      const actionLeft = actionMs - (now - start);
      if (actionLeft <= 0) {
        this.#discard(client);
        reject(new StoreUnavailable(NO_RESPONSE, { store: 'MongoDB' }));
      } else if (waitLeft <= 0)
        reject(new StoreUnavailable(`MongoDB: ${this.#lossReason ?? NO_SERVER}`, { store: 'MongoDB' }));
      else timer = setTimeout(check, Math.min(waitLeft, actionLeft, POLL_INTERVAL_MS));
    };
    let timer = setTimeout(check, REQUEST_WAIT_MS);
    try {
      return await Promise.race([work, timeout]);
    } finally {
      clearTimeout(timer);
    }
  }

  #observe({ servers, error }: TopologyDescription): void {
    const hasPrimary = [...servers.values()].some(({ isWritable }) => isWritable);
    // The driver reports the loss of a primary seconds after its last response.
    this.#lostAt = hasPrimary ? undefined : (this.#lostAt ?? this.#heartbeatAt ?? performance.now());
    this.#lossReason = error === null ? undefined : (tlsFailure(error) ?? error.message);
  }

  #discard(client: MongoClient): void {
    if (this.#client !== client) return;
    this.#client = undefined;
    void closeClient(client);
  }
}

/**
 * Closes a client and its connections. The driver (7.9) first sends the end of its sessions to the server, and may
 * reconnect for it, so the wait is limited. Nothing is lost, because every write was answered or has failed.
 */
async function closeClient(client: MongoClient): Promise<void> {
  // Not in the types of the driver; its version is pinned.
  const { topology } = client as unknown as { readonly topology?: { close(): void } };
  // Open timers and sockets would keep the process alive. A connection that is being established ends by
  // connectTimeoutMS.
  await withTimeout(
    client.close().catch(() => {}),
    CLOSE_TIMEOUT_MS,
    () => topology?.close(),
  );
}

/**
 * Recognises the plain error of Node that the driver (7.9) passes on after a write to a socket that the server has
 * closed.
 */
function isSocketClosed(error: unknown): error is Error {
  return (error as Partial<NodeJS.ErrnoException> | null | undefined)?.code === 'EPIPE';
}

/** Returns whether a write failed only because a document with this unique value exists. */
export function isDuplicateKey(error: unknown): error is MongoServerError {
  return error instanceof MongoServerError && !(error instanceof MongoBulkWriteError) && error.code === DUPLICATE_KEY;
}

/** Returns whether a bulk write failed only because some of its documents exist; all others were then written. */
export function hasDuplicateKeysOnly(error: unknown): error is MongoBulkWriteError {
  if (!(error instanceof MongoBulkWriteError)) return false;
  const errors = error.result.getWriteErrors();
  const isDurable = error.result.getWriteConcernError() === undefined;
  return isDurable && errors.length > 0 && errors.every(({ code }) => code === DUPLICATE_KEY);
}

/**
 * Returns the reason of a bulk write that reached no server, which the driver (7.9) wraps in an error of the bulk
 * write.
 */
function unwrap(error: MongoError): MongoError {
  if (!(error instanceof MongoBulkWriteError)) return error;
  const { errorResponse } = error as { readonly errorResponse: unknown };
  return errorResponse instanceof MongoError ? errorResponse : error;
}

const UNAUTHORIZED = 13;
const NO_USER = 'the server requires a user, and MONGODB_URL names none';

/** What the operator can do about an error code of the server. */
const HINTS: ReadonlyMap<unknown, string> = new Map([
  [UNAUTHORIZED, 'the user needs the role readWrite on the database'],
  [18, 'user or password is wrong'],
]);

/** Describes an error without the document values that the server quotes. */
function describe(error: MongoError, hasUser: boolean): string {
  // The client was replaced while this action waited for it.
  if (error instanceof MongoTopologyClosedError) return NO_SERVER;
  if (!(error instanceof MongoServerError)) return tlsFailure(error) ?? error.message;
  if (error instanceof MongoBulkWriteError) return `${error.name} (${codesOf(error).join(', ') || 'no code'})`;
  const hint = error.code === UNAUTHORIZED && !hasUser ? NO_USER : HINTS.get(error.code);
  const code = error.code === undefined ? '' : ` (${error.code})`;
  return `${error.codeName ?? error.name}${code}${hint === undefined ? '' : `: ${hint}`}`;
}

function codesOf({ result }: MongoBulkWriteError): readonly (string | number)[] {
  const ofConcern = result.getWriteConcernError();
  const codes = result.getWriteErrors().map(({ code }) => code);
  return [...new Set([...codes, ...(ofConcern === undefined ? [] : [`write concern ${ofConcern.code}`])])];
}

/** Returns the default limits that the connection string does not set, because options take precedence over it. */
function defaultLimitsFor(url: string): Partial<typeof DEFAULT_LIMITS> {
  const parameters = new URLSearchParams(url.split('?')[1]);
  const named = new Set([...parameters.keys()].map((name) => name.toLowerCase()));
  return Object.fromEntries(Object.entries(DEFAULT_LIMITS).filter(([name]) => !named.has(name.toLowerCase())));
}

/** Checks parameters that the driver prefers over its options. @throws {StoreUnavailable} */
function requireSafeOptions({ options: { writeConcern, readConcern, readPreference } }: MongoClient): void {
  const require = (isSafe: boolean, name: string, reason: string): void => {
    if (!isSafe) throw new StoreUnavailable(`The address of MongoDB must not set ${name}: ${reason}`);
  };
  require(writeConcern?.w === 'majority', 'w', 'writes must be acknowledged by the majority');
  require(writeConcern?.journal === true, 'journal', 'writes must be in the journal when they are acknowledged');
  require(readConcern?.level === 'majority', 'readConcernLevel', 'reads must not return data that can be rolled back');
  require(readPreference.mode === 'primary', 'readPreference', 'reads must return the newest writes');
}

function namesDatabase(url: string): boolean {
  return /^mongodb(?:\+srv)?:\/\/[^/]+\/[^?]/.test(url);
}
