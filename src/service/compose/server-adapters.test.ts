import { expect, test } from '@jest/globals';
import { openReadModels, openRecords } from './server-adapters.ts';

test.each([
  ['journal=false', 'The address of MongoDB must not set journal'],
  ['tls=perhaps', 'MONGODB_URL is not an address that its client understands'],
])('reports a connection string with %s without its secrets', (parameter, message) => {
  for (const open of [openReadModels, openRecords]) {
    const opening = (): unknown => open(`mongodb://someone:hidden@host/surety?${parameter}`);
    expect(opening).toThrow(message);
    expect(opening).not.toThrow('hidden');
  }
});
