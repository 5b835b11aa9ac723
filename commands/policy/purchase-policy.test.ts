import { beforeEach, describe, expect, test } from '@jest/globals';
import { customerStream } from '#domain/customer/customer.ts';
import { derivedId, reservationStream } from '#event-sourcing/identifiers.ts';
import { purchaseId, quoteCode } from '#domain/quote/quote-code.ts';
import { merchantScope } from '#domain/reservations.ts';
import { givenMerchants, policyRow } from '#test/support/imports.ts';
import { CommandHarness, invalidFields, LIVE, MERCHANT, TEST } from '#test/support/command-harness.ts';
import { ratedTerm } from '#test/support/policy-events.ts';
import { setUpProduct, setUpProvider } from '#test/support/admin-fixtures.ts';
import { ratesOf } from '#domain/values/rating.ts';
import { restoreProduct, withdrawProduct } from '../product/withdraw-product.ts';
import { CUSTOMER, givenQuote, givenQuotes, type QuoteNames } from '#test/support/quotes.ts';
import { importPolicyTerm } from './import-policy-term.ts';
import { holderOf, derivePolicyNumber, purchasePolicy } from './purchase-policy.ts';

const COVERAGES = [{ name: 'Collision', type: 'Collision', limit: '1000000.00', deductible: null }];
let harness: CommandHarness;

beforeEach(async () => {
  harness = new CommandHarness();
  await givenMerchants(harness);
});

const quoteWith = async (offered: object = {}, request: object = {}): Promise<QuoteNames> =>
  await givenQuote(harness.eventStore, LIVE, offered, request);

/** The event and the response of a purchase. */
async function buy(quote: Partial<QuoteNames>, changes: object = {}) {
  const { quote_code } = quote;
  const outcome = await harness.run(purchasePolicy, { quote_code, ...changes }, { actor: MERCHANT });
  return { data: outcome.events[0]?.data, view: outcome.result, outcome };
}

