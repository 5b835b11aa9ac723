import { beforeEach, describe, expect, test } from '@jest/globals';
import { customerStream } from '#domain/customer/customer.ts';
import { CommandHarness, LIVE } from '#test/support/command-harness.ts';
import { givenMerchants } from '#test/support/imports.ts';
import { CUSTOMER, givenQuote } from '#test/support/quotes.ts';
import { purchasePolicy } from './purchase-policy.ts';

let harness: CommandHarness;

beforeEach(async () => {
  harness = new CommandHarness();
  await givenMerchants(harness);
});

/** Buys a policy of a product with ages from a quote with a customer. */
const quote = async (eligibility: object, customer: object) =>
  await givenQuote(harness.eventStore, LIVE, { eligibility }, { customer: { ...CUSTOMER, ...customer } });
const buy = async (eligibility: object, customer: object, changes: object = {}) => {
  const { quote_code } = await quote(eligibility, customer);
  return (await harness.run(purchasePolicy, { quote_code, ...changes })).events[0]?.data;
};
const ANY_AGE = { minAge: null, maxAge: null };
const ADULTS = { minAge: 18, maxAge: 70 };

describe('The age of the customer on the first day', () => {
  test.each([
    [{ minAge: 46, maxAge: null }, '1980-03-02', '2026-03-01', 'from 46'],
    [{ minAge: null, maxAge: 45 }, '1980-03-01', '2026-03-01', 'to 45'],
    [{ minAge: null, maxAge: 45 }, '1980-03-10', '2026-03-10', 'to 45'],
    [{ minAge: 46, maxAge: null }, '1980-02-29', '2026-02-28', 'from 46'],
    [ADULTS, undefined, '2026-03-01', '18 to 70'],
  ])('is refused by %j after a birth on %p, on %s', async (eligibility, date_of_birth, first, ages) => {
    harness.now = '2026-02-28T10:00:00.000Z';
    const { quote_code } = await quote(eligibility, { date_of_birth });
    const refusal = await harness.expectRefusal(purchasePolicy, { quote_code, effective_from: first });
    const accepted = `the product accepts the ages ${ages} on ${first}`;
    const isMissing = date_of_birth === undefined;
    const message = `${isMissing ? 'must be given' : 'is of an age that is not accepted'}: ${accepted}`;
    expect(refusal).toMatchObject({
      code: 'not_eligible',
      fields: [{ field: 'customer_metadata.date_of_birth', message }],
    });
    expect(refusal.message).toContain(isMissing ? 'is missing' : 'is of an age');
    expect((await harness.log()).filter(({ type }) => type === 'PolicyPurchased')).toEqual([]);
  });

  test('is accepted on both bounds', async () => {
    harness.now = '2026-02-28T10:00:00.000Z';
    const eligibility = { minAge: 46, maxAge: 46 };
    for (const [date_of_birth, effective_from] of [
      ['1980-02-29', '2026-03-01'],
      ['1980-03-10', '2026-03-10'],
    ]) {
      const email = `born.${date_of_birth}@customers.example`;
      expect(await buy(eligibility, { email, date_of_birth }, { effective_from })).toHaveProperty('customerId');
    }
  });

  test('follows from the quote when the recorded customer has no date of birth, which it then records', async () => {
    await buy(ANY_AGE, {});
    const { customerId } = (await buy(ADULTS, { date_of_birth: '1980-05-17' })) as { customerId: string };
    expect(await harness.data(customerStream(customerId), 1)).toMatchObject({ changes: { dateOfBirth: '1980-05-17' } });
  });

  test('follows from the date given for the risk before that of the recorded customer', async () => {
    await buy(ANY_AGE, { date_of_birth: '1980-05-17' });
    const { quote_code } = await quote(ADULTS, { date_of_birth: '2020-01-01' });
    expect((await harness.expectRefusal(purchasePolicy, { quote_code })).code).toBe('not_eligible');
  });
});
