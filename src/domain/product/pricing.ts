import { ofMoney } from '../values/fraction.ts';
import { parseMoney } from '../values/money.ts';
import { netOf, priceOf, type Rates, YEAR_DAYS } from '../values/price.ts';
import { type Rating, ratesOf } from '../values/rating.ts';
import type { ProductDetails } from './product.ts';

type RatedProduct = Pick<ProductDetails, 'rating' | 'tiers'>;

/** Returns the rating of a tier: its own, else that of the product, as also where there is no tier of this name. */
export function ratingOf(product: RatedProduct, tierName: string | null): Rating | null {
  return product.tiers.find(({ name }) => name === tierName)?.rating ?? product.rating;
}

/** Returns the rates of a tier, the same for every term; null where there is no rating. */
export function ratesOfProduct(product: RatedProduct, tierName: string | null): Rates | null {
  const rating = ratingOf(product, tierName);
  return rating === null ? null : ratesOf(rating);
}

interface Pricing {
  readonly amount: string;
  readonly tax: string;
  readonly surcharges: string;
  readonly total_price: string;
}

/** Prices a year without what depends on the risk, and without discount. */
export function pricingOf(basePremium: string, rating: Rating | null): Pricing {
  const rates = ratesOf(rating);
  const { premium, net, fee, tax } = priceOf(netOf(ofMoney(parseMoney(basePremium)), YEAR_DAYS, rates), rates);
  return { amount: net, tax, surcharges: fee, total_price: premium };
}
