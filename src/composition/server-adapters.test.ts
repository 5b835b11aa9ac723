import { expect, test } from '@jest/globals';
import { openReadModels, openRecords } from './server-adapters.ts';

test.each([
  ['journal=false', 'The address of MongoDB must not set journal'],
  ['tls=perhaps', 'MONGODB_URL is not an address that its client understands'],
])(
  'given an address of MongoDB that says %s, then no store is opened and the sentence holds no secret',
  (said, words) => {
    for (const open of [openReadModels, openRecords]) {
      const opening = (): unknown => open(`mongodb://someone:hidden@host/surety?${said}`);
      expect(opening).toThrow(words);
      expect(opening).not.toThrow('hidden');
    }
  },
);
