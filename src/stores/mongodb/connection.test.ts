import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { type Db, MongoServerError } from 'mongodb';

import { FakeMongodb } from '#test/support/fake-mongodb.ts';
import { StoreUnavailable } from '../shared/store-unavailable.ts';
import { type CallerKind, MongoConnection, NO_SOCKET_TIMEOUT } from './connection.ts';
import { waitUntil } from '#test/support/wait-until.ts';

/** Reads the options that the driver uses for a connection string, without connecting. */
async function useDatabase<T>(
  parameters: string,
  read: (database: Db) => T | Promise<T>,
  user = 'reader:hidden@',
): Promise<T> {
  const connection = new MongoConnection(`mongodb://${user}127.0.0.1:9/surety?${parameters}`);
  try {
    return await connection.use(async (database) => await read(database));
  } finally {
    await connection.close();
  }
}

describe('the connection string', () => {
  test.each(['', 'w=1', 'w=0', 'w=majority&journal=true', 'readPreference=secondary', 'readConcernLevel=majority'])(
    'cannot weaken durability and read consistency (parameters %j)',
    async (parameters) => {
      const { writeConcern, readConcern, readPreference } = await useDatabase(parameters, (database) => database);
      expect(writeConcern).toMatchObject({ w: 'majority', journal: true });
      expect(readConcern).toMatchObject({ level: 'majority' });
      expect(readPreference?.mode).toBe('primary');
    },
  );

  test.each([
    ['journal', 'journal=false'],
    ['journal', 'J=false'],
    ['readConcernLevel', 'readConcernLevel=local'],
    ['readConcernLevel', 'replicaSet=rs0&readConcernLevel=linearizable'],
  ])('is refused when the parameter %s would weaken them (%s)', (name, parameters) => {
    const open = (): MongoConnection => new MongoConnection(`mongodb://reader:hidden@127.0.0.1:9/surety?${parameters}`);
    expect(open).toThrow(StoreUnavailable);
    expect(open).toThrow(`The address of MongoDB must not set ${name}`);
    expect(open).not.toThrow('hidden');
  });

  test('overrides the default limits', async () => {
    const limits = ({ client }: Db): object => {
      const { serverSelectionTimeoutMS, connectTimeoutMS, socketTimeoutMS, heartbeatFrequencyMS } = client.options;
      return { serverSelectionTimeoutMS, connectTimeoutMS, socketTimeoutMS, heartbeatFrequencyMS };
    };
    const defaults = {
      serverSelectionTimeoutMS: 15_000,
      connectTimeoutMS: 2_000,
      socketTimeoutMS: 10_000,
      heartbeatFrequencyMS: 1_000,
    };
    expect(await useDatabase('', limits)).toEqual(defaults);
    expect(await useDatabase('serverSelectionTimeoutMS=50&appName=x', limits)).toEqual({
      ...defaults,
      serverSelectionTimeoutMS: 50,
    });
    expect(await useDatabase('SOCKETTIMEOUTMS=700&connectTimeoutMS=600&heartbeatFrequencyMS=800', limits)).toEqual({
      serverSelectionTimeoutMS: 15_000,
      connectTimeoutMS: 600,
      socketTimeoutMS: 700,
      heartbeatFrequencyMS: 800,
    });
  });
});

test('reports StoreUnavailable for the plain socket error that the driver (7.9) passes on', async () => {
  const action = useDatabase('', async () => {
    throw Object.assign(new Error('This socket has been ended by the other party'), { code: 'EPIPE' });
  });
  await expect(action).rejects.toMatchObject({
    name: 'StoreUnavailable',
    store: 'MongoDB',
    message: 'MongoDB: This socket has been ended by the other party',
  });
});

test.each([
  [13, 'Unauthorized', 'MongoDB: Unauthorized (13): the user needs the role readWrite on the database'],
  [18, 'AuthenticationFailed', 'MongoDB: AuthenticationFailed (18): user or password is wrong'],
  [11600, 'InterruptedAtShutdown', 'MongoDB: InterruptedAtShutdown (11600)'],
])('an error of the server with code %d is reported without its text', async (code, codeName, message) => {
  const error = new MongoServerError({ code, codeName, errmsg: 'not allowed on { email: "hidden" }' });
  await expect(useDatabase('', async () => await Promise.reject(error))).rejects.toMatchObject({ message });
});

test('an address without a user is named where the server requires one', async () => {
  const error = new MongoServerError({ code: 13, codeName: 'Unauthorized', errmsg: 'requires authentication' });
  const message = 'MongoDB: Unauthorized (13): the server requires a user, and MONGODB_URL names none';
  await expect(useDatabase('', async () => await Promise.reject(error), '')).rejects.toMatchObject({ message });
});

