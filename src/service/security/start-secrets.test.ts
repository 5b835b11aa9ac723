import { expect, test } from '@jest/globals';
import { secretHash } from './start-secrets.ts';

const ONE = 'one secret of thirty-two characters';

test('the hash of a secret is stable, distinct, and does not contain the secret', () => {
  expect(secretHash(ONE)).toBe('ba0ffba7b1ce8e9b9b549aff69c3302b');
  expect(secretHash(ONE)).not.toBe(secretHash('two secret of thirty-two characters'));
  expect(Buffer.from(secretHash(ONE), 'hex').toString()).not.toContain('secret');
});
