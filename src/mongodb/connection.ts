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

import { StoreUnavailable } from '../event-store/event-store.ts';

/** The database that is used when the connection string names none. */
const DATABASE = 'surety';
/** Limits of the driver where the address does not name others. */
const DEFAULT_LIMITS = {
  /** How long a process waits for a server, and after which the client is replaced: longer than an election of a primary (10 s). */
  serverSelectionTimeoutMS: 15_000,
  connectTimeoutMS: 2_000,
  /** A short interval, so that a server that came back is noticed quickly. */
  heartbeatFrequencyMS: 1_000,
  /** How long a server that has the connection may take to answer. */
  socketTimeoutMS: 10_000,
};
/** How long a request waits for a server. */
const REQUEST_WAIT_MS = 2_000;
/** How long the action of one `use` may take. */
const ACTION_MS = 30_000;
/** How often a caller that waits for long checks whether the primary was lost. */
const POLL_INTERVAL_MS = 200;
/** How long a server may take to answer a ping. */
const PING_MS = 2_000;
/** How long a server may take to answer that a client closes. */
const CLOSE_MS = 2_000;

const DUPLICATE_KEY = 11_000;

const NO_SERVER = 'no primary is reached';
const NO_ANSWER = 'MongoDB does not answer';

/**
 * For whom MongoDB is asked while it has no primary. A request fails after 2 s, so that its sender can try again; the writes of a
 * process wait until a primary is elected.
 */
export type Caller = 'request' | 'process';

/**
 * A connection to MongoDB, standalone or replica set, that comes back by itself. The driver's client does not always: what
 * it sends over a connection that is closing at that moment is never answered and never times out (7.9), its own heartbeat
 * included. So a client is replaced when it finds no server for 15 s, or when an action does not end in time. A write is
 * answered when the majority of the members have it in their journal; a read gives nothing that could still be rolled back.
 * No transactions are used.
 */
export class MongoConnection {
  readonly #connect: () => MongoClient;
  readonly #databaseName: string | undefined;
  #client: MongoClient | undefined;
  #closed = false;
  /** Since when no server takes writes, by the monotonic clock; undefined while one does. */
  #lostAt: number | undefined;
  #whyLost: string | undefined;
  /** What the clock of the primary showed, and the monotonic clock then. */
  #heartbeat: { readonly localTime: number; readonly at: number } | undefined;

