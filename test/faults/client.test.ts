import { join } from 'node:path';
import { afterAll, describe } from '@jest/globals';
import { testClientUnderFaults } from '../client/faults/suite.ts';
import { cleanUp, startService, temporaryFolder } from '../support/service-process.ts';

describe('The client in TypeScript, of a service on embedded stores', () => {
  const base = temporaryFolder();
  testClientUnderFaults(async (port, words = []) => {
    const settings = { LOG_LEVEL: 'error', PORT: String(port) };
    return await startService({ folder: join(base, 'data'), words, settings });
  });
  afterAll(async () => await cleanUp(base, []));
});
