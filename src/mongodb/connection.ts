import {
  type Db,
  MongoBulkWriteError,
  MongoClient,
  MongoError,
  MongoServerError,
  MongoServerSelectionError,
  MongoTopologyClosedError,
} from 'mongodb';

import { StoreUnavailable } from '../event-store/event-store.ts';

/** The database that is used when the connection string names none. */
const DATABASE = 'surety';
/** What of the driver's own limits counts where the address says nothing else. */
const USUAL_LIMITS = {
  /** How long a request looks for a server that takes it. */
  serverSelectionTimeoutMS: 2_000,
  connectTimeoutMS: 2_000,
  /** How often a server is asked whether it is there, so that one that came back is soon noticed. */
  heartbeatFrequencyMS: 1_000,
  /** How long a server that has the connection may take to answer. */
  socketTimeoutMS: 10_000,
};
/** How long what is done by one `use` may take. */
const ACTION_MS = 30_000;
/** How long a server may take to say that it is there. */
const PING_MS = 2_000;
/** How long a server may take to hear that a client goes. */
const FAREWELL_MS = 2_000;

const DUPLICATE_KEY = 11_000;

/**
 * A connection to MongoDB, standalone or replica set, that comes back by itself. The driver's client does not always: what
 * it sends over a connection that is closing at that moment is never answered and never times out (7.9), its own question
 * whether the server is there included. So a client that finds no server, or is not done in time, is thrown away. A write is
 * answered when the majority of the members have it in their journal; a read gives nothing that could still be rolled back.
 * No transactions are used.
 */
export class MongoConnection {
  readonly #connect: () => MongoClient;
  readonly #databaseName: string | undefined;
  #client: MongoClient | undefined;
  #closed = false;

  /**
   * Connects when it is first used.
   * @param url connection string; the path names the database (default `surety`), its parameters may say other limits
   * @throws {StoreUnavailable} when it would weaken what is durable or what is read; the message quotes the parameter alone
   * @throws {Error} when it is not a connection string
   */
  constructor(url: string) {
    const limits = limitsBeside(url);
    this.#connect = () =>
      new MongoClient(url, {
        ...limits,
        appName: 'surety',
        writeConcern: { w: 'majority', journal: true },
        readConcern: { level: 'majority' },
        readPreference: 'primary',
        ignoreUndefined: true,
      });
    this.#databaseName = namesDatabase(url) ? undefined : DATABASE;
    this.#client = this.#connect();
    refuseWeaker(this.#client);
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
      const met = unwrapped(error);
      if (met instanceof MongoServerSelectionError) this.#discard(client);
      throw new StoreUnavailable(`MongoDB: ${describe(met)}`, { cause: error });
    }
  }

  /** Resolves when the server answers. @throws {StoreUnavailable} also when that takes too long */
  async ping(): Promise<void> {
    await within(
      PING_MS,
      this.use(async (database) => await database.command({ ping: 1 })),
    );
  }

  /** Closes for good, within seconds also when the server hangs; repeating it does nothing. */
  async close(): Promise<void> {
    this.#closed = true;
    if (this.#client !== undefined) await shut(this.#client);
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
  }, FAREWELL_MS);
  await Promise.race([client.close().catch(() => {}), late.promise]);
  clearTimeout(timer);
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

/** What a bulk write met before any server answered it: the driver (7.9) tells that as an error of the bulk, like an answer. */
function unwrapped(error: MongoError): MongoError {
  if (!(error instanceof MongoBulkWriteError)) return error;
  const { errorResponse } = error as { readonly errorResponse: unknown };
  return errorResponse instanceof MongoError ? errorResponse : error;
}

/** Without the values that the server quotes from a document. */
function describe(error: MongoError): string {
  // Whoever discards a client that finds no server closes it under the others who wait for it.
  if (error instanceof MongoTopologyClosedError) return 'the server is not reached';
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

/** The usual limits without those that the address says itself, which the driver would pass over. */
function limitsBeside(url: string): Partial<typeof USUAL_LIMITS> {
  const parameters = new URLSearchParams(url.split('?')[1]);
  const said = new Set([...parameters.keys()].map((name) => name.toLowerCase()));
  return Object.fromEntries(Object.entries(USUAL_LIMITS).filter(([name]) => !said.has(name.toLowerCase())));
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
