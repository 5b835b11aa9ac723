import type { OperationPages } from '../page.ts';

export const CATALOGUE_PAGES: OperationPages = {
  ListProducts: {
    tag: 'Products',
    description:
      'A merchant sees the products on sale (`is_live`, not withdrawn) of the insurers that it finds (of the oldest 1,000; with `provider_id` of any), and those that its own imports added; a platform key sees all. All are in one array inside `results`. `test_mode` is for platform keys.',
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
      'All insurers visible to the key: those of the platform, those that merchants registered in the same mode (live or test) and the platform confirmed, and those that the merchant itself registered or imported in this mode. Withdrawn insurers are shown to platform keys only.',
  },
  SearchProviders: {
    tag: 'Providers',
    description:
      'Insurers whose name contains the text, without regard to case, full-width letters and invisible characters. An empty name is refused.',
    request: { query: { name: 'baobab' } },
  },
  RegisterProvider: {
    tag: 'Providers',
    description: `Registers an insurer. The name is unique; case, full-width letters and invisible characters make no difference. An insurer registered with a merchant's key is visible to this merchant alone, in the mode of the key, until
the platform confirms it (\`ConfirmProvider\`); its name is taken at once. The name of an insurer registered with a test key is reserved in test mode only; names that are reserved in live mode are refused there too.`,
    request: {
      body: { name: 'Harbour Mutual', support_email: 'help@harbour.example', support_phone: '+2348011112222' },
    },
    codes: ['provider_already_registered'],
  },
};
