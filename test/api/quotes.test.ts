import { describe, expect, test } from '@jest/globals';
import { productSchema } from '#projections/products/products.ts';
import { notOfferedSchema, quoteItemSchema, quoteSchema } from '#queries/quotes.ts';
import type { ProductType } from '#domain/product/product.ts';
import { createMerchant } from '../support/merchant-fixture.ts';
import { ADMIN_KEY, type ApiResponse, type ApiService } from '../support/api-service.ts';
import { startSuiteService } from '../support/suite-service.ts';
import { RISKS } from '../support/risks.ts';

const QUOTES = '/api/v1/quotes';

/** The example of the rating rules. */
const RATING = {
  rate: { field: 'vehicle_value', percent: '1.5' },
  loadings: [{ field: 'vehicle_usage', equals: 'Commercial', percent: '20', label: 'commercial use' }],
  discount_percent: '5',
  surcharge: '500.00',
  tax_percent: '7.5',
  commission_percent: '10',
};

interface Item {
  readonly quote_code: string;
  readonly purchase_id: string;
  readonly provider: string;
  readonly product: string;
  readonly premium: string;
  readonly additional_metadata: { readonly tier_name: string | null };
}

async function addProduct(provider: string | undefined, name: string, changes: object = {}): Promise<string> {
  const product = await service.admin('AddProduct', {
    provider_id: provider,
    name,
    description: `What ${name} covers`,
    product_type: 'Auto',
    base_premium: '5000',
    ...changes,
  });
  return product.product_id;
}

const service = await startSuiteService();
const acme = await createMerchant(service, 'Acme');
const providers: readonly string[] = await Promise.all(
  ['Leadway Assurance', 'Mutual Benefits'].map(async (name) => {
    const input = { name, support_email: 'help@insurer.example', support_phone: '1' };
    return (await service.admin('RegisterProvider', input)).provider_id as string;
  }),
);
await addProduct(providers[0], 'Comprehensive', {
  rating: RATING,
  coverages: [
    { coverage_name: 'Collision', coverage_type: 'Collision', coverage_limit: '1000000' },
    { coverage_name: 'Third party', coverage_type: 'Liability', coverage_limit: '3000000' },
  ],
});
await addProduct(providers[1], 'By tier', {
  tiers: [
    { tier_name: 'Gold', base_premium: '60000', coverages: [{ coverage_name: 'Fire', coverage_limit: '9000000' }] },
    { tier_name: 'Basic', base_premium: '20000' },
  ],
});
await addProduct(providers[1], 'Asleep', { is_live: false });

const body = (type: ProductType = 'Auto', more: object = {}, risk: object = {}) => ({
  insurance_details: { product_type: type, additional_information: { ...RISKS[type], ...risk } },
  ...more,
});

async function ask(search = '', request: Parameters<ApiService['send']>[2] = {}): Promise<ApiResponse> {
  return await service.send('POST', QUOTES + search, { key: acme.live.key, body: body(), ...request });
}

const itemsOf = ({ json }: ApiResponse): readonly Item[] => json.results[0] ?? [];
const premiums = (response: ApiResponse): readonly string[] => itemsOf(response).map(({ premium }) => premium);

