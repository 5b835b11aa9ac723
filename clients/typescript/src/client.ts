import { Api } from './api.ts';
import type { Me, PublicEvent, Work } from './api-types.ts';
import { type FeedOptions, type FeedQuery, readFeed, readNewest } from './feed.ts';
import { type CallOptions, type ClientOptions, Http } from './http.ts';
import type { Body, Query, ResponseBody } from './operation-types.ts';
import { Admin, type Commands, commandsOf } from './resources/admin.ts';
import { Claims } from './resources/claims.ts';
import { Customers } from './resources/customers.ts';
import { Merchants } from './resources/merchants.ts';
import { Policies } from './resources/policies.ts';
import { Products } from './resources/products.ts';
import { Providers } from './resources/providers.ts';
import { Quotes } from './resources/quotes.ts';
import { Session } from './resources/session.ts';

/**
 * A client of Surety, with one key. A call rejects with a `SuretyError`; with a `TypeError` for a value that cannot be
 * sent; and with the reason of its signal.
 */
export class SuretyClient {
  readonly quotes: Quotes;
  readonly policies: Policies;
  readonly claims: Claims;
  readonly customers: Customers;
  readonly merchants: Merchants;
  readonly products: Products;
  readonly providers: Providers;
  readonly admin: Admin;
  readonly session: Session;
  readonly commands: Commands;
  readonly #api: Api;

  /** @throws {TypeError} without an address or a key */
  constructor(options: ClientOptions = {}) {
    const api = new Api(new Http(options));
    this.#api = api;
    this.quotes = new Quotes(api);
    this.policies = new Policies(api);
    this.claims = new Claims(api);
    this.customers = new Customers(api);
    this.merchants = new Merchants(api);
    this.products = new Products(api);
    this.providers = new Providers(api);
    this.admin = new Admin(api);
    this.session = new Session(api);
    this.commands = commandsOf(api);
  }

  /** Gets the role, merchant and environment of the key. */
  async me(options?: CallOptions): Promise<Me> {
    return await this.#api.get('/api/v1/me', {}, undefined, options);
  }

  /** Gets the API document, by which forms are made. */
  async apiDocument(options?: CallOptions): Promise<object> {
    return (await this.#api.http.send<object>({ method: 'GET', path: '/openapi.json' }, options)).body;
  }

  /** Counts what waits for the key. */
  async work(query?: Query<'/api/v1/work/'>, options?: CallOptions): Promise<Work> {
    return await this.#api.get('/api/v1/work/', {}, query, options);
  }

  /**
   * Finds policies, claims, customers, merchants, insurers and products by names, numbers, e-mails, phones and ids, the
   * best first; what is typed stands in no address.
   */
  async find(body: Body<'/api/v1/find'>, options?: CallOptions): Promise<ResponseBody<'/api/v1/find', 'post'>> {
    return await this.#api.send(['post', '/api/v1/find'], {}, body, options);
  }

  /** Returns whether `find`, which returned these results, has not read all that may match: a longer text finds it. */
  isIncomplete(results: object): boolean {
    return this.#api.http.isIncomplete(results);
  }

  /**
   * Returns the `ETag` of a resource that this client got by `get`, to save it for `ifMatch`; undefined for any other
   * value.
   */
  etagOf(resource: object): string | undefined {
    return this.#api.http.etagOf(resource);
  }

  /**
   * Yields the public events that the key may see, in the order of the log. Save the `id` of the last event that was
   * processed: it is the `lastEventId` to continue with. Types may be added.
   */
  events(query?: FeedQuery, options?: FeedOptions): AsyncGenerator<PublicEvent> {
    return readFeed(this.#api.http, query, options);
  }

  /** Gets the newest public events that the key may see, the newest first; fewer where the end of the log has fewer. */
  async newestEvents(count: number, options?: CallOptions): Promise<PublicEvent[]> {
    return await readNewest(this.#api.http, count, options);
  }
}
