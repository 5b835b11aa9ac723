import type { Api, DownloadFormat, DownloadQuery, ListOptions } from '../api.ts';
import type { HistoryEntry, Policy, Transaction } from '../api-types.ts';
import type { CallOptions, ChangeOptions, CommandOptions } from '../http.ts';
import type { Body, Query } from '../operation-types.ts';

/** Settings of a command that can be previewed. */
export interface PreviewOptions extends ChangeOptions {
  /** Returns what the command would return now, with the status `preview`, and changes nothing. */
  readonly preview?: boolean | undefined;
}

/** Operations on policies. A parameter `policy_id` takes the number too. */
export class Policies {
  readonly #api: Api;

  constructor(api: Api) {
    this.#api = api;
  }

  /** Buys the policy of a quote. */
  async purchase(body: Body<'/api/v1/policies/'>, options?: CommandOptions): Promise<Policy> {
    return await this.#api.send(['post', '/api/v1/policies/'], {}, body, options);
  }

  /** Gets a policy, also as of a day or as known at an instant. */
  async get(policy_id: string, query?: Query<'/api/v1/policies/{policy_id}/'>, options?: CallOptions): Promise<Policy> {
    return await this.#api.get('/api/v1/policies/{policy_id}/', { policy_id }, query, options);
  }

  /** Lists the policies of all merchants (platform keys); `merchants.policies` lists those of one. */
  list(query?: Query<'/api/v1/policies/'>, options?: ListOptions): AsyncGenerator<Policy> {
    return this.#api.list('/api/v1/policies/', {}, query, options);
  }

  /** Renews a policy by one term. */
  async renew(body: Body<'/api/v1/policies/renew/'>, { preview, ...options }: PreviewOptions = {}) {
    return await this.#api.send(['post', '/api/v1/policies/renew/'], {}, body, options, { preview });
  }

  /** Cancels a policy as of a day. */
  async cancel(body: Body<'/api/v1/policies/cancel'>, { preview, ...options }: PreviewOptions = {}) {
    return await this.#api.send(['post', '/api/v1/policies/cancel'], {}, body, options, { preview });
  }

  /** Changes the coverage of a policy from a day on. */
  async change(
    policy_id: string,
    body: Body<'/api/v1/policies/{policy_id}/changes'>,
    { preview, ...options }: PreviewOptions = {},
  ) {
    const path = '/api/v1/policies/{policy_id}/changes';
    return await this.#api.send(['post', path], { policy_id }, body, options, { preview });
  }

  /** Replaces the beneficiaries of a policy. */
  async setBeneficiaries(
    policy_id: string,
    body: Body<'/api/v1/policies/{policy_id}/beneficiaries', 'put'>,
    options?: ChangeOptions,
  ) {
    return await this.#api.send(['put', '/api/v1/policies/{policy_id}/beneficiaries'], { policy_id }, body, options);
  }

  /** Switches the automatic renewal of a policy. */
  async setAutoRenew(
    policy_id: string,
    body: Body<'/api/v1/policies/{policy_id}/auto_renew'>,
    options?: ChangeOptions,
  ) {
    return await this.#api.send(['post', '/api/v1/policies/{policy_id}/auto_renew'], { policy_id }, body, options);
  }

  /** Gets all terms of a policy; they are not paged. */
  async terms(policy_id: string, query?: Query<'/api/v1/policies/{policy_id}/terms'>, options?: CallOptions) {
    return await this.#api.get('/api/v1/policies/{policy_id}/terms', { policy_id }, query, options);
  }

  /** Lists what was booked on a policy. */
  transactions(
    policy_id: string,
    query?: Query<'/api/v1/policies/{policy_id}/transactions'>,
    options?: ListOptions,
  ): AsyncGenerator<Transaction> {
    return this.#api.list('/api/v1/policies/{policy_id}/transactions', { policy_id }, query, options);
  }

  /** Lists the claims on a policy. */
  claims(policy_id: string, query?: Query<'/api/v1/policies/{policy_id}/claims/'>, options?: ListOptions) {
    return this.#api.list('/api/v1/policies/{policy_id}/claims/', { policy_id }, query, options);
  }

  /** Lists the history of a policy, from its first event on. */
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
    query?: DownloadQuery<'/api/v1/policies/{policy_id}/history/'>,
    options?: CallOptions,
  ): Promise<Response> {
    return await this.#api.download('/api/v1/policies/{policy_id}/history/', { policy_id }, query, {
      ...options,
      accept,
    });
  }

  /** Opens the certificate, a PDF, as a stream. */
  async downloadCertificate(
    policy_id: string,
    query?: Query<'/api/v1/policies/{policy_id}/certificate'>,
    options?: CallOptions,
  ): Promise<Response> {
    const path = '/api/v1/policies/{policy_id}/certificate';
    return await this.#api.download(path, { policy_id }, query, { ...options, accept: 'application/pdf' });
  }
}
