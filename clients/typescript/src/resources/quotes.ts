import { type Api, type Page, queryOfNext } from '../api.ts';
import type { Quote, QuoteItem } from '../api-types.ts';
import { type CallOptions, type CommandOptions, randomId } from '../http.ts';
import type { Body, Query } from '../operation-types.ts';

const PATH = '/api/v1/quotes';

/** Operations on quotes. */
export class Quotes {
  readonly #api: Api;

  constructor(api: Api) {
    this.#api = api;
  }

  /** Requests quotes for a risk and returns all of them, the cheapest first unless the query says otherwise. */
  async request(
    body: Body<typeof PATH>,
    query?: Omit<Query<typeof PATH, 'post'>, 'limit' | 'offset'>,
    { idempotencyKey = randomId(), ...options }: Omit<CommandOptions, 'ifMatch'> = {},
  ): Promise<QuoteItem[]> {
    const quotes: QuoteItem[] = [];
    let search: object | undefined = { limit: 100, ...query };
    while (search !== undefined) {
      const call = { method: 'POST', path: PATH, query: search, body };
      // With the same key, the pages are those of the same quotes.
      const { body: page } = await this.#api.http.send<Page<QuoteItem>>(call, { ...options, idempotencyKey });
      quotes.push(...page.results.flat());
      search = queryOfNext(page);
    }
    return quotes;
  }

  async get(quote_code: string, options?: CallOptions): Promise<Quote> {
    return await this.#api.get('/api/v1/quotes/{quote_code}/', { quote_code }, undefined, options);
  }
}
