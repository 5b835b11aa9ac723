import type { Api, DownloadFormat, DownloadQuery, ListOptions } from '../api.ts';
import type {
  ApiKey,
  CustomerItem,
  Environment,
  EnvironmentItem,
  HistoryEntry,
  Merchant,
  MerchantTransaction,
  Policy,
} from '../api-types.ts';
import type { CallOptions } from '../http.ts';
import type { Query } from '../operation-types.ts';

/** Operations on merchants, with the lists of one. A merchant is named by its short code. */
export class Merchants {
  readonly #api: Api;

  constructor(api: Api) {
    this.#api = api;
  }

  /** Lists the merchants. */
  list(query?: Query<'/api/v1/merchants'>, options?: ListOptions): AsyncGenerator<Merchant> {
    return this.#api.list('/api/v1/merchants', {}, query, options);
  }

  /** Gets a merchant. */
  async get(
    short_code: string,
    query?: DownloadQuery<'/api/v1/merchants/{short_code}/'>,
    options?: CallOptions,
  ): Promise<Merchant> {
    return await this.#api.get('/api/v1/merchants/{short_code}/', { short_code }, query, options);
  }

  /** Lists the policies of a merchant, newest first; with `renewal_from` or `renewal_through` by renewal date. */
  policies(
    short_code: string,
    query?: Query<'/api/v1/merchants/{short_code}/policies/'>,
    options?: ListOptions,
  ): AsyncGenerator<Policy> {
    return this.#api.list('/api/v1/merchants/{short_code}/policies/', { short_code }, query, options);
  }

  /** Opens the whole list as a stream. */
  async downloadPolicies(
    short_code: string,
    accept: DownloadFormat,
    query?: DownloadQuery<'/api/v1/merchants/{short_code}/policies/'>,
    options?: CallOptions,
  ): Promise<Response> {
    const path = '/api/v1/merchants/{short_code}/policies/';
    return await this.#api.download(path, { short_code }, query, { ...options, accept });
  }

  /** Lists the customers of a merchant, newest first. */
  customers(
    short_code: string,
    query?: Query<'/api/v1/merchants/{short_code}/customers/'>,
    options?: ListOptions,
  ): AsyncGenerator<CustomerItem> {
    return this.#api.list('/api/v1/merchants/{short_code}/customers/', { short_code }, query, options);
  }

  /** Opens the whole list as a stream. */
  async downloadCustomers(
    short_code: string,
    accept: DownloadFormat,
    query?: DownloadQuery<'/api/v1/merchants/{short_code}/customers/'>,
    options?: CallOptions,
  ): Promise<Response> {
    const path = '/api/v1/merchants/{short_code}/customers/';
    return await this.#api.download(path, { short_code }, query, { ...options, accept });
  }

  /** Lists the claims of a merchant, newest first. */
  claims(short_code: string, query?: Query<'/api/v1/merchants/{short_code}/claims/'>, options?: ListOptions) {
    return this.#api.list('/api/v1/merchants/{short_code}/claims/', { short_code }, query, options);
  }

  /** Opens the whole list as a stream. */
  async downloadClaims(
    short_code: string,
    accept: DownloadFormat,
    query?: DownloadQuery<'/api/v1/merchants/{short_code}/claims/'>,
    options?: CallOptions,
  ): Promise<Response> {
    const path = '/api/v1/merchants/{short_code}/claims/';
    return await this.#api.download(path, { short_code }, query, { ...options, accept });
  }

  /** Lists what was booked for a merchant: its statement. */
  transactions(
    short_code: string,
    query?: Query<'/api/v1/merchants/{short_code}/transactions'>,
    options?: ListOptions,
  ): AsyncGenerator<MerchantTransaction> {
    return this.#api.list('/api/v1/merchants/{short_code}/transactions', { short_code }, query, options);
  }

  /** Opens the whole statement as a stream. */
  async downloadTransactions(
    short_code: string,
    accept: DownloadFormat,
    query?: DownloadQuery<'/api/v1/merchants/{short_code}/transactions'>,
    options?: CallOptions,
  ): Promise<Response> {
    const path = '/api/v1/merchants/{short_code}/transactions';
    return await this.#api.download(path, { short_code }, query, { ...options, accept });
  }

  /** Lists the environments of a merchant. */
  environments(
    short_code: string,
    query?: Query<'/api/v1/merchants/{short_code}/environments'>,
    options?: ListOptions,
  ): AsyncGenerator<EnvironmentItem> {
    return this.#api.list('/api/v1/merchants/{short_code}/environments', { short_code }, query, options);
  }

  /** Gets an environment. */
  async environment(id: number, options?: CallOptions): Promise<Environment> {
    return await this.#api.get('/api/v1/environments/{id}/', { id }, undefined, options);
  }

  /** Lists the keys of an environment, without their secrets. */
  keys(id: number, query?: Query<'/api/v1/environments/{id}/keys'>, options?: ListOptions): AsyncGenerator<ApiKey> {
    return this.#api.list('/api/v1/environments/{id}/keys', { id }, query, options);
  }

  /** Verifies a merchant by the token of its mail. */
  async verify(short_code: string, token: string, options?: CallOptions) {
    return await this.#api.get('/api/v1/merchants/{short_code}/verify/', { short_code }, { token }, options);
  }

  /** Lists the history of a merchant. */
  history(
    short_code: string,
    query?: Query<'/api/v1/merchants/{short_code}/history/'>,
    options?: ListOptions,
  ): AsyncGenerator<HistoryEntry> {
    return this.#api.list('/api/v1/merchants/{short_code}/history/', { short_code }, query, options);
  }

  /** Opens the whole history as a stream. */
  async downloadHistory(short_code: string, accept: DownloadFormat, options?: CallOptions): Promise<Response> {
    const path = '/api/v1/merchants/{short_code}/history/';
    return await this.#api.download(path, { short_code }, undefined, { ...options, accept });
  }
}
