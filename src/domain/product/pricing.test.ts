import { describe, expect, test } from '@jest/globals';
import { pricingOf, ratesOfProduct } from './product.ts';

describe('The pricing of a product', () => {
  test.each([
    ['no rating', '100.00', null, ['100.00', '0.00', '0.00', '100.00']],
    ['a tax of a part of a percent', '100.00', { tax_percent: '0.005' }, ['100.00', '0.01', '0.00', '100.01']],
    ['half a hundredth', '1.00', { tax_percent: '0.5' }, ['1.00', '0.01', '0.00', '1.01']],
    ['fee and tax', '5000.00', { surcharge: '500', tax_percent: '7.5' }, ['5000.00', '412.50', '500.00', '5912.50']],
    [
      'a minimum',
      '10.00',
      { minimum_premium: '500', surcharge: '50', tax_percent: '20' },
      ['500.00', '110.00', '50.00', '660.00'],
    ],
    [
      'what depends on the risk',
      '10.00',
      {
        rate: { field: 'value', percent: '1' },
        loadings: [{ field: 'value', at_least: '0', percent: '20', label: 'more' }],
        discount_percent: '50',
      },
      ['10.00', '0.00', '0.00', '10.00'],
    ],
  ])('is exact: %s', (_case, premium, rating, [amount, tax, surcharges, total_price]) => {
    expect(pricingOf(premium, rating)).toEqual({ amount, tax, surcharges, total_price });
  });
});

describe('The rates of a tier', () => {
  const tier = { name: 'Gold', basePremium: '1.00', coverages: [] };
  const rates = { minimum: '0.00', taxRate: '7.5/100', commissionRate: '0/100' };
  const rated = (surcharge: string) => ({ surcharge, tax_percent: '7.5' });

  test('are its own, else those of the product, also where the tier is gone', () => {
    const product = {
      rating: rated('5'),
      tiers: [
        { ...tier, rating: rated('6') },
        { ...tier, name: 'Basic', rating: null },
      ],
    };
    expect(ratesOfProduct(product, 'Gold')).toEqual({ ...rates, fee: '6.00' });
    for (const name of ['Basic', 'Silver', null])
      expect(ratesOfProduct(product, name)).toEqual({ ...rates, fee: '5.00' });
  });

  test('are none without any rating', () => {
    expect(ratesOfProduct({ rating: null, tiers: [{ ...tier, rating: null }] }, 'Gold')).toBeNull();
    expect(ratesOfProduct({ rating: null, tiers: [] }, null)).toBeNull();
  });
});
