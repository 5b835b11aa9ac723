import { describe, expect, test } from '@jest/globals';
import { customer, type CustomerState } from '#domain/customer/customer.ts';
import { derivedId } from '#event-sourcing/identifiers.ts';
import { DAY, given } from '#test/support/given.ts';
import { changesOfPurchase } from './customer-changes.ts';
import { updateCustomer } from './update-customer.ts';

const ids = { customerId: derivedId('customer'), merchantId: derivedId('merchant'), environmentId: 1, testMode: false };
const known: CustomerState = {
  ...ids,
  merchantShortCode: 'ABA-0001',
  reference: 'C-1',
  fullName: 'Ada Obi',
  email: 'ada@customers.example',
  phone: '+234 800',
  dateOfBirth: '1980-02-29',
  address: null,
};
const registered = { type: 'CustomerRegistered', data: known };
const updated = (changes: object, effectiveAt = DAY) => ({
  type: 'CustomerUpdated',
  data: { ...ids, changes, effectiveAt },
});

describe('UpdateCustomer', () => {
  test('records only the fields that differ, on the day of the change', () => {
    const update = { full_name: 'Ada Okafor', customer_phone: '+234 800', date_of_birth: null, address: 'Ikeja' };
    given(registered)
      .when(updateCustomer, { ...update, today: '2026-03-02' })
      .then(updated({ fullName: 'Ada Okafor', dateOfBirth: null, address: 'Ikeja' }, '2026-03-02'));
    given(registered)
      .when(updateCustomer, { customer_phone: null, today: DAY })
      .then(updated({ phone: null }));
  });

  test('records nothing when nothing changes, after earlier changes too', () => {
    for (const update of [{}, { full_name: 'Ada Obi' }, { customer_phone: '+234 800', address: null }])
      given(registered)
        .when(updateCustomer, { ...update, today: DAY })
        .thenNothing();
    given(registered, updated({ address: 'Ikeja' }))
      .when(updateCustomer, { address: 'Ikeja', today: DAY })
      .thenNothing();
  });

  test('refuses a date of birth after today', () => {
    given(registered)
      .when(updateCustomer, { date_of_birth: '2026-03-02', today: DAY })
      .thenRefused('invalid_request', { fields: [{ field: 'date_of_birth', message: 'must not be in the future' }] });
    given(registered)
      .when(updateCustomer, { date_of_birth: DAY, today: DAY })
      .then(updated({ dateOfBirth: DAY }));
  });
});

describe('The details of a later purchase', () => {
  const none = { phone: null, address: null, dateOfBirth: null };

  test.each([
    ['are ignored when they are not given', none, {}],
    [
      'change phone and address',
      { ...none, phone: '+234 801', address: 'Ikeja' },
      { phone: '+234 801', address: 'Ikeja' },
    ],
    ['change nothing when they are equal', { ...none, phone: '+234 800' }, {}],
    ['keep a date of birth that is known', { ...none, dateOfBirth: '1990-01-01' }, {}],
  ])('%s', (_title, details, changes) => {
    expect(changesOfPurchase(known, details)).toEqual(changes);
  });

  test('fill in a date of birth that is unknown', () => {
    const details = { ...none, dateOfBirth: '1990-01-01' };
    expect(changesOfPurchase({ ...known, dateOfBirth: null }, details)).toEqual({ dateOfBirth: '1990-01-01' });
  });
});

test('A customer has the details of its registration with the later changes', () => {
  expect(given(registered).foldedBy(customer)).toEqual(known);
  const later = given(registered, updated({ phone: null, address: 'Ikeja' })).foldedBy(customer);
  expect(later).toEqual({ ...known, phone: null, address: 'Ikeja' });
  expect(() => given(updated({})).foldedBy(customer)).toThrow('before the customer exists');
});
