import { expect, test } from '@jest/globals';
import { storesInUse } from './addresses.ts';

const dataFolder = '/srv/data';

test('embedded stores are named by their folder', () => {
  expect(storesInUse({ dataFolder, servers: undefined })).toEqual({
    eventLog: 'SQLite in /srv/data',
    readModels: 'SQLite in /srv/data',
    messages: 'in memory',
  });
});

test('servers are named by their addresses, without user, password and parameters', () => {
  const servers = {
    eventStoreUrl: 'esdb://admin:hidden@one:2113,two:2113?tls=true',
    mongoUrl: 'mongodb+srv://me:hid/den@cluster.example/surety?replicaSet=rs0',
    kafka: { brokers: ['one:9092', '[::1]:9092'], security: { tls: false, login: undefined } },
  };
  expect(storesInUse({ dataFolder, servers })).toEqual({
    eventLog: 'EventStoreDB at esdb://one:2113,two:2113',
    readModels: 'MongoDB at mongodb+srv://cluster.example/surety',
    messages: 'Kafka at one:9092,[::1]:9092',
  });
  const unclear = storesInUse({
    dataFolder,
    servers: { ...servers, mongoUrl: 'mongodb://me:hidden@a?b@one/?appName=me@hidden' },
  });
  expect(unclear.readModels).toBe('MongoDB at (address omitted: it may contain credentials)');
});
