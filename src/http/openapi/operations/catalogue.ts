import type { OperationPages } from '../page.ts';

export const CATALOGUE_PAGES: OperationPages = {
  ListProducts: {
    tag: 'Products',
    description:
      'Products of all insurers, in one array inside `results`. Withdrawn ones stay in the list with `is_trashed`; quotes are made of those that are live (`is_live`). `test_mode` is for platform keys.',
    request: { query: { limit: 25 } },
  },
  GetProduct: {
    tag: 'Products',
    description:
      'A product with its coverages and a limited view of its price: `pricing.amount` is the base premium, `tax` is that of amount and surcharges. What a customer pays is in a quote.',
    request: { path: { id: '{admin/AddProduct.result.product_id}' } },
    codes: ['product_not_found'],
  },
  ListInsurers: {
    tag: 'Providers',
    description:
      'All insurers that the key may see: those of the platform, and those registered with a key of the same world.',
  },
  SearchProviders: {
    tag: 'Providers',
    description: 'Insurers whose name contains the text; case does not matter. An empty name is refused.',
    request: { query: { name: 'baobab' } },
  },
  RegisterProvider: {
    tag: 'Providers',
    description: `Makes an insurer known. Its name is unique, whatever its case. One that is registered with a test key is seen, and its name taken, in the test world only; a name that is
taken live is refused there as well.`,
    request: {
      body: { name: 'Harbour Mutual', support_email: 'help@harbour.example', support_phone: '+2348011112222' },
    },
    codes: ['provider_already_registered'],
  },
};
