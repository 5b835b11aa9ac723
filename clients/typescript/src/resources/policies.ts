import type { Api, DownloadFormat, ListOptions } from '../api.ts';
import type { HistoryEntry, Policy, Transaction } from '../api-types.ts';
import type { CallOptions, CommandOptions } from '../http.ts';
import type { Body, Query } from '../operation-types.ts';

/** A preview answers what the command would do now, and changes nothing. */
export interface PreviewOptions extends CommandOptions {
  readonly preview?: boolean;
}

/** Operations on policies. A policy is named by its id or number. */
export class Policies {
  readonly #api: Api;

  constructor(api: Api) {
    this.#api = api;
  }

  /** Buys the policy of a quote. */
  async purchase(body: Body<'/api/v1/policies/'>, options?: CommandOptions): Promise<Policy> {
    return await this.#api.send(['post', '/api/v1/policies/'], {}, body, options);
  }

  async get(policy_id: string, query?: Query<'/api/v1/policies/{policy_id}/'>, options?: CallOptions): Promise<Policy> {
    return await this.#api.get('/api/v1/policies/{policy_id}/', { policy_id }, query, options);
  }

  /** Lists the policies of all merchants (platform keys); `merchants.policies` lists those of one. */
  list(query?: Query<'/api/v1/policies/'>, options?: ListOptions): AsyncGenerator<Policy> {
    return this.#api.list('/api/v1/policies/', {}, query, options);
  }

  async renew(body: Body<'/api/v1/policies/renew/'>, options?: PreviewOptions) {
    return await this.#api.send(['post', '/api/v1/policies/renew/'], {}, body, options);
  }

  async cancel(body: Body<'/api/v1/policies/cancel'>, options?: PreviewOptions) {
    return await this.#api.send(['post', '/api/v1/policies/cancel'], {}, body, options);
  }

  async change(policy_id: string, body: Body<'/api/v1/policies/{policy_id}/changes'>, options?: PreviewOptions) {
    return await this.#api.send(['post', '/api/v1/policies/{policy_id}/changes'], { policy_id }, body, options);
  }

  async setBeneficiaries(
    policy_id: string,
    body: Body<'/api/v1/policies/{policy_id}/beneficiaries', 'put'>,
    options?: CommandOptions,
  ) {
    return await this.#api.send(['put', '/api/v1/policies/{policy_id}/beneficiaries'], { policy_id }, body, options);
  }

  async setAutoRenew(
    policy_id: string,
    body: Body<'/api/v1/policies/{policy_id}/auto_renew'>,
    options?: CommandOptions,
  ) {
    return await this.#api.send(['post', '/api/v1/policies/{policy_id}/auto_renew'], { policy_id }, body, options);
  }

  /** Gets all terms, which are not paged. */
  async terms(policy_id: string, query?: Query<'/api/v1/policies/{policy_id}/terms'>, options?: CallOptions) {
    return await this.#api.get('/api/v1/policies/{policy_id}/terms', { policy_id }, query, options);
  }

  transactions(
    policy_id: string,
    query?: Query<'/api/v1/policies/{policy_id}/transactions'>,
    options?: ListOptions,
  ): AsyncGenerator<Transaction> {
    return this.#api.list('/api/v1/policies/{policy_id}/transactions', { policy_id }, query, options);
  }

  claims(policy_id: string, query?: Query<'/api/v1/policies/{policy_id}/claims/'>, options?: ListOptions) {
    return this.#api.list('/api/v1/policies/{policy_id}/claims/', { policy_id }, query, options);
  }

  history(
    policy_id: string,
    query?: Query<'/api/v1/policies/{policy_id}/history/'>,
    options?: ListOptions,
  ): AsyncGenerator<HistoryEntry> {
    return this.#api.list('/api/v1/policies/{policy_id}/history/', { policy_id }, query, options);
  }

  /** Opens the whole history as a stream. */
  async downloadHistory(
    policy_id: string,
    accept: DownloadFormat,
    query?: Query<'/api/v1/policies/{policy_id}/history/'>,
    options?: CallOptions,
  ): Promise<Response> {
    return await this.#api.download('/api/v1/policies/{policy_id}/history/', { policy_id }, query, {
      ...options,
      accept,
    });
  }

  /** Opens the certificate, a PDF, as a stream. */
  async certificate(
    policy_id: string,
    query?: Query<'/api/v1/policies/{policy_id}/certificate'>,
    options?: CallOptions,
  ): Promise<Response> {
    const path = '/api/v1/policies/{policy_id}/certificate';
    return await this.#api.download(path, { policy_id }, query, { ...options, accept: 'application/pdf' });
  }
}
