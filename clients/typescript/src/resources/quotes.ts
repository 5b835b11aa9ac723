import { type Api, isPageOf, type Page, queryOfNext } from '../api.ts';
import type { NotOffered, Quote, QuoteItem } from '../api-types.ts';
import type { CallOptions, CommandOptions } from '../http.ts';
import { randomId } from '../messages.ts';
import type { Body, Query } from '../operation-types.ts';

const PATH = '/api/v1/quotes';

type QuotePage = Page<QuoteItem> & { readonly not_offered: NotOffered[] };

/** Operations on quotes. */
export class Quotes {
  readonly #api: Api;

  constructor(api: Api) {
    this.#api = api;
  }

  /**
   * Requests quotes for a risk and returns all, the cheapest first unless the query says otherwise; none where no
   * product accepts it.
   */
  async request(...call: Parameters<Quotes['requestWithReasons']>): Promise<QuoteItem[]> {
    return (await this.requestWithReasons(...call)).quotes;
  }

  /** Requests quotes as `request`, and returns also the products that make no offer, with their reasons. */
  async requestWithReasons(
    body: Body<typeof PATH>,
    query?: Omit<Query<typeof PATH, 'post'>, 'limit' | 'offset'>,
    { idempotencyKey = randomId(), ...options }: CommandOptions = {},
  ): Promise<{ readonly quotes: QuoteItem[]; readonly notOffered: NotOffered[] }> {
    const quotes: QuoteItem[] = [];
    let notOffered: NotOffered[] = [];
    let search: object | undefined = { limit: 100, ...query };
    // The pages of one key need the same body.
    const bytes = structuredClone(body);
    while (search !== undefined) {
      const call = { method: 'POST', path: PATH, query: search, body: bytes };
      // With the same key, the pages are those of the same quotes.
      const commandOptions = { ...options, idempotencyKey };
      const { body: page } = await this.#api.http.send<QuotePage>(call, commandOptions, isPageOf(search));
      quotes.push(...page.results.flat());
      notOffered = page.not_offered;
      search = queryOfNext(page);
    }
    return { quotes, notOffered };
  }

  /** Gets a quote. */
  async get(quote_code: string, options?: CallOptions): Promise<Quote> {
    return await this.#api.get('/api/v1/quotes/{quote_code}/', { quote_code }, undefined, options);
  }
}
