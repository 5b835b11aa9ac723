import { ADMIN_KEY, type ApiResponse, type ApiService } from './api-service.ts';
import { createMerchant, type MerchantFixture } from './merchant-fixture.ts';
import { RISKS } from './risks.ts';
import { startSuiteService } from './suite-service.ts';
import { waitForPosition } from './test-projector.ts';

type Json = ApiResponse['json'];

/** A service on which policies are bought as a merchant buys them: with quotes of products of the catalogue. */
export interface Shop {
  readonly service: ApiService;
  readonly acme: MerchantFixture;
  /** The insurer of all products. */
  readonly providerId: string;
  /** Moves the clock to 10:00 UTC of a day. */
  setDay(day: string): void;
  /**
   * Adds a product, by default for 1000.00 a year net, with a fee of 50.00, 10 % tax and 20 % commission. Returns its
   * id.
   */
  offer(changes?: object): Promise<string>;
  /** Changes the prices of a product. */
  reprice(productId: string, rating: object): Promise<void>;
  /**
   * Buys a policy of a product in the live environment of Acme. `quoted` are the members of the request for a quote.
   */
  buy(productId: string, bought?: object, quoted?: object): Promise<Json>;
  post(path: string, body: object, request?: { key?: string; headers?: Record<string, string> }): Promise<ApiResponse>;
  /** Runs a command of the platform. `environment_id` is that of the live environment of Acme where `body` has none. */
  admin(command: string, body: object): Promise<ApiResponse>;
  get(path: string, key?: string): Promise<ApiResponse>;
  /** Returns kind, amount and date of every transaction of a policy. */
  transactions(policyId: string): Promise<readonly string[]>;
  /** Returns state, days and premium of every term of a policy. */
  terms(policyId: string, search?: string): Promise<readonly string[]>;
}

const RATING = { surcharge: '50.00', tax_percent: '10', commission_percent: '20' };

const COVERAGES = [
  { coverage_name: 'Own damage', coverage_type: 'Collision', coverage_limit: '100000.00', deductible: '500.00' },
  { coverage_name: 'Theft', coverage_type: 'Property', coverage_limit: '100000.00' },
];

/** Commands of the platform that act in an environment. */
const IN_ENVIRONMENT = ['CancelPolicy', 'ChangePolicy', 'RenewPolicy', 'ImportPolicyTerm'];

/** Opens a shop on a service that stops after the tests of the file. */
export async function openShop(): Promise<Shop> {
  const service = await startSuiteService();
  const acme = await createMerchant(service, 'Acme');
  const insurer = { name: 'Leadway', support_email: 'help@leadway.example', support_phone: '1' };
  const { provider_id } = await service.admin('RegisterProvider', insurer);
  const names = new Map<string, string>();

  const catchUp = async (): Promise<void> =>
    await waitForPosition(service.projector, (await service.eventStore.lastPosition()) ?? 0n);
  const send = async (method: string, path: string, key: string, request: object = {}): Promise<ApiResponse> => {
    await catchUp();
    return await service.send(method, `/api/v1/${path}`, { key, ...request });
  };
  const post: Shop['post'] = async (path, body, { key = acme.live.key, headers = {} } = {}) =>
    await send('POST', path, key, { body, headers });
  const get: Shop['get'] = async (path, key = acme.live.key) => await send('GET', path, key);
  const succeed = async (response: Promise<ApiResponse>): Promise<Json> => {
    const { status, text, json } = await response;
    if (status > 201) throw new Error(text);
    return json;
  };
  return {
    service,
    acme,
    providerId: provider_id,
    post,
    get,
    setDay: (day) => {
      service.clock.now = `${day}T10:00:00.000Z`;
    },
    offer: async (changes = {}) => {
      const name = `Motor ${names.size}`;
      const product = { provider_id, name, description: 'Covers the car.', product_type: 'Auto' };
      const prices = { base_premium: '1000.00', rating: RATING, coverages: COVERAGES };
      const { product_id } = await service.admin('AddProduct', { ...product, ...prices, ...changes });
      names.set(product_id, name);
      return product_id;
    },
    reprice: async (product_id, rating) => void (await service.admin('UpdateProduct', { product_id, rating })),
    buy: async (productId, bought = {}, quoted = {}) => {
      const insurance_details = { product_type: 'Auto', additional_information: RISKS.Auto };
      const request = { insurance_details, ...quoted };
      const { results } = await succeed(post('quotes?limit=100', request));
      const quote = results.flat().find(({ product }: Json) => product === names.get(productId));
      const customer_metadata = { first_name: 'Ada', last_name: 'Obi', email: 'ada@customers.example' };
      return await succeed(post('policies', { quote_code: quote.quote_code, customer_metadata, ...bought }));
    },
    admin: async (command, body) => {
      const environment = IN_ENVIRONMENT.includes(command) ? { environment_id: acme.live.environmentId } : {};
      return await send('POST', `admin/commands/${command}`, ADMIN_KEY, { body: { ...environment, ...body } });
    },
    transactions: async (policyId) => {
      const { results } = await succeed(get(`policies/${policyId}/transactions?limit=100`));
      return results.map(({ kind, amount, date }: Json) => `${kind} ${amount} ${date}`);
    },
    terms: async (policyId, search = '') => {
      const { results } = await succeed(get(`policies/${policyId}/terms${search}`));
      return results.map(({ state, from, through, premium }: Json) => `${state} ${from} ${through} ${premium}`);
    },
  };
}

/** Returns the names of the wrong fields of a problem, after its status and code. */
export function problemOf({ status, json }: ApiResponse): readonly unknown[] {
  const fields = (json.errors ?? []).map(({ field }: Json) => field);
  return [status, json.code, ...fields];
}