describe('A quote request', () => {
  test('returns a quote of each live product or tier, cheapest first', async () => {
    const response = await ask();
    expect(response.status).toBe(200);
    expect(response.json).toMatchObject({ count: 3, next: null, previous: null, not_offered: [] });
    expect(response.json.results).toHaveLength(1);
    for (const item of itemsOf(response)) quoteItemSchema.parse(item);
    expect(itemsOf(response).map((item) => [item.product, item.additional_metadata.tier_name, item.premium])).toEqual([
      ['By tier', 'Basic', '20000.00'],
      ['Comprehensive', null, '43430.00'],
      ['By tier', 'Gold', '60000.00'],
    ]);
    expect(itemsOf(response)[1]).toMatchObject({
      provider: 'Leadway Assurance',
      product_type: 'Auto',
      base_price: '35000.00',
    });
    expect(response.headers.get('surety-pending')).toBeNull();
  });

  test.each([
    ['?provider_name=LEADWAY', ['43430.00']],
    ['?coverage_type=liability', ['43430.00']],
    ['?max_price=43430.00&min_price=20000.01', ['43430.00']],
    ['?sort_by=best_coverage&limit=1', ['60000.00']],
  ])('with %s the premiums are %j', async (search, expected) => {
    expect(premiums(await ask(search))).toEqual(expected);
  });

  test.each([
    ['?sort_by=price', 'sort_by'],
    ['?min_price=-1', 'min_price'],
    ['?max_price=cheap', 'max_price'],
    ['?provider_name=%20', 'provider_name'],
  ])('rejects %s and records nothing', async (search, field) => {
    const before = (await service.log()).length;
    const response = await ask(search);
    expect([response.status, response.json.errors[0].field]).toEqual([400, field]);
    expect(await service.log()).toHaveLength(before);
  });

  test('answers 403 to a platform key, which has an admin command', async () => {
    const response = await ask('', { key: ADMIN_KEY });
    expect([response.status, response.json.code]).toEqual([403, 'merchant_key_required']);
    const { quotes } = await service.admin('RequestQuotes', { ...body(), environment_id: acme.live.environmentId });
    expect(quotes).toHaveLength(3);
    const read = await service.send('GET', `${QUOTES}/${quotes[0].quote_code}`, { key: acme.live.key });
    expect(read.status).toBe(200);
  });
});

describe('A quote request for a number of days', () => {
  const days = (policy_duration: number) => ({ body: body('Auto', { policy_duration }) });

  test('has their prices in the list, its filters and its order, and in the quote', async () => {
    const response = await ask('?max_price=9116.00&min_price=4000.01', days(73));
    const [item] = itemsOf(response);
    expect(item).toMatchObject({ product: 'Comprehensive', base_price: '35000.00', premium: '9116.00' });
    expect(premiums(await ask('', days(73)))).toEqual(['4000.00', '9116.00', '12000.00']);
    expect(premiums(await ask('?sort_by=best_coverage', days(73)))).toEqual(['12000.00', '9116.00', '4000.00']);
    const read = await service.send('GET', `${QUOTES}/${item?.quote_code}`, { key: acme.live.key });
    quoteSchema.parse(read.json);
    expect(read.json).toMatchObject({
      base_price: '35000.00',
      premium: '9116.00',
      policy_duration: 73,
      product: {
        price: { amount: 8400, discount_amount: 420, surcharges: 500, tax: 636, commission: 798, currency: 'NGN' },
        price_text: {
          amount: '8400.00',
          discount_amount: '420.00',
          surcharges: '500.00',
          tax: '636.00',
          commission: '798.00',
        },
      },
    });
    expect(read.json.product.price.description).toMatch(/^73 days of Comprehensive/);
  });

  test('costs at least the minimum premium', async () => {
    const rating = { minimum_premium: '500.00', surcharge: '50.00', tax_percent: '20' };
    const id = await addProduct(providers[0], 'Minimum', { product_type: 'Life', base_premium: '10.00', rating });
    for (const policy_duration of [1, 365])
      expect(premiums(await ask('', { body: body('Life', { policy_duration }) }))).toEqual(['660.00']);
    const { json } = await service.send('GET', `/api/v1/products/${id}`, { key: acme.live.key });
    expect(json.pricing).toEqual({ amount: '500.00', surcharges: '50.00', tax: '110.00', total_price: '660.00' });
  });

  test('is 1 to 365', async () => {
    const response = await ask('', days(366));
    expect([response.status, response.json.errors[0].field]).toEqual([400, 'policy_duration']);
  });
});

