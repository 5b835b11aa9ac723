import { expect, test } from '@jest/globals';
import { sampleId, MERCHANT_ID, toRecorded } from '#test/support/sample-events.ts';
import { environments } from './environments.ts';

test('an environment is stored under its number and found by its merchant', () => {
  const [event] = toRecorded({
    stream: 'environment-12',
    type: 'EnvironmentCreated',
    data: {
      environmentId: 12,
      environmentName: 'checkout',
      testMode: true,
      clientId: sampleId('client', 1),
      merchantId: MERCHANT_ID,
      timeZone: 'Africa/Lagos',
    },
    tags: { merchant: MERCHANT_ID },
  });
  if (event === undefined) throw new Error('nothing happened');
  const document = environments.fold(undefined, event);
  expect(document).toEqual({
    environment_name: 'checkout',
    test_mode: true,
    client_id: sampleId('client', 1),
    merchant_id: MERCHANT_ID,
    time_zone: 'Africa/Lagos',
  });
  expect(document && environments.indexes(document)).toEqual({ merchant: MERCHANT_ID });
});
