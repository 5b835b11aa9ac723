import type { Api, DownloadFormat, ListOptions } from '../api.ts';
import type { Customer, CustomerHistoryEntry, Transaction } from '../api-types.ts';
import type { CallOptions, CommandOptions } from '../http.ts';
import type { Body, Query } from '../operation-types.ts';

/** Operations on customers. */
export class Customers {
  readonly #api: Api;

  constructor(api: Api) {
    this.#api = api;
  }

  async get(id: string, query?: Query<'/api/v1/customers/{id}/'>, options?: CallOptions): Promise<Customer> {
    return await this.#api.get('/api/v1/customers/{id}/', { id }, query, options);
  }

  async update(
    id: string,
    body: Body<'/api/v1/customers/{id}/', 'patch'>,
    options?: CommandOptions,
  ): Promise<Customer> {
    return await this.#api.send(['patch', '/api/v1/customers/{id}/'], { id }, body, options);
  }

  policies(id: string, query?: Query<'/api/v1/customers/{id}/policies'>, options?: ListOptions) {
    return this.#api.list('/api/v1/customers/{id}/policies', { id }, query, options);
  }

  async *claims(id: string, query?: Query<'/api/v1/customers/{id}/claims/'>, options: ListOptions = {}) {
    // Each page holds its claims in one group.
    const { max = Number.POSITIVE_INFINITY, ...rest } = options;
    let left = max;
    for await (const { data } of this.#api.list('/api/v1/customers/{id}/claims/', { id }, query, rest)) {
      for (const claim of data) {
        if (left-- <= 0) return;
        yield claim;
      }
    }
  }

  transactions(
    id: string,
    query?: Query<'/api/v1/customers/{id}/transactions'>,
    options?: ListOptions,
  ): AsyncGenerator<Transaction> {
    return this.#api.list('/api/v1/customers/{id}/transactions', { id }, query, options);
  }

  history(
    id: string,
    query?: Query<'/api/v1/customers/{id}/history/'>,
    options?: ListOptions,
  ): AsyncGenerator<CustomerHistoryEntry> {
    return this.#api.list('/api/v1/customers/{id}/history/', { id }, query, options);
  }

  /** Opens the whole history as a stream. */
  async downloadHistory(
    id: string,
    accept: DownloadFormat,
    query?: Query<'/api/v1/customers/{id}/history/'>,
    options?: CallOptions,
  ): Promise<Response> {
    return await this.#api.download('/api/v1/customers/{id}/history/', { id }, query, { ...options, accept });
  }
}
