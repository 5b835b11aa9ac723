import { PRODUCTS } from '#cli/sample/products.ts';
import type { Subject } from './policies.ts';
import { postsPerSecond, type Post } from './posts.ts';
import { command } from './service.ts';
import { compareRates, type Row } from './table.ts';

const REQUESTS = 3_000;
const ROUNDS = 3;
const OFFERS = 5;
const IN_FLIGHT = 64;

/** A quote request for a car; every product on sale gives an offer. */
export const QUOTE_REQUEST = {
  customer_metadata: { first_name: 'Ada', last_name: 'Bench', email: 'ada@bench.example' },
  insurance_details: {
    product_type: 'Auto',
    additional_information: {
      vehicle_type: 'Car',
      vehicle_make: 'Kia',
      vehicle_year: 2019,
      vehicle_value: '2000000.00',
      vehicle_usage: 'Commercial',
      insurance_options: 'Comprehensive',
    },
  },
};

/** Adds several products like that of the sample, so that a request gets as many offers. */
export async function sellProducts(url: string): Promise<void> {
  const provider = { name: 'Bench Insurance', support_email: 'help@insurer.example', support_phone: '1' };
  const { provider_id: providerId } = await command(url, 'RegisterProvider', provider);
  const { provider: _, ...product } = PRODUCTS.find(({ product_type: type }) => type === 'Auto') ?? { provider: '' };
  for (let number = 1; number <= OFFERS; number++) {
    await command(url, 'AddProduct', { ...product, provider_id: providerId, name: `Motor ${number}` });
  }
}

/** Measures quote requests, durable with all offers, against the same handler without storage. */
export async function benchQuotes([surety, bare]: readonly [Subject, Subject]): Promise<Row> {
  const posts: Post[] = Array.from({ length: REQUESTS }, () => ({ path: '/api/v1/quotes', body: QUOTE_REQUEST }));
  const what = `requests for quotes of ${OFFERS} products, ${IN_FLIGHT} in flight, against the same handler without storage`;
  return await compareRates(what, 'requests/s', { rounds: ROUNDS }, async () => ({
    bare: await postsPerSecond(bare.url, bare.key, posts, IN_FLIGHT),
    surety: await postsPerSecond(surety.url, surety.key, posts, IN_FLIGHT),
  }));
}
