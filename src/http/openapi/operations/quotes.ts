import type { OperationPages } from '../page.ts';

export const QUOTE_PAGES: OperationPages = {
  RequestQuotes: {
    tag: 'Quotes',
    description: `One quote for every live product of the type, or one for each tier of a product that has tiers, priced by the product's rating for this risk, for 365 days.

\`additional_information\` describes the risk and is needed for Auto, Gadget, Health, Home, Personal_Accident, Travel and Cargo. An insurer may accept fewer values than this interface: a
product that refuses the risk gives no quote, and 400 names the field when every product refuses it. \`coverage_preferences\` filter: \`coverage_type\` keeps offers with at least one of these types
among their coverages, \`additional_coverages\` those with all of these names, \`coverage_amount\` those with a limit of at least that.

\`next\` is to be posted to with the same body; without the same \`Idempotency-Key\` that makes new quotes with new codes. \`purchase_id\` and \`quote_code\` both buy
the quote, until it expires after 30 days.`,
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
      'The quote with its price and the product as it was when the quote was made. It stays readable after it has expired (`quote_expiry_date`) or was bought.',
    request: { path: { quote_code: '{RequestQuotes.results.0.0.quote_code}' } },
    codes: ['quote_not_found'],
  },
};
