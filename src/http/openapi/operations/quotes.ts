import type { OperationPages } from '../page.ts';

export const QUOTE_PAGES: OperationPages = {
  RequestQuotes: {
    tag: 'Quotes',
    description: `Returns a quote for every product on sale of the type, or one per tier of a product with tiers. The price is computed by the product's rating for this risk, for 365 days.

\`additional_information\` describes the risk and is required for Auto, Gadget, Health, Home, Personal_Accident, Travel and Cargo. An insurer may accept fewer values than this API: a
product that refuses the risk gives no quote, and if every product refuses it, the answer is 400 with the field. \`coverage_preferences\` filter the quotes: \`coverage_type\` keeps quotes with a coverage of one of these types,
\`additional_coverages\` those with coverages of all these names, \`coverage_amount\` those with at least this limit.

For the next page, POST the same body to \`next\` with the same \`Idempotency-Key\`; without it, new quotes with new codes are created. Both \`purchase_id\` and \`quote_code\` can be used to
purchase the quote, until it expires after 30 days.`,
    request: {
      query: { sort_by: 'cheapest', limit: 2 },
      body: {
        customer_metadata: {
          first_name: 'Ada',
          last_name: 'Okafor',
          email: 'ada.okafor@customers.example',
          phone: '+2348012345678',
          date_of_birth: '1990-04-12',
          customer_gender: 'F',
          residential_address: {
            house_number: '12',
            street: 'Marina Road',
            city: 'Lagos',
            state: 'Lagos',
            country: 'NG',
          },
        },
        insurance_details: {
          product_type: 'Auto',
          additional_information: {
            vehicle_type: 'Car',
            vehicle_make: 'Honda',
            vehicle_model: 'Accord',
            vehicle_year: 2019,
            vehicle_value: 2000000,
            vehicle_usage: 'Commercial',
            insurance_options: 'Comprehensive',
          },
        },
        coverage_preferences: { coverage_type: ['Collision', 'Liability'] },
      },
    },
  },
  GetQuote: {
    tag: 'Quotes',
    description:
      'The quote with its price and the product at the time of the request. It can be read after it has expired (`quote_expiry_date`) or was purchased.',
    request: { path: { quote_code: '{scene.sample.quote_code}' } },
    codes: ['quote_not_found'],
  },
};