describe('with a server', () => {
  let server: FakeMongodb;
  let connection: MongoConnection | undefined;
  beforeEach(async () => {
    server = await FakeMongodb.start();
    connection = undefined;
  });
  afterEach(async () => {
    await connection?.close();
    server.stop();
  });
  const connect = (parameters = ''): MongoConnection => (connection = new MongoConnection(server.url + parameters));

  test('fails all waiting requests together when the driver reports the loss of the primary', async () => {
    const connection = connect();
    const failureTime = async (): Promise<number> => {
      await expect(connection.use(async (database) => await database.command({ ping: 1 }))).rejects.toBeInstanceOf(
        StoreUnavailable,
      );
      return performance.now();
    };
    await connection.ping();
    server.isSilent = true;
    const early = failureTime();
    await pause(1_000);
    const late = failureTime();
    expect(Math.abs((await late) - (await early))).toBeLessThan(700);
  });

  test('close ends within seconds when the server hangs, and leaves no connection', async () => {
    const connection = connect('?maxPoolSize=1&socketTimeoutMS=60000&connectTimeoutMS=4000');
    // Two sessions: one of them is free when the client closes, so the driver sends its end to the server.
    await Promise.all([connection.ping(), connection.ping()]);
    server.isSilent = true;
    const pendingPing = connection.ping().catch((error: unknown) => error);
    await once(server, 'request');
    const start = performance.now();
    await connection.close();
    expect(performance.now() - start).toBeLessThan(3_500);
    // A connection that is being established ends by connectTimeoutMS.
    await waitUntil(() => server.connections <= 0);
    await connection.close();
    expect(await pendingPing).toBeInstanceOf(StoreUnavailable);
  }, 15_000);

  const find = async (database: Db): Promise<unknown> => await database.collection('c').findOne();
  const ping = async (database: Db): Promise<unknown> => await database.command({ ping: 1 });
  const writeMany = async (database: Db): Promise<unknown> =>
    await database.collection('c').bulkWrite([{ insertOne: { document: {} } }], { ordered: false });

  test('an index build waits for its end beyond socketTimeoutMS, and other commands do not', async () => {
    const connection = connect('?socketTimeoutMS=300');
    await connection.ping();
    server.delayMs = { createIndexes: 1_500, count: 1_500 };
    const build = async (database: Db): Promise<unknown> =>
      await database.collection('c').createIndexes([{ key: { a: 1 } }], NO_SOCKET_TIMEOUT);
    await connection.use(build, 'index build');
    const count = async (database: Db): Promise<unknown> => await database.command({ count: 'c' });
    await expect(connection.use(count)).rejects.toBeInstanceOf(StoreUnavailable);
  });

  test('a request fails after 2 s with the reason, and a write of a process waits for the server on the same client', async () => {
    const connection = connect();
    const clients = new Set<unknown>();
    const use = async (action: typeof ping, caller: CallerKind): Promise<unknown> =>
      await connection.use(async (database) => {
        clients.add(database.client);
        return await action(database);
      }, caller);
    await use(ping, 'request');
    server.stop();
    // The driver may send the first one over a connection that is closing.
    await use(ping, 'request').catch(() => undefined);
    const expectTimeout = async (): Promise<void> => {
      const start = performance.now();
      const request = use(ping, 'request');
      await expect(request).rejects.toThrow(StoreUnavailable);
      await expect(request).rejects.toThrow(/^MongoDB: connect(ion|) /);
      expect(performance.now() - start).toBeGreaterThan(1_900);
      expect(performance.now() - start).toBeLessThan(3_500);
    };
    await expectTimeout();
    const pendingWrite = use(writeMany, 'process');
    await expectTimeout();
    server = await FakeMongodb.start(server.port);
    await pendingWrite;
    await use(ping, 'request');
    expect(clients.size).toBe(1);
  }, 15_000);

  test.each([
    ['one document is read', find],
    ['many are written', writeMany],
  ])('the client is replaced after the time limit of the connection string, while %s', async (_what, action) => {
    const connection = connect('?serverSelectionTimeoutMS=1000');
    const clients = new Set<unknown>();
    await connection.ping();
    server.stop();
    const reasons: string[] = [];
    while (clients.size < 2 && reasons.length < 10) {
      const request = connection.use(async (database) => {
        clients.add(database.client);
        return await action(database);
      });
      reasons.push(await request.then(String, (error: Error) => error.message));
    }
    expect(clients.size).toBe(2);
    expect(reasons.at(-1)).toMatch(/^MongoDB: connect(ion|) /);
  });
});
