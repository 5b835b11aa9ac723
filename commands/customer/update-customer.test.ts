import { beforeEach, describe, expect, test } from '@jest/globals';
import { customerStream } from '#domain/customer/customer.ts';
import { ADMIN, CommandHarness, invalidFields, LIVE, MERCHANT } from '#test/support/command-harness.ts';
import { givenEnvironment, givenMerchants, policyRow } from '#test/support/imports.ts';
import { CUSTOMER, givenQuote } from '#test/support/quotes.ts';
import { importPolicyTerm } from '../policy/import-policy-term.ts';
import { purchasePolicy } from '../policy/purchase-policy.ts';
import { updateCustomer } from './update-customer.ts';

let harness: CommandHarness;
const LAGOS = { ...LIVE, environmentId: 9 };
const ADDRESS = { house_number: '4', street: 'Allen Avenue', city: 'Ikeja' };

beforeEach(async () => {
  harness = new CommandHarness();
  await givenMerchants(harness);
  await givenEnvironment(harness, LAGOS, 'Africa/Lagos');
});

/** Buys a policy with customer data that are given with the purchase. Returns the id of the customer. */
async function buy(customer: object = {}, options: object = {}, customer_reference?: string): Promise<string> {
  const reference = customer_reference === undefined ? {} : { customer_reference };
  const { quote_code } = await givenQuote(harness.eventStore, LIVE, {}, { customer: null });
  const body = { quote_code, customer_metadata: { ...CUSTOMER, ...customer }, ...reference };
  const { events } = await harness.run(purchasePolicy, body, { actor: MERCHANT, ...options });
  return String((events[0]?.data as { readonly customerId?: string } | undefined)?.customerId);
}

const update = async (customer_id: string, body: object, options: object = {}) =>
  await harness.run(updateCustomer, { customer_id, ...body }, { actor: MERCHANT, environment: LIVE, ...options });

/** The changes of the customer so far. */
async function changesOf(customerId: string): Promise<readonly unknown[]> {
  const [, ...updates] = await harness.events(customerStream(customerId));
  return updates.map(({ data }) => (data as { readonly changes: unknown }).changes);
}

describe('UpdateCustomer', () => {
  test('tags its event and returns the details', async () => {
    const id = await buy({ phone: '+234 800', date_of_birth: '1980-02-29' });
    const body = { full_name: 'Ada Okafor', date_of_birth: null, address: 'Ikeja' };
    const { result, events } = await update(id, body);
    expect(events).toMatchObject([{ metadata: { merchant: LIVE.merchantId, testMode: false, customer: id } }]);
    expect(result).toEqual({
      customer_id: id,
      full_name: 'Ada Okafor',
      customer_reference: null,
      customer_email: CUSTOMER.email,
      customer_phone: '+234 800',
      date_of_birth: null,
      address: 'Ikeja',
      merchant_short_code: 'ACM-0001',
      test_mode: false,
    });
  });

  test('records nothing when nothing changes', async () => {
    const id = await buy();
    const { events, result } = await update(id, {});
    expect(events).toEqual([]);
    expect(result).toMatchObject({ full_name: 'Ada Obi' });
  });

  test('has the day of the acting environment, and of the platform the UTC day', async () => {
    const id = await buy();
    harness.now = '2026-03-01T23:30:00.000Z';
    await update(id, { address: 'A' }, { environment: LAGOS });
    await update(id, { address: 'B' });
    await update(id, { address: 'C' }, { environment: undefined, actor: ADMIN });
    const days = (await harness.events(customerStream(id))).map(
      ({ data }) => (data as { effectiveAt: string }).effectiveAt,
    );
    expect(days).toEqual(['2026-03-01', '2026-03-02', '2026-03-01', '2026-03-01']);
  });

  test.each([
    [{ full_name: null }, 'full_name'],
    [{ full_name: ' ' }, 'full_name'],
    [{ full_name: 'x'.repeat(256) }, 'full_name'],
    [{ customer_phone: '1'.repeat(21) }, 'customer_phone'],
    [{ customer_phone: 7 }, 'customer_phone'],
    [{ address: '' }, 'address'],
    [{ address: 'x'.repeat(1001) }, 'address'],
    [{ date_of_birth: '1980-02-30' }, 'date_of_birth'],
    [{ customer_email: null }, 'customer_email'],
    [{ customer_email: 'new@' }, 'customer_email'],
    [{ customer_reference: ' ' }, 'customer_reference'],
    [{ customer_reference: 'x'.repeat(256) }, 'customer_reference'],
  ])('refuses %j', async (body, field) => {
    const id = await buy();
    expect(invalidFields(await harness.expectRefusal(updateCustomer, { customer_id: id, ...body }))).toEqual([field]);
    expect(await changesOf(id)).toEqual([]);
  });
});