describe('Products for some ages', () => {
  const born = (date_of_birth: string) => ({
    body: body('PetCare', {
      customer_metadata: { first_name: 'Ada', last_name: 'Obi', email: 'ada@quotes.example', date_of_birth },
    }),
  });

  const field = 'customer_metadata.date_of_birth';

  test('make no offer outside them or without a date of birth, and say why', async () => {
    const limits = { product_type: 'PetCare', additional_information: { min_age: 18, max_age: 70 } };
    const id = await addProduct(providers[0], 'For adults', limits);
    expect(premiums(await ask('', born('2008-03-10')))).toEqual(['5000.00']);
    const tooYoung = await ask('', born('2008-03-11'));
    const message = 'is of an age that is not accepted: the product accepts the ages 18 to 70';
    expect([tooYoung.status, tooYoung.json]).toMatchObject([
      200,
      {
        count: 0,
        results: [],
        not_offered: [
          {
            product_id: id,
            product: 'For adults',
            provider: 'Leadway Assurance',
            reasons: [{ code: 'not_eligible', field, message }],
          },
        ],
      },
    ]);
    for (const item of tooYoung.json.not_offered) notOfferedSchema.parse(item);
  });

  test('are 400 naming the date of birth while no other product makes an offer', async () => {
    const missing = { field, message: 'must be given: the product accepts the ages 18 to 70' };
    const refused = await ask('', { body: body('PetCare') });
    expect([refused.status, refused.json.code, refused.json.errors]).toEqual([400, 'invalid_request', [missing]]);
    await addProduct(providers[0], 'For all', { product_type: 'PetCare' });
    const { json } = await ask('', { body: body('PetCare') });
    expect(json.results[0].map(({ product }: Item) => product)).toEqual(['For all']);
    expect(json.not_offered).toMatchObject([{ reasons: [{ code: 'field_missing', ...missing }] }]);
  });

  test('are bought from every quote that they make', async () => {
    const { json } = await ask('', born('1990-03-11'));
    for (const { quote_code } of json.results[0]) {
      const bought = await service.send('POST', '/api/v1/policies', { key: acme.live.key, body: { quote_code } });
      expect(bought.status).toBe(201);
    }
    expect(json.count).toBe(2);
  });
});

describe('A product whose price reads the risk', () => {
  const priced = (risk: object) => ask('', { body: body('General', {}, risk) });

  test('has no price without a number, which the response names', async () => {
    const loadings = [{ field: 'age_of_pet', at_least: '8', percent: '80', label: 'Old' }];
    await addProduct(providers[0], 'By age', { product_type: 'General', base_premium: '100.00', rating: { loadings } });
    for (const risk of [{}, { age_of_pets: 9 }, { age_of_pet: 'nine' }, { age_of_pet: null }]) {
      const refused = await priced(risk);
      expect([refused.status, refused.json.errors]).toMatchObject([
        400,
        [{ field: 'insurance_details.additional_information.age_of_pet' }],
      ]);
    }
    expect(premiums(await priced({ age_of_pet: '9' }))).toEqual(['180.00']);
    expect(premiums(await priced({ age_of_pet: 7.5 }))).toEqual(['100.00']);
  });

  test('reads no field that quotes of its type do not have', async () => {
    const rating = { rate: { field: 'vehicle_price', percent: '1' } };
    const product = { provider_id: providers[0], name: 'X', description: 'X', product_type: 'Auto', base_premium: '1' };
    const refused = await service.send('POST', '/api/v1/admin/commands/AddProduct', {
      key: ADMIN_KEY,
      body: { ...product, rating },
    });
    expect([refused.status, refused.json.errors]).toMatchObject([400, [{ field: 'rating.rate.field' }]]);
  });
});

describe('Products that refuse a risk', () => {
  test('make no offer, and say why', async () => {
    await addProduct(providers[0], 'Choosy', {
      product_type: 'Travel',
      additional_information: { refused: { international_flight: [false] } },
    });
    const risk = { international_flight: true };
    expect(premiums(await ask('', { body: body('Travel', {}, risk) }))).toEqual(['5000.00']);
    const refused = await ask('', { body: body('Travel') });
    expect([refused.status, refused.json]).toMatchObject([
      200,
      {
        count: 0,
        not_offered: [
          {
            product: 'Choosy',
            reasons: [{ code: 'refused', field: 'insurance_details.additional_information.international_flight' }],
          },
        ],
      },
    ]);
  });
});

