import type { Day } from '../../src/event-sourcing/time.ts';
import type { NewEvent } from '../../src/event-sourcing/event.ts';
import { addDays, LAST_DAY } from '../../src/domain/values/dates.ts';
import { lastTerm, termDates } from '../../src/domain/policy/cover.ts';
import { type PolicyState, policyIds } from '../../src/domain/policy/policy.ts';
import { type PolicyEvent, PolicyRenewed } from '../../src/domain/policy/policy-events.ts';
import { addToAnnual, annualPremiumOf, premiumForDays } from '../../src/domain/policy/term-premium.ts';
import { changedCoverages, type CoverageChange } from './coverage-change.ts';

/** A term begins at most this many days after the later of today and the last day of the term before. */
const MAX_DAYS_AHEAD = 366;

/** Returns the last day on which a term may begin. @param day the later of today and the last day of the term before */
export function latestStart(day: Day): Day {
  const latest = addDays(day, MAX_DAYS_AHEAD);
  // `addDays` writes a year after 9999 with a sign, and that is not a day.
  return latest.startsWith('+') ? LAST_DAY : latest;
}

/** A renewal that passed every check. */
export interface Renewal {
  readonly from: Day;
  /** 1 to 365. */
  readonly days: number;
  readonly autoRenew: boolean;
  readonly coverageChange: CoverageChange | null;
}

/**
 * Prices the new term by its days: the annual premium of the last term, and the additional amount. The risk stays the same, and
 * so do the coverages but for the change.
 * @throws {Refusal} `premium_out_of_range`; `invalid_request` as `changedCoverages`
 */
export function renewalEvents(state: PolicyState, renewal: Renewal): readonly NewEvent<PolicyEvent>[] {
  const { from, days, autoRenew, coverageChange } = renewal;
  const last = lastTerm(state);
  const { paymentFrequency, risk } = last;
  const coverages = coverageChange === null ? last.coverages : changedCoverages(last.coverages, coverageChange);
  const annual = addToAnnual(annualPremiumOf(last), coverageChange?.additionalAmount ?? 0n);
  const term = {
    ...termDates(from, days),
    ...premiumForDays(annual, days),
    ...{ annual, paymentFrequency, risk, premiumParts: {}, coverages: [...coverages] },
  };
  const change = coverageChange && { kind: coverageChange.kind, details: coverageChange.details };
  const data = { ...policyIds(state), term, days, autoRenew, coverageChange: change, effectiveAt: from };
  return [{ type: PolicyRenewed.type, data }];
}
