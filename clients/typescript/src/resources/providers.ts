import type { Api, ListOptions } from '../api.ts';
import type { Provider } from '../api-types.ts';
import type { CommandOptions } from '../http.ts';
import type { Body, Query } from '../operation-types.ts';

/** Operations on insurers. */
export class Providers {
  readonly #api: Api;

  constructor(api: Api) {
    this.#api = api;
  }

  /** Lists the insurers. */
  list(query?: Query<'/api/v1/insurers/'>, options?: ListOptions): AsyncGenerator<Provider> {
    return this.#api.list('/api/v1/insurers/', {}, query, options);
  }

  /** Lists the insurers whose names contain a text, without case. */
  search(
    name: string,
    query?: Omit<Query<'/api/v1/providers/search/'>, 'name'>,
    options?: ListOptions,
  ): AsyncGenerator<Provider> {
    return this.#api.list('/api/v1/providers/search/', {}, { ...query, name }, options);
  }

  /** Registers an insurer. */
  async register(body: Body<'/api/v1/onboarding/providers/registration/'>, options?: CommandOptions) {
    return await this.#api.send(['post', '/api/v1/onboarding/providers/registration/'], {}, body, options);
  }
}
