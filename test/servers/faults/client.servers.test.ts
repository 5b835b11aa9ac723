import { join } from 'node:path';
import { afterAll } from '@jest/globals';
import { KILLS_ON_SERVERS, testClientUnderFaults } from '../../client/faults/suite.ts';
import { cleanUp, startService, temporaryFolder } from '../../support/service-process.ts';
import { StandInProcess } from '../eventstoredb/support/stand-in-process.ts';
import { describeOnMongodb, type TestDatabase, testDatabase } from '../support/mongodb.ts';

describeOnMongodb('The client in TypeScript, of a service on MongoDB and a stand-in for EventStoreDB', (server) => {
  const base = temporaryFolder();
  const logFolder = temporaryFolder();
  let log: StandInProcess | undefined;
  let database: TestDatabase | undefined;

  testClientUnderFaults(async (port, words = []) => {
    log ??= await StandInProcess.start(logFolder);
    database ??= testDatabase(server);
    // The client needs no Kafka, so none answers.
    const servers = { EVENTSTORE_URL: log.url, MONGODB_URL: database.url, KAFKA_BROKERS: '127.0.0.1:1' };
    const settings = { LOG_LEVEL: 'error', PORT: String(port), ...servers };
    return await startService({ folder: join(base, 'data'), words, settings });
  }, KILLS_ON_SERVERS);

  afterAll(async () => {
    await Promise.allSettled([log?.kill(), database?.drop()]);
    for (const folder of [base, logFolder]) await cleanUp(folder, []);
  });
});
