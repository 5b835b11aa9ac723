import { afterAll } from '@jest/globals';
import { KILLS_ON_SERVERS, testClientUnderFaults } from '../../client/faults/suite.ts';
import { cleanUp, temporaryFolder } from '../../support/service-process.ts';
import { useWorkspace } from '../../support/workspace.ts';
import { StandInProcess } from '../eventstoredb/support/stand-in-process.ts';
import { describeOnMongodb, testDatabase } from '../support/mongodb.ts';

describeOnMongodb('The client in TypeScript, of a service on MongoDB and a stand-in for EventStoreDB', (server) => {
  const workspace = useWorkspace();
  const cleanUps: (() => Promise<unknown>)[] = [];
  afterAll(async () => {
    for (const end of cleanUps.toReversed()) await end();
  });

  async function startServers(): Promise<Readonly<Record<string, string>>> {
    const folder = temporaryFolder();
    cleanUps.push(async () => await cleanUp(folder, []));
    const log = await StandInProcess.start(folder);
    cleanUps.push(async () => await log.kill());
    const database = testDatabase(server);
    cleanUps.push(async () => await database.drop());
    return { EVENTSTORE_URL: log.url, MONGODB_URL: database.url };
  }

  let servers: Readonly<Record<string, string>> = {};

  testClientUnderFaults(async (port, words = []) => {
    // The sample fills new stores; a start without it is one after a kill.
    if (words.length > 0) servers = await startServers();
    const settings = { LOG_LEVEL: 'error', PORT: String(port), ...servers };
    return await workspace.startService({ words, settings });
  }, KILLS_ON_SERVERS);
});
