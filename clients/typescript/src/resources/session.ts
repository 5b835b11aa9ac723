import type { Api } from '../api.ts';
import type { CallOptions } from '../http.ts';
import type { Body } from '../operation-types.ts';

const PATH = '/api/v1/session/';

/** The session of a page of the service, which has a client with the key null. */
export class Session {
  readonly #api: Api;

  constructor(api: Api) {
    this.#api = api;
  }

  /** Signs in with a key or a ticket: the browser keeps the cookie of a session. */
  async open(body: Body<typeof PATH>, options?: CallOptions): Promise<void> {
    await this.#api.send(['post', PATH], {}, body, options);
  }

  /** Signs out: clears the cookie. */
  async end(options?: CallOptions): Promise<void> {
    await this.#api.send(['delete', PATH], {}, undefined, options);
  }
}