describe('A quote of 365.00 a year', () => {
  test('gives an active policy of one year from today by default', async () => {
    const quote = await quoteWith();
    const { data, view, outcome } = await buy(quote);
    const policyId = outcome.stream.slice('policy-'.length);
    expect(data).toEqual({
      effectiveAt: '2026-03-01',
      policyId,
      merchantId: LIVE.merchantId,
      environmentId: 1,
      testMode: false,
      customerId: expect.any(String),
      policyNumber: derivePolicyNumber('An insurer', outcome.commandId, 0),
      quoteCode: quote.quote_code,
      status: 'active',
      merchantName: 'Acme Bank',
      merchantShortCode: 'ACM-0001',
      holder: { name: 'Ada Obi', email: CUSTOMER.email, phone: null, address: null },
      customerReference: null,
      provider: { id: expect.any(String), name: 'An insurer', email: null },
      product: { id: expect.any(String), name: 'A product', type: 'Auto' },
      productPlan: null,
      tierName: null,
      timeZone: 'UTC',
      currency: 'NGN',
      renewable: true,
      inspectionRequired: false,
      certificationRequired: false,
      beneficiaries: [],
      boughtOn: '2026-03-01',
      waits: false,
      cancellation: null,
      term: ratedTerm('2026-03-01', 'year', { rating: {}, coverages: COVERAGES }),
      risk: { vehicle_type: 'Car', vehicle_value: '2000000' },
      autoRenew: false,
    });
    expect(view).toMatchObject({ policy_id: policyId, status: 'active', premium: '365.00', beneficiaries: [] });
    expect(outcome.created).toBe(true);
    expect(outcome.events[0]?.metadata).toMatchObject({
      merchant: LIVE.merchantId,
      testMode: false,
      policy: policyId,
      customer: (data as { customerId: string }).customerId,
    });
    expect(view['policy_number']).toMatch(/^ANI-[0-9A-HJKMNP-TV-Z]{10}$/);
    const scope = merchantScope(LIVE);
    const [reserved] = await harness.events(reservationStream('quotePurchase', scope, quote.quote_code));
    expect(reserved?.metadata).toMatchObject({ merchant: LIVE.merchantId, testMode: false, policy: policyId });
  });

  test('gives a policy with its plan and tier', async () => {
    const { data } = await buy(await quoteWith({ productPlan: 'Family', tierName: 'Gold' }));
    expect(data).toMatchObject({ product: { name: 'A product' }, productPlan: 'Family', tierName: 'Gold' });
  });

  const EXAMPLE = {
    annualNet: '39900.00',
    rates: ratesOf({ surcharge: '500.00', tax_percent: '7.5', commission_percent: '10' }),
  };
  test.each([
    [{}, null, '2027-02-28', { premium: '43430.00', tax: '3030.00' }],
    [{ policy_duration: 365, effective_from: '2027-03-01' }, null, '2028-02-29', { premium: '43430.00' }],
    [{ effective_from: '2027-03-01' }, null, '2028-02-29', { premium: '43430.00' }],
    [{}, 73, '2026-05-12', { net: '7980.00', fee: '500.00', tax: '636.00', premium: '9116.00', commission: '798.00' }],
    [{ policy_duration: 73 }, 365, '2026-05-12', { premium: '9116.00' }],
  ])('for %j of a quote for %p days ends on %s and costs %j', async (changes, days, through, price) => {
    const { data, view } = await buy(await quoteWith(EXAMPLE, { days }), changes);
    expect(data).toMatchObject({ term: { through, ...price } });
    expect(view).toMatchObject({ premium: price.premium });
  });

  test('costs at least the minimum, and is refused above 8 integer digits', async () => {
    const least = ratesOf({ minimum_premium: '500.00', surcharge: '50.00', tax_percent: '20' });
    const { data } = await buy(await quoteWith({ annualNet: '10.00', rates: least }), { policy_duration: 1 });
    expect(data).toMatchObject({ term: { premium: '660.00', net: '500.00' } });
    const { quote_code } = await quoteWith({ annualNet: '100000000.00' });
    expect((await harness.expectRefusal(purchasePolicy, { quote_code })).code).toBe('premium_out_of_range');
    await harness.run(purchasePolicy, { quote_code, policy_duration: 364 });
  });

  test('keeps the rules of a cancellation, and is renewable as its product is at the purchase', async () => {
    const cancellation = { coolingOffDays: 14, refundAfterClaim: false, minimumRetained: '5.00' };
    const productId = await setUpProduct(harness, await setUpProvider(harness), { renewable: false });
    const quote = await quoteWith({ productId, cancellation, renewable: true });
    const body = { quote_code: quote.quote_code, auto_renew: true };
    expect((await harness.expectRefusal(purchasePolicy, body)).code).toBe('policy_not_renewable');
    expect((await buy(quote)).data).toMatchObject({ cancellation, renewable: false });
  });

  test.each([
    ['2027-03-03', 'must not be later than 2027-03-02'],
    ['2026-02-28', 'must not be in the past'],
  ])('cannot begin on %s', async (effective_from, message) => {
    const body = { quote_code: (await quoteWith()).quote_code, effective_from };
    const { fields } = await harness.expectRefusal(purchasePolicy, body);
    expect(fields).toEqual([{ field: 'effective_from', message }]);
  });

  test('gives an accepted policy for a start tomorrow', async () => {
    const { data, view } = await buy(await quoteWith(), { effective_from: '2026-03-02', policy_duration: 10 });
    expect(data).toMatchObject({ status: 'accepted', effectiveAt: '2026-03-02' });
    expect(view).toMatchObject({
      status: 'accepted',
      effective_from: '2026-03-02',
      effective_through: '2026-03-11',
      renewal_date: '2026-03-12T00:00:00.000Z',
    });
  });

  test.each([[{ inspectionRequired: true }], [{ certificationRequired: true }]])(
    'gives a policy that waits for a product with %j',
    async (offered) => {
      const { data } = await buy(await quoteWith(offered), { auto_renew: true });
      expect(data).toMatchObject({ status: 'accepted', waits: true, autoRenew: true, ...offered });
    },
  );

  test('can be bought by its purchase id or by both names', async () => {
    const [one, other] = await givenQuotes(harness.eventStore, LIVE, { offers: [{}, { productName: 'Other' }] });
    const first = await harness.run(purchasePolicy, { purchase_id: other?.purchase_id });
    expect(first.events[0]?.data).toMatchObject({ quoteCode: other?.quote_code, product: { name: 'Other' } });
    expect((await harness.run(purchasePolicy, { ...one })).events[0]?.data).toMatchObject({
      quoteCode: one?.quote_code,
    });
  });

  test('gives every beneficiary an id', async () => {
    const beneficiaries = [{ beneficiary_name: 'Ben' }, { beneficiary_name: 'Ben' }];
    const { data, view } = await buy(await quoteWith(), { beneficiaries });
    const [first, second] = (data as { beneficiaries: { beneficiaryId: string; name: string }[] }).beneficiaries;
    expect([first?.name, second?.name]).toEqual(['Ben', 'Ben']);
    expect(first?.beneficiaryId).not.toBe(second?.beneficiaryId);
    expect(view.beneficiaries).toMatchObject([
      { beneficiary_id: first?.beneficiaryId, beneficiary_name: 'Ben' },
      { beneficiary_id: second?.beneficiaryId, beneficiary_name: 'Ben' },
    ]);
  });

  test('keeps the risk as it was sent', async () => {
    const additionalInformation = {
      gadget_type: 'Smartphone',
      gadget_value: 1250.5,
      insured: true,
      gadget_information: { make: 'Kia', more: { colour: null, sims: [1, 'two'] } },
      nothing: {},
    };
    const { data } = await buy(await quoteWith({}, { additionalInformation }));
    expect(data).toMatchObject({ risk: additionalInformation });
  });
});