describe('A repeated quote request', () => {
  const withKey = (key: string) => ({ headers: { 'Idempotency-Key': key } });

  test('returns the same codes for the same key, and new ones without a key', async () => {
    const [first, again, other] = [await ask('', withKey('a')), await ask('', withKey('a')), await ask()];
    expect(again.text).toBe(first.text);
    expect([first, again].map(({ headers }) => headers.get('idempotent-replayed'))).toEqual([null, 'true']);
    const codes = [first, other].flatMap((response) => itemsOf(response).map(({ quote_code }) => quote_code));
    expect(new Set(codes).size).toBe(6);
  });

  test('pages the same quotes for the same key and refuses other filters with 422', async () => {
    const first = await ask('?limit=1&sort_by=best_coverage', withKey('paged'));
    const paged = [...itemsOf(first)];
    let { next } = first.json;
    expect(first.headers.get('link')).toBe(`<${next}>; rel="next"`);
    while (next !== null) {
      const page = await ask(next.slice(service.url.length + QUOTES.length), withKey('paged'));
      expect(page.headers.get('idempotent-replayed')).toBe('true');
      paged.push(...itemsOf(page));
      ({ next } = page.json);
    }
    const all = await ask('?sort_by=best_coverage', withKey('paged'));
    expect(itemsOf(all)).toEqual(paged);
    const other = await ask('?sort_by=cheapest', withKey('paged'));
    expect([other.status, other.json.code]).toEqual([422, 'idempotency_key_reused']);
  });
});

describe('A quote', () => {
  test('is readable by its code with its product, also after it has expired', async () => {
    const [, offered] = itemsOf(await ask());
    const path = `${QUOTES}/${offered?.quote_code}/`;
    const response = await service.send('GET', path, { key: acme.live.key });
    expect(response.status).toBe(200);
    quoteSchema.parse(response.json);
    expect(response.json).toMatchObject({
      quote_code: offered?.quote_code,
      premium: '43430.00',
      policy_duration: null,
      product: {
        price: {
          amount: 42_000,
          description: 'A year of Comprehensive, before discount, surcharges and NGN 3030.00 of tax',
          currency: 'NGN',
          discount_amount: 2100,
          surcharges: 500,
          tax: 3030,
          commission: 3990,
        },
      },
    });
    const etag = response.headers.get('etag') ?? '';
    const same = await service.send('GET', path, { key: acme.live.key, headers: { 'If-None-Match': etag } });
    expect(same.status).toBe(304);
    service.clock.now = '2026-05-10T09:30:00.000Z';
    expect((await service.send('GET', path, { key: acme.live.key })).text).toBe(response.text);
    service.clock.now = '2026-03-10T09:30:00.000Z';
  });

  test('is unchanged after its product is changed and withdrawn', async () => {
    const productId = await addProduct(providers[0], 'Fleeting', { product_type: 'Accident' });
    const [offered] = itemsOf(await ask('', { body: body('Accident') }));
    await service.admin('UpdateProduct', { product_id: productId, name: 'Renamed', base_premium: '9000' });
    await service.admin('WithdrawProduct', { product_id: productId });
    const read = await service.send('GET', `${QUOTES}/${offered?.quote_code}`, { key: acme.live.key });
    expect(read.json).toMatchObject({
      premium: '5000.00',
      product: {
        name: 'Fleeting',
        is_trashed: true,
        trashed_at: service.clock.now,
        restored_at: null,
        updated_at: service.clock.now,
      },
    });
    expect((await ask('', { body: body('Accident') })).json.count).toBe(0);
  });
});

describe('A product', () => {
  test('shows its currency, deductibles, ages and rules for cancellations, and keeps its currency', async () => {
    const id = await addProduct(providers[0], 'Complete', {
      product_type: 'Other',
      currency: 'GHS',
      coverages: [{ coverage_name: 'Fire', coverage_limit: '100', deductible: '2.5' }],
      additional_information: { min_age: 18 },
      cancellation: { cooling_off_days: 14 },
    });
    const read = async () => (await service.send('GET', `/api/v1/products/${id}/`, { key: acme.live.key })).json;
    productSchema.parse(await read());
    const shown = {
      currency: 'GHS',
      coverages: [{ coverage_name: 'Fire', coverage_limit: '100.00', deductible: '2.50' }],
      eligibility: { min_age: 18, max_age: null },
      cancellation: { cooling_off_days: 14, refund_after_claim: true, minimum_retained: '0.00' },
    };
    expect(await read()).toMatchObject(shown);
    const changed = { key: ADMIN_KEY, body: { product_id: id, currency: 'NGN' } };
    const refused = await service.send('POST', '/api/v1/admin/commands/UpdateProduct', changed);
    expect([refused.status, refused.json.errors]).toEqual([
      400,
      [{ field: 'currency', message: 'must stay GHS: the currency of a product is fixed' }],
    ]);
    expect(await read()).toMatchObject(shown);
  });
});
