import { expect, test } from '@jest/globals';
import { shortLineOf } from './events.ts';

const event = { id: 'e', time: '2026-03-01T09:00:00.000Z', subject: 's' };

test.each([
  [
    'surety.policy.purchased.v1',
    { policy_number: 'BAO-1', customer_reference: 'C-1', premium: '365.00', currency: 'NGN' },
    'BAO-1  C-1  365.00 NGN',
  ],
  [
    'surety.claim.filed.v1',
    { claim_reference_number: 'CLAIM-1', policy_number: 'BAO-1', claim_amount: '85.00', currency: 'NGN' },
    'CLAIM-1  85.00 NGN',
  ],
  ['surety.claim.paid.v1', { payment: { amount: '12.00', paid_on: '2026-03-01' }, currency: 'NGN' }, '12.00 NGN'],
  ['surety.claim.moved.v1', { amount: null, currency: 'NGN' }, undefined],
  ['surety.merchant.registered.v1', { merchant_id: 1, short_code: 'ACM-20E3' }, 'ACM-20E3'],
  ['surety.product.added.v1', { name: 'Motor', base_premium: '5.00', currency: 'NGN' }, 'Motor  5.00 NGN'],
  ['surety.other.v1', { name: 7 }, undefined],
  ['surety.other.v1', undefined, undefined],
])('%s with %j shows number, person and amount beside the type', (type, data, about) => {
  const parts = [event.time, type, about, event.subject, event.id].filter((part) => part !== undefined);
  expect(shortLineOf({ ...event, type, data })).toBe(parts.join('  '));
});
