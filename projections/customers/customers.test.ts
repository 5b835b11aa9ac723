import { describe, expect, test } from '@jest/globals';
import {
  claimImported,
  customerRegistered,
  customerUpdated,
  MERCHANT_ID,
  policyImported,
  policyRenewed,
  sampleId,
  term,
  toRecorded,
} from '../../test/support/sample-events.ts';
import { customerHistory } from './customer-history.ts';
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

describe('the history of customers', () => {
  const events = toRecorded(
    customerRegistered(1),
    policyImported(1, 1),
    policyRenewed(1, 1, term('2026-01-01', '2026-12-31', '120.00')),
    claimImported(1, 1, 1),
  );

  test('has an entry for each event of a customer, its policies and its claims', () => {
    const entries = events.map((event) => customerHistory.fold(undefined, event));
    expect(entries).toEqual(events.map(({ stream, revision }) => ({ customer_id: CUSTOMER, stream, revision })));
    expect(entries.map((entry) => entry && customerHistory.indexes(entry))).toEqual(
      events.map(() => ({ customer: CUSTOMER })),
    );
    expect(new Set(events.map((event) => customerHistory.key(event))).size).toBe(events.length);
  });

  test('has no entry for an event whose metadata name no customer', () => {
    const [registered, imported] = events;
    expect(registered && customerHistory.key({ ...registered, metadata: {} })).toBeDefined();
    expect(imported && customerHistory.key({ ...imported, metadata: {} })).toBeUndefined();
  });
});
