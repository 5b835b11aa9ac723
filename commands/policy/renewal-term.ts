import type { z } from 'zod';
import { addDays } from '../../src/domain/values/dates.ts';
import type { Day } from '../../src/event-sourcing/time.ts';
import type { NewEvent } from '../../src/event-sourcing/event.ts';
import { formatMoney, type Minor, parseMoney, proRata } from '../../src/domain/values/money.ts';
import { lastTerm, type PolicyEvent, PolicyRenewed, type PolicyState } from '../../src/domain/policy/policy.ts';
import { Refusal } from '../../src/domain/refusals.ts';
import { idsOf } from './policy-ids.ts';

/** The last day of which the day after can still be written: the days of a year 10000 no longer sort as text. */
const LATEST_END: Day = '9999-12-30';

/** A renewal that may take place: everything its term follows from. */
export interface Renewal {
  readonly start: Day;
  /** 1 to 365. */
  readonly days: number;
  readonly autoRenew: boolean;
  readonly coverageChange: {
    readonly kind: 'additional' | 'modified';
    readonly details: Readonly<Record<string, z.core.util.JSONType>>;
  } | null;
  /** What the added coverage costs; the annual premium of the new term includes it. */
  readonly added: Minor;
}

/** @throws {Refusal} `policy_not_renewable` */
export function checkRenewable(state: PolicyState): void {
  if (state.renewable && state.status !== 'cancelled') return;
  const why = state.status === 'cancelled' ? 'it is cancelled' : 'its product is not renewable';
  throw new Refusal('policy_not_renewable', `The policy cannot be renewed: ${why}`);
}

/** Whether a term of that many days from `start` ends on a day that can be written. */
export function endsInTime(start: Day, days: number): boolean {
  const through = addDays(start, days);
  return through >= start && through <= LATEST_END;
}

/** What the next 365 days cost, as far as the last term says. */
export function annualPremiumOf(state: PolicyState): Minor {
  return parseMoney(lastTerm(state.terms).annualPremium);
}

/**
 * The new term: the annual premium by days, and what was added in full (`decisions`: Rating). The risk is that of the last
 * term.
 */
export function renewed(state: PolicyState, renewal: Renewal): readonly NewEvent<PolicyEvent>[] {
  const { start, days, autoRenew, coverageChange, added } = renewal;
  const { paymentFrequency, risk } = lastTerm(state.terms);
  const annual = annualPremiumOf(state);
  const term = {
    from: start,
    through: addDays(start, days),
    premium: formatMoney(proRata(annual, days) + added),
    annualPremium: formatMoney(annual + added),
    paymentFrequency,
    risk,
    premiumParts: {},
  };
  const data = { ...idsOf(state), term, days, autoRenew, coverageChange, effectiveAt: start };
  return [{ type: PolicyRenewed.type, data }];
}
