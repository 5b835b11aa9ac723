import { describe, expect, test } from '@jest/globals';
import { customerRegistered, customerUpdated, MERCHANT_ID, sampleId, toRecorded } from '#test/support/sample-events.ts';
import { type CustomerDocument, customerDetails, customers } from './customers.ts';

const foldEvents = (...events: ReturnType<typeof toRecorded>) => {
  const document = events.reduce<CustomerDocument | undefined>(
    (before, event) => customers.fold(before, event),
    undefined,
  );
  if (document === undefined) throw new Error('there is no customer');
  return document;
};
const CUSTOMER = sampleId('customer', 1);

describe('customers', () => {
  test('show what their own stream says, and change only the changed fields', () => {
    const registered = foldEvents(...toRecorded(customerRegistered(1)));
    expect(customerDetails(registered)).toEqual({
      customer_id: CUSTOMER,
      customer_reference: null,
      full_name: 'Customer 1',
      customer_email: 'Customer.1@Example.com',
      customer_phone: null,
      date_of_birth: '1980-02-29',
      address: null,
      merchant_short_code: 'ABA-0001',
      test_mode: false,
    });
    const changes = { phone: '+234 800', address: '4 Allen Avenue', dateOfBirth: null };
    const updated = foldEvents(...toRecorded(customerRegistered(1), customerUpdated(1, changes)));
    expect(updated).toEqual({
      ...registered,
      customer_phone: '+234 800',
      address: '4 Allen Avenue',
      date_of_birth: null,
    });
    const renamed = customerUpdated(1, { fullName: 'Ada Obi', phone: null });
    const again = foldEvents(...toRecorded(customerRegistered(1), customerUpdated(1, changes), renamed));
    expect(again).toEqual({ ...updated, full_name: 'Ada Obi', customer_phone: null });
  });

  test('are found by merchant and mode, and by e-mail and reference without case', () => {
    expect(customers.indexes(foldEvents(...toRecorded(customerRegistered(1))))).toEqual({
      owner: `${MERCHANT_ID}-live`,
      owner_email: `${MERCHANT_ID}-live customer.1@example.com`,
      owner_reference: null,
    });
    const changed = customerUpdated(1, { reference: ' C-1' });
    expect(customers.indexes(foldEvents(...toRecorded(customerRegistered(1), changed)))).toMatchObject({
      owner_reference: `${MERCHANT_ID}-live c-1`,
    });
    expect(customers.categories).toEqual(['customer']);
  });

  test('reject a change before the registration', () => {
    expect(() => foldEvents(...toRecorded(customerUpdated(1, { phone: null })))).toThrow(
      'CustomerUpdated.v1 came before what it changes',
    );
  });
});
