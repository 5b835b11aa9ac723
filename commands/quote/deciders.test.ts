import { describe, expect, test } from '@jest/globals';
import { quoteRequest } from '#domain/quote/quote.ts';
import { LIVE } from '#test/support/command-harness.ts';
import { given, NOW } from '#test/support/given.ts';
import { offeredProduct } from '#test/support/offered-products.ts';
import { CUSTOMER } from '#test/support/quotes.ts';
import { RISKS } from '#test/support/risks.ts';
import { offeringFor } from './offers.ts';
import { requestQuotes } from './request-quotes.ts';

const requestId = '000000000007';
const products = [offeredProduct(1), offeredProduct(2, { basePremium: '4000.00' })];

const request = (body: object = {}, onSale = products, risk: object = RISKS.Auto) =>
  given().when(requestQuotes, {
    request: requestQuotes.input.parse({
      insurance_details: { product_type: 'Auto', additional_information: risk },
      ...body,
    }),
    requestId,
    environment: LIVE,
    products: onSale,
    now: NOW,
    today: NOW.slice(0, 10),
  });

const applicant = { risk: RISKS.Auto, birthDate: null, today: NOW.slice(0, 10) };

const offered = {
  requestId,
  ...LIVE,
  customer: null,
  productType: 'Auto',
  additionalInformation: RISKS.Auto,
  coveragePreferences: null,
  days: null,
  expiresAt: '2026-03-31T10:00:00.000Z',
  offers: [...offeringFor(products, applicant).offers],
  notOffered: [],
};
const quotesOffered = (changes: object = {}) => ({ type: 'QuotesOffered', data: { ...offered, ...changes } });

describe('RequestQuotes', () => {
  test('offers a quote of every product, cheapest first, for 30 days', () => {
    expect(offered.offers.map(({ premium }) => premium)).toEqual(['4000.00', '5000.00']);
    request().then(quotesOffered());
  });

  test('prices and records the asked duration', () => {
    const offers = [...offeringFor(products, { ...applicant, days: 73 }).offers];
    expect(offers.map(({ premium }) => premium)).toEqual(['800.00', '1000.00']);
    request({ policy_duration: 73 }).then(quotesOffered({ days: 73, offers }));
  });

  test('judges the age on its day, and records which product makes no offer and why', () => {
    const adults = offeredProduct(3, { eligibility: { minAge: 18, maxAge: null } });
    const customer = { ...CUSTOMER, date_of_birth: '2008-03-02' };
    const body = { customer_metadata: customer };
    const field = 'customer_metadata.date_of_birth';
    const message = 'is of an age that is not accepted: the product accepts the ages from 18';
    const { productId, name: productName } = adults.product;
    const ofAdults = { productId, productName, providerName: adults.provider.name };
    const notOffered = [{ ...ofAdults, reasons: [{ code: 'not_eligible', field, message }] }];
    request(body, [...products, adults]).then(quotesOffered({ customer, notOffered }));
    request(body, [adults]).then(quotesOffered({ customer, notOffered, offers: [] }));
    request({}, [adults]).thenRefused('invalid_request', {
      fields: [{ field, message: 'must be given: the product accepts the ages from 18' }],
    });
  });

  test('records the customer, and preferences with amounts of two decimals', () => {
    const [type, name] = [['Property'], ['Theft']];
    request({
      customer_metadata: CUSTOMER,
      coverage_preferences: { coverage_type: type, coverage_amount: '100.5', additional_coverages: name },
    }).then(
      quotesOffered({
        customer: CUSTOMER,
        coveragePreferences: { coverageTypes: type, coverageAmount: '100.50', additionalCoverages: name },
        offers: [],
      }),
    );
    const none = { coverageTypes: [], coverageAmount: null, additionalCoverages: [] };
    request({ coverage_preferences: {} }).then(quotesOffered({ coveragePreferences: none }));
  });

  test('refuses a wrong date and fields that every product needs, naming every field', () => {
    const named = (field: string, message: string) => ({
      field: `insurance_details.additional_information.${field}`,
      message,
    });
    const rating = { rate: { field: 'vehicle_mileage', percent: '1' } };
    request({}, [offeredProduct(1, { rating })], { ...RISKS.Auto, vehicle_year: 2027 }).thenRefused('invalid_request', {
      fields: [
        named('vehicle_year', 'must be a whole number from 1950 to 2026'),
        named('vehicle_mileage', 'must be given: the price of the product depends on it'),
      ],
    });
  });

  test('is folded to what its event recorded', () => {
    expect(given(quotesOffered()).foldedBy(quoteRequest)).toEqual(offered);
  });
});
