import { purchaseId, quoteCode } from '../../src/domain/quote/quote-code.ts';
import type { EventStore } from '../../src/event-store/event-store.ts';
import { happen, offer, quotesOffered } from './happenings.ts';

/** Whose quotes they are. */
interface Owner {
  readonly merchantId: string;
  readonly environmentId: number;
  readonly testMode: boolean;
}

/** A quote that can be bought, by both of its names. */
export interface QuoteNames {
  readonly quote_code: string;
  readonly purchase_id: string;
}

/** Who a quote was requested for, in the fewest words. */
export const CUSTOMER = { first_name: 'Ada', last_name: 'Obi', email: 'ada@customers.example' };

/** What is told of an offer besides what all have. */
export interface QuoteChanges {
  /** Of the request; its customer is `CUSTOMER` unless told. */
  readonly request?: object;
  /** One entry for each offer: what is told of it. */
  readonly offers?: readonly object[];
}

/**
 * A quote request of the owner was answered with offers; resolves to their names, which repeat in every run. A year's premium
 * is 365.00 unless told.
 */
export async function givenQuotes(
  store: EventStore,
  { merchantId, environmentId, testMode }: Owner,
  { request = {}, offers = [{}] }: QuoteChanges = {},
): Promise<readonly QuoteNames[]> {
  // Unlike every other of this log.
  const requests = Number((await store.lastPosition()) ?? 0n) + 1;
  const owner = { merchantId, environmentId, testMode };
  const told = offers.map((changes) => offer({ premium: '365.00', ...changes }));
  const happening = quotesOffered(requests, { customer: CUSTOMER, ...owner, ...request, offers: told });
  await happen(store, { ...happening, tags: { merchant: merchantId, testMode } });
  const requestId = happening.stream.slice('quoteRequest-'.length);
  return offers.map((_, place) => ({
    quote_code: quoteCode(requestId, place),
    purchase_id: purchaseId(requestId, place),
  }));
}

/** As `givenQuotes`, with one offer. */
export async function givenQuote(
  store: EventStore,
  owner: Owner,
  offered: object = {},
  request: object = {},
): Promise<QuoteNames> {
  const [quote] = await givenQuotes(store, owner, { request, offers: [offered] });
  if (quote === undefined) throw new Error('a request has an offer');
  return quote;
}
