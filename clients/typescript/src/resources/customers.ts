import { type Api, type DownloadFormat, type ListOptions, takeItems } from '../api.ts';
import type { ClaimSummary, Customer, CustomerHistoryEntry, Transaction } from '../api-types.ts';
import type { CallOptions, ChangeOptions } from '../http.ts';
import type { Body, Query } from '../operation-types.ts';

/** Operations on customers. */
export class Customers {
  readonly #api: Api;

  constructor(api: Api) {
    this.#api = api;
  }

  /** Gets a customer. */
  async get(id: string, query?: Query<'/api/v1/customers/{id}/'>, options?: CallOptions): Promise<Customer> {
    return await this.#api.get('/api/v1/customers/{id}/', { id }, query, options);
  }

  /** Changes the details of a customer; null clears one. */
  async update(id: string, body: Body<'/api/v1/customers/{id}/', 'patch'>, options?: ChangeOptions): Promise<Customer> {
    return await this.#api.send(['patch', '/api/v1/customers/{id}/'], { id }, body, options);
  }

  /** Lists the policies of a customer. */
  policies(id: string, query?: Query<'/api/v1/customers/{id}/policies'>, options?: ListOptions) {
    return this.#api.list('/api/v1/customers/{id}/policies', { id }, query, options);
  }

  /** Lists the claims of a customer. */
  claims(
    id: string,
    query?: Query<'/api/v1/customers/{id}/claims/'>,
    options: ListOptions = {},
  ): AsyncGenerator<ClaimSummary> {
    const pages = this.#api.pages('/api/v1/customers/{id}/claims/', { id }, query, options);
    return takeItems(claimsOfPages(pages), options.max);
  }

  /** Lists what was booked on the policies of a customer. */
  transactions(
    id: string,
    query?: Query<'/api/v1/customers/{id}/transactions'>,
    options?: ListOptions,
  ): AsyncGenerator<Transaction> {
    return this.#api.list('/api/v1/customers/{id}/transactions', { id }, query, options);
  }

  /** Lists the history of a customer with its policies and claims. */
  history(
    id: string,
    query?: Query<'/api/v1/customers/{id}/history/'>,
    options?: ListOptions,
  ): AsyncGenerator<CustomerHistoryEntry> {
    return this.#api.list('/api/v1/customers/{id}/history/', { id }, query, options);
  }

  /** Gets one page of the history, with the number of all entries: to begin at the end of a long one. */
  async historyPage(id: string, query?: Query<'/api/v1/customers/{id}/history/'>, options?: CallOptions) {
    return await this.#api.get('/api/v1/customers/{id}/history/', { id }, query, options);
  }

  /** Opens the whole history as a stream. */
  async downloadHistory(id: string, accept: DownloadFormat, options?: CallOptions): Promise<Response> {
    const path = '/api/v1/customers/{id}/history/';
    return await this.#api.download(path, { id }, undefined, { ...options, accept });
  }
}

/** A page holds its claims in one group. */
async function* claimsOfPages(
  pages: AsyncIterable<readonly { readonly data: readonly ClaimSummary[] }[]>,
): AsyncGenerator<readonly ClaimSummary[]> {
  for await (const groups of pages) yield groups.flatMap(({ data }) => data);
}
