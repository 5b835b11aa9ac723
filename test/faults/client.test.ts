import { describe } from '@jest/globals';
import { testClientUnderFaults } from '../client/faults/suite.ts';
import { useWorkspace } from '../support/workspace.ts';

describe('The client in TypeScript, of a service on embedded stores', () => {
  const workspace = useWorkspace();
  testClientUnderFaults(async (port, words = []) => {
    return await workspace.startService({ words, settings: { LOG_LEVEL: 'error', PORT: String(port) } });
  });
});
