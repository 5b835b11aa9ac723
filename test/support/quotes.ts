import { purchaseId, quoteCode } from '#domain/quote/quote-code.ts';
import type { EventStore } from '#stores/event-log/event-log.ts';
import { appendSamples, offer, quotesOffered } from './sample-events.ts';

/** The environment of a quote request. */
interface QuoteOwner {
  readonly merchantId: string;
  readonly environmentId: number;
  readonly testMode: boolean;
}

/** The two identifiers of a quote. */
export interface QuoteNames {
  readonly quote_code: string;
  readonly purchase_id: string;
}

/** The customer of a quote request, with the required fields only. */
export const CUSTOMER = { first_name: 'Ada', last_name: 'Obi', email: 'ada@customers.example' };

const NO_RATES = { fee: '0.00', minimum: '0.00', taxRate: '0/100', commissionRate: '0/100' };

/** Overrides of a quote request and its offers. */
export interface QuoteOverrides {
  /** Overrides of the request; its customer is `CUSTOMER` by default. */
  readonly request?: object;
  /** One entry of overrides for each offer. */
  readonly offers?: readonly object[];
}

/**
 * Appends an answered quote request of the owner and returns the identifiers of its offers, the same in every run. By
 * default a year costs 365.00 net, and there is no fee, tax or commission for other durations.
 */
export async function givenQuotes(
  store: EventStore,
  { merchantId, environmentId, testMode }: QuoteOwner,
  { request = {}, offers = [{}] }: QuoteOverrides = {},
): Promise<readonly QuoteNames[]> {
  // Unique in this log.
  const requests = Number((await store.lastPosition()) ?? 0n) + 1;
  const owner = { merchantId, environmentId, testMode };
  const allOffers = offers.map((changes) =>
    offer({ premium: '365.00', annualNet: '365.00', rates: NO_RATES, ...changes }),
  );
  const sample = quotesOffered(requests, { customer: CUSTOMER, ...owner, ...request, offers: allOffers });
  await appendSamples(store, { ...sample, tags: { merchant: merchantId, testMode } });
  const requestId = sample.stream.slice('quoteRequest-'.length);
  return offers.map((_, index) => ({
    quote_code: quoteCode(requestId, index),
    purchase_id: purchaseId(requestId, index),
  }));
}

/** As `givenQuotes`, with one offer. */
export async function givenQuote(
  store: EventStore,
  owner: QuoteOwner,
  offered: object = {},
  request: object = {},
): Promise<QuoteNames> {
  const [quote] = await givenQuotes(store, owner, { request, offers: [offered] });
  if (quote === undefined) throw new Error('the request has no offer');
  return quote;
}
