import type { Day } from '#event-sourcing/time.ts';
import { addDays, LAST_DAY } from '#domain/values/dates.ts';
import { ofMoney, parseFraction } from '#domain/values/fraction.ts';
import type { Rates } from '#domain/values/price.ts';
import { lastTerm } from '#domain/policy/cover.ts';
import type { PolicyState } from '#domain/policy/policy.ts';
import { type AgreedTerm, type DayRange, lastPeriod } from '#domain/policy/term.ts';
import { type ChangeCover, pricedTerm, roundedAnnualNet } from '#domain/policy/timeline.ts';
import { provider, providerStream } from '#domain/provider/provider.ts';
import { ratesOfProduct, type ProductState } from '#domain/product/product.ts';
import type { CommandContext } from '../command.ts';

/** A term begins at most this many days after the later of today and the last day of the term before. */
const MAX_DAYS_AHEAD = 366;

/** Returns the last day on which a term may begin. @param day the later of today and the last day of the term before */
export function latestStart(day: Day): Day {
  const latest = addDays(day, MAX_DAYS_AHEAD);
  // `addDays` writes a year after 9999 with a sign, and that is not a day.
  return latest.startsWith('+') ? LAST_DAY : latest;
}

/** Reads the product of a policy as the catalogue has it now; undefined where there is none. */
export async function currentProductOf(state: PolicyState, context: CommandContext): Promise<ProductState | undefined> {
  return await context.services.catalogue.productById(state.contract.product.id);
}

/** Returns whether an insurer was withdrawn: it takes no further policy or term. */
export async function isProviderWithdrawn(providerId: string, context: CommandContext): Promise<boolean> {
  const { state: insurer } = await context.load(provider, providerStream(providerId));
  return insurer?.isWithdrawn === true;
}

/** Returns the rates of the product of a policy as the catalogue has them now; null where it has none. */
export function presentRates({ contract }: PolicyState, product: ProductState | undefined): Rates | null {
  return product === undefined ? null : ratesOfProduct(product, contract.tierName);
}

/**
 * Returns the next term of a policy: coverages and annual net price of the last period of the last term, at the present
 * rates. A term whose tax is not known keeps its rates, because its price contains the tax.
 * @param change what the renewal changes of the coverages
 * @throws {Refusal} when the premium is out of range, or as the change does
 */
export function nextTerm(
  state: PolicyState,
  days: DayRange,
  present: Rates | null,
  change: ChangeCover = (cover) => cover,
): AgreedTerm {
  const last = lastTerm(state);
  const period = lastPeriod(last);
  const { fee, minimum, taxRate, commissionRate } = present === null || last.tax === null ? last : present;
  const cover = { coverages: period.coverages, annualNet: ofMoney(roundedAnnualNet(period)) };
  return pricedTerm(days, change(cover, parseFraction(taxRate ?? '0')), { fee, minimum, taxRate, commissionRate });
}
