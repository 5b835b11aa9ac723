import { z } from 'zod';
import { adminPagesOf, type OperationPages } from '../page.ts';

const nothing = z.strictObject({});
const provider = z.strictObject({ provider_id: z.uuid() });
const product_id = '{scene.sample.product_id}';

export const ADMIN_CATALOGUE_PAGES: OperationPages = adminPagesOf({
  RegisterProvider: {
    description:
      'Registers an insurer for every merchant, in live and test mode. The name is unique; case, full-width letters and invisible characters make no difference.',
    body: {
      name: 'Sahel Specialty Insurance',
      support_email: 'claims@sahel.example',
      support_phone: '+23412345678',
      address: '7 Broad Street, Lagos',
    },
    codes: ['provider_already_registered'],
    result: z.strictObject({ provider_id: z.uuid(), name: z.string(), support_email: z.string().nullable() }),
  },
  UpdateProvider: {
    description:
      'Changes any field of a registration. A new name must be unused, and the old name remains reserved. Existing policies keep the name.',
    body: { provider_id: '{scene.sample.provider_id}', support_phone: '+23412345679' },
    codes: ['provider_not_found', 'provider_already_registered', 'nothing_to_change'],
    result: provider,
  },
  ConfirmProvider: {
    description:
      'Shows an insurer that a merchant registered, and its products, to every merchant of its mode (live or test). Before that only the merchant sees it. Imports of other merchants then use it. One that an import registered cannot be confirmed.',
    body: { provider_id: '{RegisterProvider.provider_id}' },
    codes: ['provider_not_found', 'provider_already_confirmed', 'provider_not_confirmable', 'provider_withdrawn'],
    result: provider,
  },
  WithdrawProvider: {
    description:
      'Withdraws an insurer permanently: merchants no longer find it or its products in lists, and its products are not quoted. Its policies, and quotes that were made before, continue; its name stays taken.',
    body: { provider_id: '{RegisterProvider.provider_id}' },
    codes: ['provider_not_found', 'provider_withdrawn'],
    result: provider,
  },
  AddProduct: {
    description: `Adds a product. \`rating\` computes prices from the answers in \`additional_information\`. Each step is rounded to 2 places, half away from zero:

1. base price = \`base_premium\` + field value × \`rate\` %
2. loaded price = base price + each loading that applies, as a percentage of the base price or as an amount. Below 0.00 there is no quote.
3. annual net price = loaded price − \`discount_percent\` of it
4. net price = annual net price × days ÷ 365, at least \`minimum_premium\`. A term of 365 or 366 days is a year and costs the annual net price.
5. premium = net price + \`surcharge\`, and \`tax_percent\` of both. Surcharge and minimum are the same for every number of days. The commission, \`commission_percent\` of the net price, is a part of it.

Percentages of loadings are −100 to 1000 and their amounts may be negative; other percentages are 0 to 100, other amounts at least 0. A loading whose field is absent does not apply; a product whose rate field is absent gives no quote.
A product with \`tiers\` gives one quote per tier; a tier without a rating, or without coverages, has that of the product.

Merchants see the product where they see its insurer. \`additional_information.options\` lists the accepted values of a field, \`refused\` the values that are not accepted, \`min_age\` and \`max_age\` the ages of the customer in whole years.
\`cancellation\` sets what a cancellation returns. The currency cannot be changed later.

\`base_premium\` and \`minimum_premium\` contain no tax. \`GET /products/{id}\` shows base premium, coverages, ages and \`cancellation\`, and in \`pricing\` the price of a year before rate, loadings and discount. No response shows \`rating\`, \`tiers\`, \`options\` and \`refused\`, not even to a platform key: keep what you send, because
\`UpdateProduct\` replaces each of them as a whole.`,
    body: {
      provider_id: '{scene.sample.provider_id}',
      name: 'Motor Plus',
      description: 'Own damage, theft and third-party liability.',
      product_type: 'Auto',
      base_premium: '5000.00',
      product_plan: 'Comprehensive',
      coverages: [
        {
          coverage_name: 'Own damage',
          coverage_type: 'Collision',
          coverage_limit: '5000000.00',
          deductible: '25000.00',
        },
        { coverage_name: 'Third-party liability', coverage_type: 'Liability', coverage_limit: '3000000.00' },
      ],
      rating: {
        rate: { field: 'vehicle_value', percent: '1.5' },
        loadings: [{ field: 'vehicle_usage', equals: 'Commercial', percent: '20', label: 'Commercial use' }],
        discount_percent: '5',
        surcharge: '500.00',
        tax_percent: '7.5',
        commission_percent: '12.5',
      },
      additional_information: {
        refused: { vehicle_make: ['Ferrari', 'Lamborghini', 'Bugatti'] },
        min_age: 18,
        max_age: 75,
      },
      cancellation: { cooling_off_days: 14, refund_after_claim: false, minimum_retained: '5000.00' },
    },
    codes: ['provider_not_found', 'provider_withdrawn'],
    result: z.strictObject({ product_id: z.uuid() }),
  },
  UpdateProduct: {
    description:
      'Changes any field but the provider and the currency. Lists are replaced as a whole, a field given as null is cleared; coverages that keep their name keep their id. `additional_information`, `rating` and `cancellation` are replaced as a whole too. Existing policies do not change.',
    body: { product_id, base_premium: '5250.00' },
    codes: ['product_not_found', 'nothing_to_change'],
    result: nothing,
  },
  WithdrawProduct: {
    description: 'Stops quotes for the product. Existing policies continue and can be renewed.',
    body: { product_id },
    codes: ['product_not_found', 'product_withdrawn'],
    result: nothing,
  },
  RestoreProduct: {
    description: 'Reverses a withdrawal: the product is quoted again.',
    body: { product_id },
    codes: ['product_not_found', 'product_not_withdrawn'],
    result: nothing,
  },
});