describe('A new reference', () => {
  const anotherPerson = { first_name: 'Bola', last_name: 'Ade', email: 'bola@customers.example' };

  /** Lets `interrupt` happen between the reservation of the reference and the change of the customer. */
  const beforeChange = (id: string, interrupt: () => Promise<unknown>): void => {
    harness.eventStore.beforeAppend = async (stream) => {
      if (stream !== customerStream(id)) return;
      harness.eventStore.beforeAppend = () => {};
      await interrupt();
    };
  };
  const die = async () => await Promise.reject(new Error('killed'));

  test('is refused when another customer has it, with case and spaces aside', async () => {
    const id = await buy({}, {}, 'C-1');
    const other = await buy(anotherPerson);
    const refusal = await harness.expectRefusal(updateCustomer, { customer_id: other, customer_reference: ' c-1' });
    expect(refusal).toMatchObject({ code: 'customer_reference_taken', fields: [{ field: 'customer_reference' }] });
    await update(id, { customer_reference: null });
    await update(other, { customer_reference: 'c-1' });
    expect(await changesOf(other)).toEqual([{ reference: 'c-1' }]);
    expect((await harness.expectRefusal(updateCustomer, { customer_id: id, customer_reference: 'C-1' })).code).toBe(
      'customer_reference_taken',
    );
  });

  test('is refused to a purchase of another customer while a change gives it', async () => {
    const id = await buy({}, {}, 'C-1');
    let refused: unknown;
    beforeChange(id, async () => {
      const { quote_code } = await givenQuote(harness.eventStore, LIVE, {}, { customer: null });
      const body = { quote_code, customer_metadata: anotherPerson, customer_reference: 'C-2' };
      refused = (await harness.expectRefusal(purchasePolicy, body, { actor: MERCHANT })).code;
    });
    await update(id, { customer_reference: 'C-2' });
    expect(refused).toBe('customer_reference_taken');
    expect(await changesOf(id)).toEqual([{ reference: 'C-2' }]);
  });

  test('of an interrupted change is given by a later purchase of the customer, and stays free once the customer has changed otherwise', async () => {
    const id = await buy();
    beforeChange(id, die);
    await expect(update(id, { customer_reference: 'C-2' })).rejects.toThrow('killed');
    expect(await buy({}, {}, 'C-2')).toBe(id);
    expect(await changesOf(id)).toEqual([{ reference: 'C-2' }]);
    beforeChange(id, die);
    await expect(update(id, { customer_reference: 'C-3' })).rejects.toThrow('killed');
    await update(id, { address: 'Ikeja' });
    expect(await buy(anotherPerson, {}, 'C-3')).not.toBe(id);
  });

  test('and a new e-mail and name are by which later purchases find the customer', async () => {
    const id = await buy();
    await update(id, { customer_email: 'new@customers.example', full_name: 'Ada Okafor', customer_reference: 'C-9' });
    const renamed = { last_name: 'Okafor', email: 'New@customers.example' };
    expect(await buy(renamed)).toBe(id);
    expect(await buy({ email: 'any@customers.example', last_name: 'Okafor' }, {}, 'c-9')).toBe(id);
    expect(await buy()).not.toBe(id);
    const refused = { ...anotherPerson, email: 'any@customers.example' };
    const { quote_code } = await givenQuote(harness.eventStore, LIVE, {}, { customer: null });
    const body = { quote_code, customer_metadata: refused, customer_reference: 'C-9' };
    expect((await harness.expectRefusal(purchasePolicy, body)).code).toBe('customer_reference_taken');
  });
});