describe('The customer of a purchase', () => {
  const customer = {
    first_name: 'Bola',
    last_name: 'Ade',
    email: 'bola@customers.example',
    phone: '+234 1',
    date_of_birth: '1980-05-17',
    residential_address: { house_number: '12', street: 'Marina', city: 'Lagos', postal_code: '101241', country: 'NG' },
  };

  test('is registered from the purchase when the quote has none', async () => {
    const quote = await quoteWith({}, { customer: null });
    const { data } = await buy(quote, { customer_metadata: customer });
    const { customerId } = data as { customerId: string };
    const expected = { phone: '+234 1', email: customer.email, address: '12 Marina, Lagos, 101241, NG' };
    expect(data).toMatchObject({ holder: { name: 'Bola Ade', ...expected } });
    expect(await harness.data(customerStream(customerId), 0)).toMatchObject({
      customerId,
      merchantId: LIVE.merchantId,
      fullName: 'Bola Ade',
      dateOfBirth: '1980-05-17',
      reference: null,
      ...expected,
    });
  });

  test.each([
    [{ house_number: '12', city: 'Lagos' }, '12, Lagos'],
    [{ street: 'Marina', state: 'LA' }, 'Marina, LA'],
    [{ city: 'Lagos', country: 'NG' }, 'Lagos, NG'],
    [{}, null],
  ])('with the residential address %j becomes a policy holder with the address %p', (residential_address, address) => {
    expect(holderOf({ ...customer, residential_address }).address).toBe(address);
  });

  test('is found by e-mail and name, while the policy holder is as bought', async () => {
    const first = (await buy(await quoteWith())).data as { customerId: string };
    const customer = { ...CUSTOMER, email: 'ADA@Customers.Example', last_name: 'OBI' };
    const second = await buy(await quoteWith({}, { customer }));
    expect(second.data).toMatchObject({ customerId: first.customerId, holder: { name: 'Ada OBI' } });
    expect(await harness.events(customerStream(first.customerId))).toHaveLength(1);
  });

  /** Returns the id of the customer of a purchase. */
  const customerOf = async (customer_metadata: object): Promise<string> => {
    const { data } = await buy(await quoteWith({}, { customer: null }), { customer_metadata });
    return (data as { customerId: string }).customerId;
  };

  test.each([
    ['another case and outer spaces', { first_name: ' ADA', last_name: 'obi ', email: ' ADA@Customers.Example' }],
    [
      'characters that nobody sees',
      { first_name: 'A\u200bda', last_name: 'Obi\u{e0041}', email: 'a\u00adda@customers.example' },
    ],
    ['an invisible domain character', { email: 'ada@custom\u200bers.example' }],
  ])('is the same with %s', async (_difference, changes) => {
    expect(await customerOf({ ...CUSTOMER, ...changes })).toBe(await customerOf(CUSTOMER));
  });

  test.each([
    ['Strasse', { last_name: 'Straße' }],
    ['Obi', { last_name: 'Öbi' }],
    ['Obi', { last_name: '' }],
  ])('of the name %s is another one with %j', async (last_name, changes) => {
    const customer = { ...CUSTOMER, last_name };
    expect(await customerOf({ ...customer, ...changes })).not.toBe(await customerOf(customer));
  });

  test.each([{}, { last_name: '' }, { last_name: ' ' }])('may have a name of one word, with %j', async (last) => {
    const quote = await quoteWith({}, { customer: null });
    const { data } = await buy(quote, { customer_metadata: { first_name: 'Suharto', email: CUSTOMER.email, ...last } });
    expect(data).toMatchObject({ holder: { name: 'Suharto' } });
  });

  test('is reused after an import', async () => {
    await harness.run(importPolicyTerm, policyRow({ customer_email: CUSTOMER.email }));
    await buy(await quoteWith());
    const customers = (await harness.log()).filter(({ type }) => type === 'CustomerRegistered');
    expect(customers).toHaveLength(1);
  });

  test('is another one in the other mode', async () => {
    const live = (await buy(await quoteWith())).data as { customerId: string };
    const quote = await givenQuote(harness.eventStore, TEST);
    const test = await harness.run(purchasePolicy, { quote_code: quote.quote_code }, { environment: TEST });
    expect(test.events[0]?.data).not.toMatchObject({ customerId: live.customerId });
    expect(test.events[0]?.data).toMatchObject({ testMode: true, environmentId: 2 });
  });
});