  /**
   * Connects when it is first used.
   * @param url connection string; the path names the database (default `surety`), its parameters may name other limits
   * @throws {StoreUnavailable} when it would weaken what is durable or what is read; the message quotes the parameter alone
   * @throws {Error} when it is not a connection string
   */
  constructor(url: string) {
    const limits = limitsBeside(url);
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
        const { isWritablePrimary, localTime } = reply;
        if (isWritablePrimary === true && localTime instanceof Date)
          this.#heartbeat = { localTime: localTime.getTime(), at: performance.now() };
      });
      return client;
    };
    this.#databaseName = namesDatabase(url) ? undefined : DATABASE;
    this.#client = this.#connect();
    refuseWeaker(this.#client);
  }

  /**
   * Runs `action` on the database. An action that is given up may still be executed when a server is found.
   * @throws {StoreUnavailable} when MongoDB fails, has no server for too long, or the connection was closed
   */
  async use<T>(action: (database: Db) => Promise<T>, caller: Caller = 'request'): Promise<T> {
    // The client of MongoDB would connect again.
    if (this.#closed) throw new StoreUnavailable('The store is closed');
    const client = (this.#client ??= this.#connect());
    const { serverSelectionTimeoutMS } = client.options;
    const waitMs = caller === 'request' ? REQUEST_WAIT_MS : serverSelectionTimeoutMS;
    return await this.#limit(this.#run(client, action), client, waitMs);
  }

  /** Resolves when the server answers. @throws {StoreUnavailable} also when that takes too long */
  async ping(): Promise<void> {
    await withTimeout(
      PING_MS,
      this.use(async (database) => await database.command({ ping: 1 })),
    );
  }

  /** The time by the clock of the primary, in milliseconds since 1970; undefined until it has sent one. */
  get serverTime(): number | undefined {
    if (this.#heartbeat === undefined) return undefined;
    return Math.round(this.#heartbeat.localTime + performance.now() - this.#heartbeat.at);
  }

  /** Closes for good, within seconds also when the server hangs; repeating it does nothing. */
  async close(): Promise<void> {
    this.#closed = true;
    if (this.#client !== undefined) await shut(this.#client);
  }

  async #run<T>(client: MongoClient, action: (database: Db) => Promise<T>): Promise<T> {
    try {
      return await action(client.db(this.#databaseName));
    } catch (error) {
      if (isSocketClosed(error))
        throw new StoreUnavailable(`MongoDB: ${error.message}`, { cause: error, store: 'MongoDB' });
      if (!(error instanceof MongoError)) throw error;
      const met = unwrapped(error);
      if (met instanceof MongoServerSelectionError) this.#discard(client);
      throw new StoreUnavailable(`MongoDB: ${describe(met)}`, { cause: error, store: 'MongoDB' });
    }
  }

  /**
   * Waits for the work as long as a server is known, or was within the last `waitMs`. After an outage of that length every caller
   * waits as long as a request, so that a process that is stopping ends.
   * @throws {StoreUnavailable}
   */
  async #limit<T>(work: Promise<T>, client: MongoClient, waitMs: number): Promise<T> {
    const { promise: refused, reject } = Promise.withResolvers<never>();
    const begun = performance.now();
    const look = (): void => {
      const now = performance.now();
      const waitLeft = waitMs - (this.#lostAt === undefined ? 0 : now - this.#lostAt);
      const actionLeft = ACTION_MS - (now - begun);
      if (actionLeft <= 0) {
        this.#discard(client);
        reject(new StoreUnavailable(NO_ANSWER, { store: 'MongoDB' }));
      } else if (waitLeft <= 0)
        reject(new StoreUnavailable(`MongoDB: ${this.#whyLost ?? NO_SERVER}`, { store: 'MongoDB' }));
      else timer = setTimeout(look, Math.min(waitLeft, actionLeft, POLL_INTERVAL_MS));
    };
    let timer = setTimeout(look, REQUEST_WAIT_MS);
    try {
      return await Promise.race([work, refused]);
    } finally {
      clearTimeout(timer);
    }
  }

  #observe({ servers, error }: TopologyDescription): void {
    const hasPrimary = [...servers.values()].some(({ isWritable }) => isWritable);
    // The driver reports a primary that is silent seconds after its last answer.
    this.#lostAt = hasPrimary ? undefined : (this.#lostAt ?? this.#heartbeat?.at ?? performance.now());
    this.#whyLost = error?.message;
  }

  #discard(client: MongoClient): void {
    if (this.#client !== client) return;
    this.#client = undefined;
    void shut(client);
  }
}

/**
 * Closes a client and its connections. The driver first tells the server which sessions end, and for that may even connect again
 * (7.9): a server that takes long over it is left as it is. Nothing is lost, since every write was answered or has failed.
 */
async function shut(client: MongoClient): Promise<void> {
  // It is not in the driver's types; its version is pinned.
  const { topology } = client as unknown as { readonly topology?: { close(): void } };
  const late = Promise.withResolvers<void>();
  const timer = setTimeout(() => {
    // Or its timers and sockets would keep the process from ending. One that is just being connected ends by connectTimeoutMS.
    topology?.close();
    late.resolve();
  }, CLOSE_MS);
  await Promise.race([client.close().catch(() => {}), late.promise]);
  clearTimeout(timer);
}

/** @throws {StoreUnavailable} when it takes longer */
async function withTimeout<T>(milliseconds: number, work: Promise<T>): Promise<T> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new StoreUnavailable(NO_ANSWER, { store: 'MongoDB' })), milliseconds);
  try {
    return await Promise.race([work, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}

/** The driver (7.9) passes the plain error of Node on when it writes to a socket that the server has just closed. */
function isSocketClosed(error: unknown): error is Error {
  return (error as Partial<NodeJS.ErrnoException> | null | undefined)?.code === 'EPIPE';
}

/** Whether a write failed only because a document with this unique value is there. */
export function isDuplicateKey(error: unknown): error is MongoServerError {
  return error instanceof MongoServerError && !(error instanceof MongoBulkWriteError) && error.code === DUPLICATE_KEY;
}

/** Whether a bulk write failed only because some of its documents are there; all others were then written. */
export function hasDuplicateKeysOnly(error: unknown): error is MongoBulkWriteError {
  if (!(error instanceof MongoBulkWriteError)) return false;
  const errors = error.result.getWriteErrors();
  const isDurable = error.result.getWriteConcernError() === undefined;
  return isDurable && errors.length > 0 && errors.every(({ code }) => code === DUPLICATE_KEY);
}

/** What a bulk write met before any server answered it: the driver (7.9) reports that as an error of the bulk, like an answer. */
function unwrapped(error: MongoError): MongoError {
  if (!(error instanceof MongoBulkWriteError)) return error;
  const { errorResponse } = error as { readonly errorResponse: unknown };
  return errorResponse instanceof MongoError ? errorResponse : error;
}

/** Without the values that the server quotes from a document. */
function describe(error: MongoError): string {
  // A client that is replaced is closed while other actions wait for it.
  if (error instanceof MongoTopologyClosedError) return NO_SERVER;
  if (!(error instanceof MongoServerError)) return error.message;
  if (error instanceof MongoBulkWriteError) return `${error.name} (${codesOf(error).join(', ') || 'of no write'})`;
  return `${error.codeName ?? error.name}${error.code === undefined ? '' : ` (${error.code})`}`;
}

/** Why writes of a bulk failed, each reason once. */
function codesOf({ result }: MongoBulkWriteError): readonly (string | number)[] {
  const ofConcern = result.getWriteConcernError();
  const codes = result.getWriteErrors().map(({ code }) => code);
  return [...new Set([...codes, ...(ofConcern === undefined ? [] : [`write concern ${ofConcern.code}`])])];
}

/** The default limits without those that the address names: options take precedence over the address. */
function limitsBeside(url: string): Partial<typeof DEFAULT_LIMITS> {
  const parameters = new URLSearchParams(url.split('?')[1]);
  const named = new Set([...parameters.keys()].map((name) => name.toLowerCase()));
  return Object.fromEntries(Object.entries(DEFAULT_LIMITS).filter(([name]) => !named.has(name.toLowerCase())));
}

/** Two parameters of an address count more to the driver than its options. @throws {StoreUnavailable} */
function refuseWeaker({ options: { writeConcern, readConcern, readPreference } }: MongoClient): void {
  const must = (holds: boolean, name: string, why: string): void => {
    if (!holds) throw new StoreUnavailable(`The address of MongoDB must not say ${name}: ${why}`);
  };
  must(writeConcern?.w === 'majority', 'w', 'what is answered has to be with the majority');
  must(writeConcern?.journal === true, 'journal', 'what is answered has to be in the journals');
  must(readConcern?.level === 'majority', 'readConcernLevel', 'what is read must not be taken back');
  must(readPreference.mode === 'primary', 'readPreference', 'what was written has to be read');
}

function namesDatabase(url: string): boolean {
  return /^mongodb(?:\+srv)?:\/\/[^/]+\/[^?]/.test(url);
}
