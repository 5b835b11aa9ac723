import { describe, expect, test } from '@jest/globals';
import { quoteItemSchema, quoteSchema } from '../../queries/quotes.ts';
import type { ProductType } from '../../src/domain/product/product.ts';
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
    expect(response.json).toMatchObject({ count: 3, next: null, previous: null });
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

describe('Products that refuse a risk', () => {
  test('make no offer; when all refuse, the response is 400 with the field', async () => {
    await addProduct(providers[0], 'Choosy', {
      product_type: 'Travel',
      additional_information: { refused: { international_flight: [false] } },
    });
    const risk = { international_flight: true };
    expect(premiums(await ask('', { body: body('Travel', {}, risk) }))).toEqual(['5000.00']);
    const refused = await ask('', { body: body('Travel') });
    expect([refused.status, refused.json.code]).toEqual([400, 'invalid_request']);
    expect(refused.json.errors).toMatchObject([
      { field: 'insurance_details.additional_information.international_flight' },
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
    expect(response.json).toMatchObject({ quote_code: offered?.quote_code, premium: '43430.00' });
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
