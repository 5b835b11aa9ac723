import { beforeEach, describe, expect, test } from '@jest/globals';
import { quoteRequest, quoteRequestStream } from '#domain/quote/quote.ts';
import { parseQuoteCode, deriveQuoteRequestId } from '#domain/quote/quote-code.ts';
import type { QuoteItem } from './quote-item.ts';
import { StoreUnavailable } from '#stores/shared/store-unavailable.ts';
import { CommandHarness, LIVE, MERCHANT, type CommandOptions, TEST } from '#test/support/command-harness.ts';
import { quotesOffered } from '#test/support/sample-events.ts';
import { offeredProduct } from '#test/support/offered-products.ts';
import { givenEnvironment } from '#test/support/imports.ts';
import { RISKS } from '#test/support/risks.ts';
import { requestQuotes } from './request-quotes.ts';

const CUSTOMER = { first_name: 'Ada', last_name: 'Obi', email: 'ada@customers.example' };
const REQUEST = {
  customer_metadata: CUSTOMER,
  insurance_details: { product_type: 'Auto', additional_information: RISKS.Auto },
};

let h: CommandHarness;
beforeEach(async () => {
  h = new CommandHarness();
  for (const acting of [LIVE, TEST]) await givenEnvironment(h, acting);
  h.products.push(offeredProduct(1), offeredProduct(2, { basePremium: '4000.00' }));
});

async function quotes(input: object = REQUEST, sent: CommandOptions = {}): Promise<readonly QuoteItem[]> {
  const { result } = await h.run(requestQuotes, input, { actor: MERCHANT, ...sent });
  return result.quotes as readonly QuoteItem[];
}

/** The streams of quote requests in the order of the log. */
async function requests() {
  return (await h.log()).filter(({ stream }) => stream.startsWith(quoteRequest.category));
}

describe('A quote request with live products', () => {
  test('records request and offers in one event', async () => {
    const [first] = await quotes();
    const requestId = parseQuoteCode(first?.quote_code ?? '')?.requestId ?? '';
    expect(await requests()).toMatchObject([
      {
        stream: quoteRequestStream(requestId),
        revision: 0,
        metadata: { merchant: LIVE.merchantId, testMode: false },
        data: { requestId, offers: [{ premium: '4000.00' }, { premium: '5000.00' }] },
      },
    ]);
  });

  test('returns the same codes for a repeated request, whatever is on sale then', async () => {
    const first = await quotes(REQUEST, { key: 'k' });
    h.products.push(offeredProduct(3));
    h.now = '2026-03-02T10:00:00.000Z';
    expect(await quotes(REQUEST, { key: 'k' })).toEqual(first);
    expect(await quotes(REQUEST, { key: 'other' })).toHaveLength(3);
    expect(await requests()).toHaveLength(2);
  });

  test('is completed once by a retry after a crash before its event', async () => {
    h.eventStore.beforeAppend = (stream) => {
      if (stream.startsWith(quoteRequest.category)) throw new StoreUnavailable('killed');
    };
    await expect(quotes(REQUEST, { key: 'k' })).rejects.toThrow(StoreUnavailable);
    h.eventStore.beforeAppend = () => {};
    h.now = '2026-03-02T10:00:00.000Z';
    const items = await quotes(REQUEST, { key: 'k' });
    expect(await quotes(REQUEST, { key: 'k' })).toEqual(items);
    const [request, ...others] = await requests();
    expect(request?.data).toMatchObject({ expiresAt: '2026-03-31T10:00:00.000Z' });
    expect(others).toEqual([]);
  });

  test('excludes products of the other mode', async () => {
    h.products.push(offeredProduct(3, { visibility: 'test' }));
    expect(await quotes()).toHaveLength(2);
    expect(await quotes(REQUEST, { environment: TEST })).toHaveLength(3);
  });
});

describe('Another request with the same code', () => {
  /** Another merchant's request under this id. */
  async function appendConcurrently(stream: string): Promise<void> {
    const { type, data } = quotesOffered(1, { requestId: stream.slice('quoteRequest-'.length) });
    await h.given(stream, { type, data });
  }

  /** Appends to the stream of the command right before each of its next `times` appends. */
  function conflicts(times: number): string[] {
    const taken: string[] = [];
    h.eventStore.beforeAppend = async (stream) => {
      if (!stream.startsWith(quoteRequest.category) || taken.length === times || taken.includes(stream)) return;
      taken.push(stream);
      await appendConcurrently(stream);
    };
    return taken;
  }

  test.each([undefined, 'k'])('makes the request use its next candidate (key: %p)', async (key) => {
    const taken = conflicts(2);
    const sent = key === undefined ? {} : { key };
    const items = await quotes(REQUEST, sent);
    expect(items).toHaveLength(2);
    const own = (await requests()).filter(({ metadata }) => metadata.command.name === 'RequestQuotes');
    expect(own).toHaveLength(1);
    const commandId = own[0]?.metadata.command.id ?? '';
    const row = [0, 1, 2].map((place) => quoteRequestStream(deriveQuoteRequestId(commandId, place)));
    expect(taken).toEqual(row.slice(0, 2));
    expect(own[0]?.stream).toBe(row[2]);
    if (key !== undefined) expect(await quotes(REQUEST, sent)).toEqual(items);
    expect(await requests()).toHaveLength(3);
  });

  test('makes a retry after a crash use the same next candidate', async () => {
    const taken = conflicts(1);
    const meet = h.eventStore.beforeAppend;
    h.eventStore.beforeAppend = async (stream, ...rest) => {
      await meet(stream, ...rest);
      if (taken.length === 1 && !taken.includes(stream)) throw new StoreUnavailable('killed');
    };
    await expect(quotes(REQUEST, { key: 'k' })).rejects.toThrow(StoreUnavailable);
    h.eventStore.beforeAppend = () => {};
    const items = await quotes(REQUEST, { key: 'k' });
    expect(await quotes(REQUEST, { key: 'k' })).toEqual(items);
    expect(await requests()).toHaveLength(2);
  });
});

describe('A quote request event', () => {
  test.each([
    [1, 1_700],
    [5, 5_400],
    [20, 19_400],
  ])('with %i offers has at most %i bytes', async (products, most) => {
    const coverages = ['Collision', 'Liability'].map((name) => ({
      coverageId: 'COV_1',
      name,
      description: `What ${name} covers`,
      type: name,
      limit: '1000000.00',
      deductible: null,
    }));
    h.products.splice(0, 2, ...Array.from({ length: products }, (_, number) => offeredProduct(number, { coverages })));
    await quotes();
    const [stored, ...others] = (await h.eventStore.readAll({ after: undefined, limit: 10 })).slice(2);
    const bytes = JSON.stringify(stored?.data).length + JSON.stringify(stored?.metadata).length;
    expect(bytes).toBeLessThanOrEqual(most);
    expect(others).toEqual([]);
  });
});