describe('A later purchase', () => {
  test('updates the details that were given and differ', async () => {
    const id = await buy({ phone: '+234 800' });
    await buy({ first_name: ' ada', phone: '+234 801', residential_address: ADDRESS, date_of_birth: '1980-02-29' });
    expect(await changesOf(id)).toEqual([
      { phone: '+234 801', address: '4 Allen Avenue, Ikeja', dateOfBirth: '1980-02-29' },
    ]);
    await buy({ phone: '+234 801', residential_address: ADDRESS });
    expect(await changesOf(id)).toHaveLength(1);
    const [, updated] = await harness.events(customerStream(id));
    expect(updated).toMatchObject({
      data: { effectiveAt: '2026-03-01' },
      metadata: { customer: id, command: { name: 'PurchasePolicy' } },
    });
  });

  test('changes nothing by a quote request that is older than the last change of the customer', async () => {
    const id = await buy();
    const quoted = { customer: { ...CUSTOMER, phone: '+234 801' } };
    const old = await givenQuote(harness.eventStore, LIVE, {}, quoted);
    const fresh = await givenQuote(harness.eventStore, LIVE, {}, quoted);
    harness.now = '2026-03-01T10:00:01.000Z';
    await harness.run(purchasePolicy, { quote_code: fresh.quote_code }, { actor: MERCHANT });
    await update(id, { customer_phone: '+234 900' });
    await harness.run(purchasePolicy, { quote_code: old.quote_code }, { actor: MERCHANT });
    expect(await changesOf(id)).toEqual([{ phone: '+234 801' }, { phone: '+234 900' }]);
  });

  test('that is repeated after a change of the customer does not take the change back', async () => {
    const id = await buy({ phone: '+234 800' });
    const { quote_code } = await givenQuote(harness.eventStore, LIVE, {}, { customer: null });
    const body = { quote_code, customer_metadata: { ...CUSTOMER, phone: '+234 801' } };
    const options = { actor: MERCHANT, key: 'k1' };
    const first = await harness.run(purchasePolicy, body, options);
    harness.now = '2026-03-01T11:00:00.000Z';
    await update(id, { customer_phone: '+234 900' });
    expect(await harness.run(purchasePolicy, body, options)).toMatchObject({ replayed: true, stream: first.stream });
    expect(await changesOf(id)).toEqual([{ phone: '+234 801' }, { phone: '+234 900' }]);
  });

  test('that was interrupted after it gave a reference leaves a later change of it alone', async () => {
    const id = await buy();
    const { quote_code } = await givenQuote(harness.eventStore, LIVE, {}, { customer: null });
    const body = { quote_code, customer_metadata: CUSTOMER, customer_reference: 'C-5' };
    const options = { actor: MERCHANT, key: 'k5' };
    harness.eventStore.beforeAppend = (stream) => {
      if (stream.startsWith('policy-')) throw new Error('killed');
    };
    await expect(harness.run(purchasePolicy, body, options)).rejects.toThrow('killed');
    harness.eventStore.beforeAppend = () => {};
    await update(id, { customer_reference: null });
    const { events } = await harness.run(purchasePolicy, body, options);
    expect(events).toMatchObject([{ data: { customerId: id, customerReference: null } }]);
    expect(await changesOf(id)).toEqual([{ reference: 'C-5' }, { reference: null }]);
  });

  test('that is refused because of its reference leaves its quote for sale', async () => {
    await buy({}, {}, 'C-6');
    const { quote_code } = await givenQuote(harness.eventStore, LIVE, {}, { customer: null });
    const anotherPerson = { first_name: 'Bola', last_name: 'Ade', email: 'bola@customers.example' };
    const body = { quote_code, customer_metadata: anotherPerson, customer_reference: 'C-7' };
    // The reference is reserved for another customer after this purchase has found it free.
    harness.eventStore.beforeAppend = async (stream) => {
      if (!stream.startsWith('customerReference-')) return;
      harness.eventStore.beforeAppend = () => {};
      await buy({ first_name: 'Chi' }, {}, 'C-7');
    };
    expect((await harness.expectRefusal(purchasePolicy, body, { actor: MERCHANT })).code).toBe(
      'customer_reference_taken',
    );
    const again = { ...body, customer_reference: 'C-8' };
    expect((await harness.run(purchasePolicy, again, { actor: MERCHANT })).created).toBe(true);
  });

  test('and a change at the same time both happen', async () => {
    const id = await buy({ phone: '+234 800' });
    const bodies: object[] = [];
    for (const digit of ['1', '2', '3']) {
      const { quote_code } = await givenQuote(harness.eventStore, LIVE, {}, { customer: null });
      bodies.push({ quote_code, customer_metadata: { ...CUSTOMER, phone: `+234 80${digit}` } });
    }
    await Promise.all([
      ...['A', 'B', 'C'].map(async (address) => await update(id, { address })),
      ...bodies.map(async (body) => await harness.run(purchasePolicy, body, { actor: MERCHANT })),
    ]);
    const changes = await changesOf(id);
    expect(changes).toHaveLength(6);
    expect(new Set(changes.map((change) => JSON.stringify(change))).size).toBe(6);
  });
});

test('an import updates nothing', async () => {
  await harness.run(importPolicyTerm, policyRow());
  const changed = policyRow({ policy_number: 'POL-2', customer_phone: '+234 801', customer_address: 'Ikeja' });
  await harness.run(importPolicyTerm, changed);
  const log = await harness.log();
  expect(log.filter(({ type }) => type === 'CustomerUpdated')).toEqual([]);
});

test('the rows of one customer are imported at the same time, with one customer and without a conflict', async () => {
  const rows = Array.from({ length: 30 }, (_, number) => policyRow({ policy_number: `POL-${number}` }));
  await Promise.all(rows.map(async (row) => await harness.run(importPolicyTerm, row)));
  const log = await harness.log();
  const types = log
    .map(({ type }) => type)
    .filter((type) => /^(Customer|Provider|Product|Policy)[A-Z][a-z]+$/.test(type));
  // The reference is reserved, and the e-mail with the name.
  const once = ['CustomerRegistered', 'CustomerReserved', 'CustomerReserved', 'ProductAdded', 'ProviderRegistered'];
  expect(types.toSorted()).toEqual([...once, ...rows.map(() => 'PolicyImported')].toSorted());
  // Commands pause only to try again after a conflict; the first rows also conflict on provider and product.
  harness.pausedMs = 0;
  const more = rows.map((row) => ({ ...row, policy_number: `${row['policy_number']}-B` }));
  await Promise.all(more.map(async (row) => await harness.run(importPolicyTerm, row)));
  expect(harness.pausedMs).toBe(0);
});
