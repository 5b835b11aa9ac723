import type { Day, Instant } from '#event-sourcing/time.ts';
import { NO_CANCELLATION_RULES } from '../values/cancellation-rules.ts';
import { addDays, endOfDay, type TimeZone } from '../values/dates.ts';
import { proportion } from '../values/fraction.ts';
import { type MinorUnits, parseSum } from '../values/money.ts';
import { amountsOf, formatPrice, larger, pickPrice, smaller } from '../values/price.ts';
import { hasPaidIn } from './claim-payments.ts';
import { termsNotWithdrawn, firstTerm } from './cover.ts';
import type { Contract, PolicyState } from './policy.ts';
import type { RefundRule, Returned } from './policy-events.ts';
import { contains, daysOf, type Term } from './term.ts';
import { earnedNet } from './timeline.ts';

/** A first term with fewer days cannot be cancelled in a cooling-off time. */
const COOLING_OFF_MIN_DAYS = 30;

/** How a policy is to end. */
export interface EndRequest {
  /** Last day of cover. */
  readonly effectiveOn: Day;
  readonly decidedOn: Day;
  /**
   * What an import returns of the term that contains the day, tax included; undefined: the rules of the policy apply.
   */
  readonly returnPremium?: string | undefined;
  /**
   * What changes that are taken back with the end had taken off the net price of that term: an end does not cost more
   * than going on.
   */
  readonly takenOff?: MinorUnits;
}

interface Refund {
  /** Null where an import gave the amount. */
  readonly rule: RefundRule | null;
  /** The term of the last day of cover and every later one, with what is returned of each; that may be 0.00. */
  readonly returned: readonly Returned[];
}

/** What a cancellation depends on. */
interface Ending extends Pick<PolicyState, 'terms' | 'waits' | 'payments'> {
  readonly contract: Pick<Contract, 'boughtOn' | 'cancellation' | 'timeZone'>;
}

/** Returns what the end of a policy returns (docs/insurance.md#end). */
export function refundOf(policy: Ending, request: EndRequest): Refund {
  const { effectiveOn, returnPremium, takenOff = 0n } = request;
  const terms = termsNotWithdrawn(policy).filter(({ through }) => effectiveOn <= through || policy.waits);
  const containing = policy.waits ? undefined : terms.find((term) => contains(term, effectiveOn));
  const rule = containing === undefined ? 'not_begun' : ruleOf(policy, containing, request);
  const partOf = (term: Term): Returned => {
    if (term !== containing || rule === 'cooling_off') return returnInFull(term);
    if (returnPremium !== undefined) return returnGiven(term, parseSum(returnPremium));
    const net = rule === 'none_after_claim' ? 0n : returnedProRata(policy, term, effectiveOn);
    return partOfTerm(term, larger(net, takenOff));
  };
  return { rule: returnPremium === undefined ? rule : null, returned: terms.map(partOf) };
}

/** Returns what a cancellation depends on in an imported policy with one term that an end can touch. */
export function importedEnding(term: Term, timeZone: TimeZone): Ending {
  const contract = { boughtOn: null, cancellation: NO_CANCELLATION_RULES, timeZone };
  return { terms: [term], waits: false, payments: [], contract };
}

/**
 * Returns what the event of a cancellation records of its day and its refund. Cover ends at the instant of the decision
 * if it is decided on its last day, else with the last second of this day.
 */
export function cancellationFacts(policy: Ending, { now, ...request }: EndRequest & { readonly now: Instant }) {
  const { effectiveOn, decidedOn } = request;
  const { rule, returned } = refundOf(policy, request);
  return {
    cancelledAt: effectiveOn === decidedOn ? now : endOfDay(effectiveOn, policy.contract.timeZone),
    decidedOn,
    refundRule: rule,
    returned: [...returned],
    effectiveAt: effectiveOn,
  };
}

/** Returns the whole price of a term as returned. */
export function returnInFull(term: Term): Returned {
  return { termId: term.termId, from: term.from, through: term.through, ...pickPrice(term) };
}

function ruleOf(policy: Ending, term: Term, request: EndRequest): RefundRule {
  if (isCoolingOff(policy, term, request)) return 'cooling_off';
  return !policy.contract.cancellation.refundAfterClaim && hasPaidIn(policy, term) ? 'none_after_claim' : 'pro_rata';
}

function isCoolingOff(policy: Ending, term: Term, { effectiveOn, decidedOn }: EndRequest): boolean {
  const { boughtOn, cancellation } = policy.contract;
  if (boughtOn === null || cancellation.coolingOffDays === 0 || policy.payments.length > 0) return false;
  const last = addDays(boughtOn, cancellation.coolingOffDays);
  const isFirst = term === firstTerm(policy) && daysOf(term) >= COOLING_OFF_MIN_DAYS;
  return isFirst && decidedOn <= last && effectiveOn <= last;
}

/** The net price that is neither earned nor retained. */
function returnedProRata({ contract }: Ending, term: Term, effectiveOn: Day): MinorUnits {
  const net = parseSum(term.net);
  const retained = smaller(net, parseSum(contract.cancellation.minimumRetained));
  return net - larger(earnedNet(term, effectiveOn), retained);
}

/** No fee, and tax and commission in proportion. */
function partOfTerm(term: Term, returnedNet: MinorUnits): Returned {
  const { net, fee, tax } = amountsOf(term);
  const returnedTax = tax === null ? null : tax - proportion(tax, net - returnedNet + fee, net + fee);
  return returnedPart(term, returnedNet, returnedTax);
}

/** An amount that contains tax: its net part is that of the premium, the rest is tax. */
function returnGiven(term: Term, amount: MinorUnits): Returned {
  const { net, tax } = amountsOf(term);
  const returnedNet = proportion(net, amount, parseSum(term.premium));
  return returnedPart(term, returnedNet, tax === null ? null : amount - returnedNet);
}

function returnedPart(term: Term, returnedNet: MinorUnits, returnedTax: MinorUnits | null): Returned {
  const { net, commission } = amountsOf(term);
  const { termId, from, through } = term;
  const returnedCommission = commission === null ? null : commission - proportion(commission, net - returnedNet, net);
  const amounts = { net: returnedNet, fee: 0n, tax: returnedTax, commission: returnedCommission };
  return { termId, from, through, ...formatPrice(amounts) };
}
