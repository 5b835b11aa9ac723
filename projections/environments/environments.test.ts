import { expect, test } from '@jest/globals';
import { idFor, MERCHANT_ID, recordedOf } from '../../test/support/happenings.ts';
import { environments } from './environments.ts';

test('an environment is stored under its number and found by its merchant', () => {
  const [event] = recordedOf({
    stream: 'environment-12',
    type: 'EnvironmentCreated',
    data: {
      environmentId: 12,
      environmentName: 'checkout',
      testMode: true,
      clientId: idFor('client', 1),
      merchantId: MERCHANT_ID,
    },
    tags: { merchant: MERCHANT_ID },
  });
  if (event === undefined) throw new Error('nothing happened');
  expect(environments.key(event)).toBe('12');
  const document = environments.fold(undefined, event);
  expect(document).toEqual({
    environment_name: 'checkout',
    test_mode: true,
    client_id: idFor('client', 1),
    merchant_id: MERCHANT_ID,
  });
  expect(document && environments.indexes(document)).toEqual({ merchant: MERCHANT_ID });
});