describe('A purchase is refused', () => {
  async function expectRefusal(input: object, code: string, fields: readonly string[] = [], sent: object = {}) {
    const before = await harness.log();
    const refusal = await harness.expectRefusal(purchasePolicy, input, { key: 'k', ...sent });
    expect([refusal.code, invalidFields(refusal)]).toEqual([code, fields]);
    expect(await harness.log()).toEqual(before);
    return refusal;
  }

  test.each([
    ['an unknown code', { quote_code: quoteCode('7fffffffffff', 3) }],
    ['a text that is no code', { quote_code: 'QTE-2021-01-0001' }],
    ['an unknown purchase id', { purchase_id: purchaseId('7fffffffffff', 3) }],
    ['a purchase id that is none', { purchase_id: `PUR-${derivedId('any')}` }],
  ])('with quote_not_found for %s', async (_, input) => {
    await expectRefusal(input, 'quote_not_found');
  });

  test('with quote_not_found for an index after the last offer', async () => {
    const { quote_code } = await quoteWith();
    const last = Number.parseInt(quote_code.slice(-8), 16) + 1;
    const next = `${quote_code.slice(0, -8)}${last.toString(16).padStart(8, '0')}`;
    await expectRefusal({ quote_code: next }, 'quote_not_found');
  });

  test('with quote_expired from the instant of expiry on', async () => {
    const quote = await quoteWith();
    harness.now = '2026-03-31T10:00:00.000Z';
    await expectRefusal({ quote_code: quote.quote_code }, 'quote_expired');
    harness.now = '2026-03-31T09:59:59.999Z';
    await buy(quote);
  });

  test('with quote_already_purchased for a bought quote, even after its expiry', async () => {
    const quote = await quoteWith();
    await buy(quote);
    await expectRefusal({ quote_code: quote.quote_code }, 'quote_already_purchased');
    harness.now = '2027-01-01T00:00:00.000Z';
    await expectRefusal({ purchase_id: quote.purchase_id }, 'quote_already_purchased');
  });

  test('with both fields for the names of two quotes', async () => {
    const [one, other] = await givenQuotes(harness.eventStore, LIVE, { offers: [{}, {}] });
    const names = { quote_code: one?.quote_code, purchase_id: other?.purchase_id };
    await expectRefusal(names, 'invalid_request', ['quote_code', 'purchase_id']);
    await expectRefusal({ ...names, quote_code: 'Quo_none' }, 'invalid_request', ['quote_code', 'purchase_id']);
    await expectRefusal({ ...names, purchase_id: 'PUR-none' }, 'invalid_request', ['quote_code', 'purchase_id']);
    await expectRefusal({ quote_code: 'Quo_none', purchase_id: 'PUR-none' }, 'quote_not_found');
    const { purchase_id } = await quoteWith();
    await expectRefusal({ ...names, purchase_id }, 'invalid_request', ['quote_code', 'purchase_id']);
  });

  test('with customer_metadata for two customers or none', async () => {
    const known = await quoteWith();
    const input = { quote_code: known.quote_code, customer_metadata: CUSTOMER };
    await expectRefusal(input, 'invalid_request', ['customer_metadata']);
    const unknown = await quoteWith({}, { customer: null });
    await expectRefusal({ quote_code: unknown.quote_code }, 'invalid_request', ['customer_metadata']);
  });

  test('with all invalid fields, before it asks whether the product is renewable', async () => {
    const { quote_code } = await quoteWith({ renewable: false }, { customer: null });
    const input = { quote_code, effective_from: '2026-02-28', auto_renew: true };
    await expectRefusal(input, 'invalid_request', ['customer_metadata', 'effective_from']);
    const good = { ...input, effective_from: '2026-03-01', customer_metadata: CUSTOMER };
    await expectRefusal(good, 'policy_not_renewable', ['auto_renew']);
  });

  test('with product_withdrawn, once the product is', async () => {
    const productId = await setUpProduct(harness, await setUpProvider(harness));
    const { quote_code } = await quoteWith({ productId });
    await harness.run(withdrawProduct, { product_id: productId });
    await expectRefusal({ quote_code }, 'product_withdrawn');
    await harness.run(restoreProduct, { product_id: productId });
    await harness.run(purchasePolicy, { quote_code });
  });

  test('with effective_from for a term beyond the calendar', async () => {
    const { quote_code } = await quoteWith();
    await expectRefusal({ quote_code, effective_from: '9999-12-01' }, 'invalid_request', ['effective_from']);
  });

  test('for a date of birth in the future', async () => {
    const { quote_code } = await quoteWith({}, { customer: null });
    const customer_metadata = { ...CUSTOMER, date_of_birth: '2026-03-02' };
    await expectRefusal({ quote_code, customer_metadata }, 'invalid_request', ['customer_metadata.date_of_birth']);
  });

  test('with quote_already_purchased while a concurrent purchase is not complete', async () => {
    const quote = await quoteWith();
    const { quote_code } = quote;
    harness.eventStore.beforeAppend = (stream) => {
      if (stream.startsWith('policy-')) throw new Error('killed');
    };
    await expect(harness.run(purchasePolicy, { quote_code }, { key: 'first' })).rejects.toThrow('killed');
    harness.eventStore.beforeAppend = () => {};
    await expectRefusal({ quote_code }, 'quote_already_purchased');
    harness.now = '2027-01-01T00:00:00.000Z';
    const finished = await harness.run(purchasePolicy, { quote_code }, { key: 'first' });
    expect(finished.events[0]?.data).toMatchObject({ term: { from: '2026-03-01' }, status: 'active' });
  });
});

describe('A policy number', () => {
  test('is the next candidate when the first one is taken', async () => {
    const sent = { key: 'k', environment: LIVE };
    const quote = await quoteWith();
    const scout = new CommandHarness();
    await givenMerchants(scout);
    const same = await givenQuote(scout.eventStore, LIVE);
    const { commandId } = await scout.run(purchasePolicy, { quote_code: same.quote_code }, sent);
    await harness.run(importPolicyTerm, policyRow({ policy_number: derivePolicyNumber('An insurer', commandId, 0) }));
    const { result } = await harness.run(purchasePolicy, { quote_code: quote.quote_code }, sent);
    expect(result.policy_number).toBe(derivePolicyNumber('An insurer', commandId, 1));
  });
});

describe('Concurrent purchases', () => {
  test('of one e-mail register one customer', async () => {
    const quotes: QuoteNames[] = [];
    while (quotes.length < 20) quotes.push(await quoteWith());
    await Promise.all(quotes.map(async (quote) => await buy(quote)));
    const customers = (await harness.log()).filter(({ type }) => type === 'CustomerRegistered');
    expect(customers).toHaveLength(1);
  });
});
