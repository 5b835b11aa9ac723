import { pagesOf } from '../page.ts';

export const CATALOGUE_PAGES = pagesOf('Providers', {
  RegisterProvider: {
    description: `Registers an insurer. The name is unique; case, full-width letters and invisible characters make no difference. An insurer registered with a merchant's key is visible to this merchant alone, in the mode of the key, until
the platform confirms it (\`ConfirmProvider\`); its name is taken at once. The name of an insurer registered with a test key is reserved in test mode only; names that are reserved in live mode are refused there too.`,
    request: {
      body: { name: 'Harbour Mutual', support_email: 'help@harbour.example', support_phone: '+2348011112222' },
    },
    codes: ['provider_already_registered'],
  },
});

export const QUOTE_PAGES = pagesOf('Quotes', {
  RequestQuotes: {
    description: `Returns a quote for every product on sale of the type, or one per tier of a product with tiers. The price is computed by the product's rating for this risk and for \`policy_duration\` days, or a year.

\`additional_information\` describes the risk and is required for Auto, Gadget, Health, Home, Personal_Accident, Travel and Cargo. A product that makes no offer is in \`not_offered\` with its reasons:

| \`code\` | Why |
|---|---|
| \`field_missing\` | The price depends on the field, or the product has bounds of age and \`date_of_birth\` is missing |
| \`field_invalid\` | The price depends on the field, and its value is none that can be priced, such as a text where a number is needed |
| \`not_eligible\` | The customer is too young or too old on the day of the request |
| \`refused\` | The product does not accept this value |
| \`not_rated\`, \`premium_out_of_range\` | The price would be below 0.00, or have more than 8 integer digits |

If no product makes an offer and each names a missing or invalid field, the response is 400 with the fields of the first. So what is offered can be bought. \`coverage_preferences\` filter the quotes: \`coverage_type\` keeps quotes with a coverage of one of these types,
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
});
