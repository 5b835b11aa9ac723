import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, test } from '@jest/globals';
import type { Db } from 'mongodb';

import { MuteMongodb } from '../../test/support/mute-mongodb.ts';
import { StoreUnavailable } from '../event-store/event-store.ts';
import { MongoConnection } from './connection.ts';

/** What the driver makes of an address; nothing is connected. */
async function used<T>(parameters: string, read: (database: Db) => T): Promise<T> {
  const connection = new MongoConnection(`mongodb://reader:hidden@127.0.0.1:9/surety?${parameters}`);
  try {
    return await connection.use(async (database) => await Promise.resolve(read(database)));
  } finally {
    await connection.close();
  }
}

describe('The address of MongoDB', () => {
  test.each(['', 'w=1', 'w=0', 'w=majority&journal=true', 'readPreference=secondary', 'readConcernLevel=majority'])(
    'given the parameters %j, then what is answered is durable and what is read stays, whatever they say',
    async (parameters) => {
      const { writeConcern, readConcern, readPreference } = await used(parameters, (database) => database);
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
  ])('given one whose parameter %s would weaken that (%s), then it is refused by a sentence', (name, parameters) => {
    const open = (): MongoConnection => new MongoConnection(`mongodb://reader:hidden@127.0.0.1:9/surety?${parameters}`);
    expect(open).toThrow(StoreUnavailable);
    expect(open).toThrow(`The address of MongoDB must not say ${name}`);
    expect(open).not.toThrow('hidden');
  });

  test('given one that says how long to wait, then so long is waited, else not long', async () => {
    const limits = ({ client }: Db): object => {
      const { serverSelectionTimeoutMS, connectTimeoutMS, socketTimeoutMS, heartbeatFrequencyMS } = client.options;
      return { serverSelectionTimeoutMS, connectTimeoutMS, socketTimeoutMS, heartbeatFrequencyMS };
    };
    const usual = {
      serverSelectionTimeoutMS: 2_000,
      connectTimeoutMS: 2_000,
      socketTimeoutMS: 10_000,
      heartbeatFrequencyMS: 1_000,
    };
    expect(await used('', limits)).toEqual(usual);
    expect(await used('serverSelectionTimeoutMS=50&appName=x', limits)).toEqual({
      ...usual,
      serverSelectionTimeoutMS: 50,
    });
    expect(await used('SOCKETTIMEOUTMS=700&connectTimeoutMS=600&heartbeatFrequencyMS=800', limits)).toEqual({
      serverSelectionTimeoutMS: 2_000,
      connectTimeoutMS: 600,
      socketTimeoutMS: 700,
      heartbeatFrequencyMS: 800,
    });
  });
});

describe('Closing', () => {
  test('given a server that hangs, then it is not waited for long, and no connection is left', async () => {
    const server = await MuteMongodb.start();
    try {
      const connection = new MongoConnection(`${server.url}?maxPoolSize=1&socketTimeoutMS=60000&connectTimeoutMS=4000`);
      // Two sessions: one of them is free when the client goes, and its end is told to the server.
      await Promise.all([connection.ping(), connection.ping()]);
      server.isMute = true;
      const unanswered = connection.ping().catch((error: unknown) => error);
      await once(server, 'asked');
      const begun = performance.now();
      await connection.close();
      expect(performance.now() - begun).toBeLessThan(3_500);
      // One that was just being made goes when the time for that is over.
      while (server.connections > 0) await pause(10);
      await connection.close();
      expect(await unanswered).toBeInstanceOf(StoreUnavailable);
    } finally {
      server.stop();
    }
  }, 15_000);
});

describe('A client that finds no server', () => {
  const find = async (database: Db): Promise<unknown> => await database.collection('c').findOne();
  const writeMany = async (database: Db): Promise<unknown> =>
    await database.collection('c').bulkWrite([{ insertOne: { document: {} } }], { ordered: false });

  test.each([
    ['one document is asked for', find],
    ['many are written', writeMany],
  ])(
    'given it had found one before, when %s, then the reason is told and another client takes its place',
    async (_what, ask) => {
      const server = await MuteMongodb.start();
      const connection = new MongoConnection(`${server.url}?serverSelectionTimeoutMS=100`);
      const clients = new Set<unknown>();
      try {
        await connection.ping();
        server.stop();
        const reasons: string[] = [];
        while (clients.size < 2 && reasons.length < 10) {
          const asking = connection.use(async (database) => {
            clients.add(database.client);
            return await ask(database);
          });
          reasons.push(await asking.then(String, (error: Error) => error.message));
        }
        expect(clients.size).toBe(2);
        expect(reasons.at(-1)).toMatch(/^MongoDB: connect(ion|) /);
      } finally {
        await connection.close();
      }
    },
  );
});
