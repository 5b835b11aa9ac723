import type { OperationPages } from '../page.ts';

export const CATALOGUE_PAGES: OperationPages = {
  ListProducts: {
    tag: 'Products',
    description:
      'A merchant sees the products on sale (`is_live`, not withdrawn) and those that its own imports added; a platform key sees all. All are in one array inside `results`. `test_mode` is for platform keys.',
    request: { query: { limit: 25, product_type: 'Auto' } },
  },
  GetProduct: {
    tag: 'Products',
    description:
      'A product with its coverages and basic pricing: `pricing.amount` is the base premium, `tax` the tax on amount and surcharges. Quotes contain the price for a customer.',
    request: { path: { id: '{scene.sample.product_id}' } },
    codes: ['product_not_found'],
  },
  ListInsurers: {
    tag: 'Providers',
    description:
      'All insurers visible to the key: those of the platform, those registered in the same mode (live or test), and those that imports of the merchant registered in this mode.',
  },
  SearchProviders: {
    tag: 'Providers',
    description: 'Insurers whose name contains the text, ignoring case. An empty name is refused.',
    request: { query: { name: 'baobab' } },
  },
  RegisterProvider: {
    tag: 'Providers',
    description: `Registers an insurer. The name is unique, ignoring case. An insurer registered with a test key is visible, and its name reserved, in test mode only; names that are
reserved in live mode are refused there too.`,
    request: {
      body: { name: 'Harbour Mutual', support_email: 'help@harbour.example', support_phone: '+2348011112222' },
    },
    codes: ['provider_already_registered'],
  },
};
