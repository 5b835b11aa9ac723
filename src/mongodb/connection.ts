import {
  type Db,
  MongoBulkWriteError,
  MongoClient,
  MongoError,
  MongoServerError,
  MongoServerSelectionError,
} from 'mongodb';

import { StoreUnavailable } from '../event-store/event-store.ts';

/** The database that is used when the connection string names none. */
const DATABASE = 'surety';
/** How long a request looks for a server that takes it. */
const SELECTION_MS = 2_000;
/** How often a server is asked whether it is there, so that one that came back is soon noticed. */
const HEARTBEAT_MS = 1_000;
/** How long a server that has the connection may take to answer. */
const ANSWER_MS = 10_000;
/** How long everything that is done at once may take. */
const ACTION_MS = 30_000;
/** How long a server may take to say that it is there. */
const PING_MS = 2_000;

const DUPLICATE_KEY = 11_000;

/**
 * A connection to MongoDB, standalone or replica set, that comes back by itself. The driver's client does not always: what
 * it sends over a connection that is closing at that moment is never answered and never times out (7.9), its own question
 * whether the server is there included. So a client that finds no server, or is not done in time, is thrown away. A write is answered when the majority of
 * the members have it in their journal; a read gives nothing that could still be rolled back. No transactions are used.
 */
export class MongoConnection {
  readonly #connect: () => MongoClient;
  readonly #databaseName: string | undefined;
  #client: MongoClient | undefined;
  #closed = false;

  /**
   * Connects when it is first used.
   * @param url connection string; the path names the database (default `surety`)
   * @throws {Error} when it is not a connection string
   */
  constructor(url: string) {
    this.#connect = () =>
      new MongoClient(url, {
        appName: 'surety',
        writeConcern: { w: 'majority', journal: true },
        readConcern: { level: 'majority' },
        readPreference: 'primary',
        serverSelectionTimeoutMS: SELECTION_MS,
        heartbeatFrequencyMS: HEARTBEAT_MS,
        connectTimeoutMS: SELECTION_MS,
        socketTimeoutMS: ANSWER_MS,
        ignoreUndefined: true,
      });
    this.#databaseName = namesDatabase(url) ? undefined : DATABASE;
    this.#client = this.#connect();
  }

  /** Runs `action` on the database. @throws {StoreUnavailable} when MongoDB fails, or the connection was closed */
  async use<T>(action: (database: Db) => Promise<T>): Promise<T> {
    // The client of MongoDB would connect again.
    if (this.#closed) throw new StoreUnavailable('The store is closed');
    const client = (this.#client ??= this.#connect());
    try {
      return await within(ACTION_MS, action(client.db(this.#databaseName)), () => this.#discard(client));
    } catch (error) {
      if (!(error instanceof MongoError)) throw error;
      if (error instanceof MongoServerSelectionError) this.#discard(client);
      throw new StoreUnavailable(`MongoDB: ${describe(error)}`, { cause: error });
    }
  }

  /** Resolves when the server answers. @throws {StoreUnavailable} also when that takes too long */
  async ping(): Promise<void> {
    await within(
      PING_MS,
      this.use(async (database) => await database.command({ ping: 1 })),
    );
  }

  /** Closes for good; repeating it does nothing. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.#client?.close();
  }

  #discard(client: MongoClient): void {
    if (this.#client !== client) return;
    this.#client = undefined;
    client.close().catch(() => {});
  }
}

/** @throws {StoreUnavailable} when it takes longer; `onLate` hears it first */
async function within<T>(milliseconds: number, work: Promise<T>, onLate: () => void = () => {}): Promise<T> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => {
    onLate();
    late.reject(new StoreUnavailable('MongoDB does not answer'));
  }, milliseconds);
  try {
    return await Promise.race([work, late.promise]);
  } finally {
    clearTimeout(timer);
  }
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

/** Without the values that the server quotes from a document. */
function describe(error: MongoError): string {
  if (!(error instanceof MongoServerError)) return error.message;
  return `${error.codeName ?? error.name}${error.code === undefined ? '' : ` (${error.code})`}`;
}

function namesDatabase(url: string): boolean {
  return /^mongodb(?:\+srv)?:\/\/[^/]+\/[^?]/.test(url);
}
