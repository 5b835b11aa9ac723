import { describe, expect, test } from '@jest/globals';
import { offer, quotesOffered } from '#test/support/sample-events.ts';
import { parsePurchaseId, parseQuoteCode } from '#domain/quote/quote-code.ts';
import { toQuoteItem } from './quote-item.ts';
import type { QuoteRequestState } from '#domain/quote/quote.ts';

const request = (changes: object = {}): QuoteRequestState => quotesOffered(7, changes).data as QuoteRequestState;

describe('a quote', () => {
  test('has every field of the list item, and the codes of its offer', () => {
    const item = toQuoteItem(request({ offers: [offer(), offer({ tierName: 'Gold', productPlan: 'Premium' })] }), 1);
    expect(item).toEqual({
      quote_code: expect.any(String),
      provider: 'An insurer',
      product: 'A product',
      product_type: 'Auto',
      base_price: '35000.00',
      premium: '43430.00',
      purchase_id: expect.any(String),
      additional_metadata: {
        tier_name: 'Gold',
        product_plan: 'Premium',
        currency: 'NGN',
        coverages: [
          {
            coverage_name: 'Collision',
            coverage_description: null,
            coverage_type: 'Collision',
            coverage_limit: '1000000.00',
            deductible: null,
          },
        ],
      },
    });
    const named = { requestId: '000000000007', index: 1 };
    expect([parseQuoteCode(item.quote_code), parsePurchaseId(item.purchase_id)]).toEqual([named, named]);
  });

  test('does not exist for an index without an offer', () => {
    expect(() => toQuoteItem(request(), 1)).toThrow(RangeError);
  });
});

describe('a quote for a gadget', () => {
  const metadataOf = (additionalInformation: object) =>
    toQuoteItem(request({ productType: 'Gadget', additionalInformation }), 0).additional_metadata;

  test.each([
    [{ make: 'Acme', model: 'One' }, 'Acme', 'One'],
    [{ brand: 'Acme', device_model: 'Two', model: 'One' }, 'Acme', 'Two'],
    [{ make: 3 }, null, null],
    [undefined, null, null],
  ])('with %j shows make %p and model %p', (gadget_information, make, model) => {
    const risk = { gadget_type: 'Laptop', gadget_value: 1999.5, gadget_information };
    expect(metadataOf(risk)).toMatchObject({
      device_type: 'Laptop',
      device_make: make,
      device_model: model,
      device_value: '1999.50',
    });
  });
});
