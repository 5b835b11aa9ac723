import { describe, expect, test } from '@jest/globals';
import { offer, quotesOffered } from '../../../test/support/happenings.ts';
import { parsePurchaseId, parseQuoteCode } from './quote-code.ts';
import { toQuoteItem } from './quote-item.ts';
import type { QuoteRequestState } from './quote.ts';

const request = (changes: object = {}): QuoteRequestState => quotesOffered(7, changes).data as QuoteRequestState;

describe('Given an offer', () => {
  test('when it is shown, then as the item of the specification, with codes of its place', () => {
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
          },
        ],
      },
    });
    const named = { requestId: '000000000007', place: 1 };
    expect([parseQuoteCode(item.quote_code), parsePurchaseId(item.purchase_id)]).toEqual([named, named]);
  });

  test('when its place is none, then there is nothing to show', () => {
    expect(() => toQuoteItem(request(), 1)).toThrow(RangeError);
  });
});

describe('Given a gadget', () => {
  const shown = (additionalInformation: object) =>
    toQuoteItem(request({ productType: 'Gadget', additionalInformation }), 0).additional_metadata;

  test.each([
    [{ make: 'Acme', model: 'One' }, 'Acme', 'One'],
    [{ brand: 'Acme', device_model: 'Two', model: 'One' }, 'Acme', 'Two'],
    [{ make: 3 }, null, null],
    [undefined, null, null],
  ])('when %j is told of it, then its quotes show make %p and model %p', (gadget_information, make, model) => {
    const told = { gadget_type: 'Laptop', gadget_value: 1999.5, gadget_information };
    expect(shown(told)).toMatchObject({
      device_type: 'Laptop',
      device_make: make,
      device_model: model,
      device_value: '1999.50',
    });
  });
});
