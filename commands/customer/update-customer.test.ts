import { beforeEach, describe, expect, test } from '@jest/globals';
import { customerStream } from '../../src/domain/customer/customer.ts';
import { ADMIN, CommandHarness, invalidFields, LIVE, MERCHANT } from '../../test/support/command-harness.ts';
import { givenEnvironment, givenMerchants, policyRow } from '../../test/support/imports.ts';
import { CUSTOMER, givenQuote } from '../../test/support/quotes.ts';
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
async function buy(customer: object = {}, options: object = {}): Promise<string> {
  const { quote_code } = await givenQuote(harness.eventStore, LIVE, {}, { customer: null });
  const body = { quote_code, customer_metadata: { ...CUSTOMER, ...customer } };
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

  test('has the day of the acting environment, and of the back office the UTC day', async () => {
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
    [{ customer_email: 'new@customers.example' }, 'customer_email'],
  ])('refuses %j', async (body, field) => {
    const id = await buy();
    expect(invalidFields(await harness.expectRefusal(updateCustomer, { customer_id: id, ...body }))).toEqual([field]);
    expect(await changesOf(id)).toEqual([]);
  });
});

describe('A later purchase', () => {
  test('updates the details that were given and differ', async () => {
    const id = await buy({ phone: '+234 800' });
    await buy({ first_name: 'Adaeze', phone: '+234 801', residential_address: ADDRESS, date_of_birth: '1980-02-29' });
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
  const once = ['CustomerRegistered', 'ProductAdded', 'ProviderRegistered'];
  expect(types.toSorted()).toEqual([...once, ...rows.map(() => 'PolicyImported')].toSorted());
  // Commands pause only to try again after a conflict; the first rows also conflict on provider and product.
  harness.pausedMs = 0;
  const more = rows.map((row) => ({ ...row, policy_number: `${row['policy_number']}-B` }));
  await Promise.all(more.map(async (row) => await harness.run(importPolicyTerm, row)));
  expect(harness.pausedMs).toBe(0);
});
