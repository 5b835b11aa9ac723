import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { type Day, day } from '#event-sourcing/time.ts';
import type { RecordedEvent } from '#event-sourcing/event.ts';
import { firstTerm, termsNotWithdrawn } from '#domain/policy/cover.ts';
import { hasPaidIn } from '#domain/policy/claim-payments.ts';
import { applyChange, changesInForce } from '#domain/policy/changes.ts';
import { changesOf } from '#domain/policy/coverage-changes.ts';
import { type PolicyState, policyIds } from '#domain/policy/policy.ts';
import { PolicyChanged, type PolicyEvent } from '#domain/policy/policy-events.ts';
import { coverageResourcesOf, coverageSchema } from '#domain/policy/resource-parts.ts';
import { type AgreedTerm, lastPeriod, type Period, periodOn, type Term } from '#domain/policy/term.ts';
import { type ChangeCover, changedTerm } from '#domain/policy/timeline.ts';
import { addDays } from '#domain/values/dates.ts';
import { money, sum, sumOf, sumOfKnown } from '#domain/values/money.ts';
import { pickPrice, premiumBefore, premiumErrors, priceDifference } from '#domain/values/price.ts';
import { Refusal, refusalsOf } from '#domain/refusals.ts';
import { defineChange } from '../command.ts';
import { MAX_APPEND_BYTES } from '#stores/event-log/event-log.ts';
import { text } from '../shared/fields.ts';
import { isTooLarge } from '../shared/state-size.ts';
import { coverageChangeInput, coverageChangeOf } from './coverage-change.ts';
import {
  checkExpectedAmount,
  checkExpectedAmountErrors,
  expectedAmount,
  hasRunOut,
  reasonClosed,
} from './policy-checks.ts';
import { changeByIdOrNumber, findPolicyErrors, policyIdOrNumber } from './find-policy.ts';

const refuse = refusalsOf('policy_not_changeable', 'nothing_to_change', ...premiumErrors, 'invalid_request');

const MAX_CHANGES = 20;

/** The policy keeps each change that begins on its last such day, so that it can be taken back. */
const MAX_CHANGES_A_DAY = 20;
/** Bytes of these changes as JSON: one append takes all of them back, or records them again. */
const MAX_BYTES_A_DAY = 0.75 * MAX_APPEND_BYTES;

/**
 * Returns the first day with a change that is decided today: tomorrow, of a policy that begins later its first day. So
 * it never reaches back.
 */
function firstDayWithChange(state: PolicyState, today: Day): Day {
  const [tomorrow, { from }] = [addDays(today, 1), firstTerm(state)];
  return from > tomorrow ? from : tomorrow;
}

function checkChangeable(state: PolicyState, today: Day, effectiveOn: Day): void {
  const why = reasonAgainst(state, today, effectiveOn);
  if (why !== undefined) throw notChangeable(why);
}

function notChangeable(why: string): Refusal {
  return refuse('policy_not_changeable', `The policy cannot be changed: ${why}`);
}

function reasonAgainst(state: PolicyState, today: Day, effectiveOn: Day): string | undefined {
  const closed = reasonClosed(state);
  if (closed !== undefined) return closed;
  if (hasRunOut(state, today)) return 'its last term is over';
  if (hasRunOut(state, effectiveOn)) return `its last term ends today, and a change would begin on ${effectiveOn}`;
  // The clock was set back.
  if (state.changedOn !== null && effectiveOn < state.changedOn) return `its last change begins on ${state.changedOn}`;
  const sameDay = changesInForce(state).filter((change) => change.effectiveAt === effectiveOn);
  if (sameDay.length >= MAX_CHANGES_A_DAY) return `${MAX_CHANGES_A_DAY} changes begin on ${effectiveOn} already`;
  return undefined;
}

interface ChangedTerm {
  readonly term: Term;
  readonly after: AgreedTerm;
}

/** Returns what keeps the net price of a term from falling. */
function floorsOf(state: PolicyState, term: Term) {
  const { minimumRetained, refundAfterClaim } = state.contract.cancellation;
  return { minimumRetained, isKept: !refundAfterClaim && hasPaidIn(state, term) };
}

/**
 * Changes the term of the first day with the change, and every later one.
 * @throws {Refusal} as the change, naming the term that it does not fit
 */
function changedTerms(state: PolicyState, change: ChangeCover, from: Day, lastField: string): readonly ChangedTerm[] {
  const terms = termsNotWithdrawn(state).filter(({ through }) => through >= from);
  return terms.map((term) => {
    try {
      return { term, after: changedTerm(term, change, from, floorsOf(state, term)) };
    } catch (error) {
      throw error instanceof Refusal ? inTerm(error, term, lastField) : error;
    }
  });
}

/** A refusal without a field is one of the price, which all changes together make. */
function inTerm({ code, message, fields }: Refusal, { from, through }: Term, lastField: string): Refusal {
  const where = `in the term from ${from} through ${through}`;
  const named = fields.length > 0 ? fields : [{ field: `${lastField}.additional_amount`, message }];
  const withTerm = named.map((each) => ({ ...each, message: `${each.message} (${where})` }));
  return refuse(code === 'premium_out_of_range' ? code : 'invalid_request', `${message} (${where})`, {
    fields: withTerm,
  });
}

/** Returns whether the last period of a term insures the same for the same price. */
function isSame({ term, after }: ChangedTerm): boolean {
  const insured = ({ coverages, annualNet }: Period) => ({ coverages, annualNet });
  return isDeepStrictEqual(insured(lastPeriod(term)), insured(lastPeriod(after)));
}

const changeResult = z.strictObject({
  change_status: z.enum(['success', 'preview']),
  message: z.string(),
  data: z.strictObject({
    policy_id: z.uuid(),
    policy_number: z.string(),
    effective_on: day.meta({
      description: 'First day with the change: tomorrow, of a policy that begins later its first day',
    }),
    premium_difference: sum.meta({ description: 'What all terms cost more than before; negative: less' }),
    tax_difference: sum.nullable().meta({ description: 'Null where the tax of every term is unknown' }),
    currency: z.string(),
    terms: z.array(
      z.strictObject({ term_id: z.uuid(), from: day, through: day, premium_before: money, premium: money }),
    ),
    coverages: z.array(coverageSchema).meta({ description: 'Coverages of the day' }),
  }),
});

function changeResponse(state: PolicyState, event: RecordedEvent<PolicyEvent> | undefined) {
  if (event?.type !== PolicyChanged.type) throw new Error('the last event of a change is not PolicyChanged');
  const { terms, effectiveAt } = event.data;
  const firstTouched = state.terms.find(({ termId }) => termId === terms[0]?.termId);
  if (firstTouched === undefined) throw new Error('a change touches a term of the policy');
  return {
    change_status: 'success',
    message: 'Policy change successful',
    data: {
      policy_id: state.policyId,
      policy_number: state.contract.policyNumber,
      effective_on: effectiveAt,
      premium_difference: sumOf(terms.map(({ difference }) => difference.premium)),
      tax_difference: sumOfKnown(terms.map(({ difference }) => difference.tax)),
      currency: state.currency,
      terms: terms.map(({ termId, from, through, premium, difference }) => ({
        term_id: termId,
        from,
        through,
        premium_before: premiumBefore({ premium }, difference),
        premium,
      })),
      coverages: coverageResourcesOf(periodOn(firstTouched, effectiveAt).coverages),
    },
  };
}

/**
 * Changes the coverages of a policy from tomorrow on, or from its first day if that is later: of the rest of the term
 * of the day, and of every later term.
 */
export const changePolicy = defineChange({
  ...changeByIdOrNumber,
  roles: ['merchant', 'admin'],
  inEnvironment: true,
  name: 'ChangePolicy',
  summary: 'Adds, modifies or removes coverages of a policy from tomorrow on.',
  description: `Adds, modifies or removes coverages from tomorrow on, or from the first day of a policy that begins later (\`effective_on\`): what happened today is covered as it was this morning. The days before keep what they have earned: the net price of a period is earned day by day. The rest of the term, and every later term, get a new price; fee, minimum and rates of each term stay.
\`coverage_name\` finds a coverage by its name; without it \`coverage_type\` is looked for among the names, then among the types. \`add\` needs a new name. Given members replace, null clears, absent ones stay. \`additional_amount\` is for a
year, contains tax, and may be negative. The changes apply in turn; one that does not fit refuses the request whole. A cancellation for an earlier day takes the change back.

With \`expected_amount\` the request is refused (\`amount_changed\`) if \`premium_difference\` is another one now.`,
  input: z.strictObject({
    policy_id: policyIdOrNumber,
    changes: z
      .array(coverageChangeInput)
      .min(1, 'must have at least 1 entry')
      .max(MAX_CHANGES, `must have at most ${MAX_CHANGES} entries`),
    reason: text(500).optional(),
    expected_amount: expectedAmount('What all terms cost more (`premium_difference`)'),
  }),
  example: {
    policy_id: 'c530ddb5-2b6b-5b7a-ae28-8fa4b289d210',
    changes: [{ action: 'add', coverage_name: 'Boarding', coverage_limit: '50000.00', additional_amount: '730.00' }],
    reason: 'The customer travels',
  },
  response: changeResult,
  errors: [...findPolicyErrors, ...refuse.codes, ...checkExpectedAmountErrors],
  lookUp(request, context, found) {
    if (isTooLarge(found)) throw notChangeable('its terms have too much text together');
    return changeByIdOrNumber.lookUp(request, context, found);
  },
  decide(state, { today, changes, reason = null, expected_amount: expected }) {
    const effectiveOn = firstDayWithChange(state, today);
    checkChangeable(state, today, effectiveOn);
    const change = changesOf(changes.map((each, index) => coverageChangeOf(each.action, `changes.${index}`, each)));
    const changed = changedTerms(state, change, effectiveOn, `changes.${changes.length - 1}`);
    if (changed.every(isSame)) throw refuse('nothing_to_change', 'The coverages and their price are so already');
    const terms = changed.map(({ term, after }) => {
      const { from, through } = after;
      // The one that was cut and the one after it: an event does not grow with the changes before it.
      const periods = after.periods.slice(-2);
      const price = pickPrice(after);
      return { termId: term.termId, from, through, ...price, periods, difference: priceDifference(term, price) };
    });
    checkExpectedAmount(expected, sumOf(terms.map(({ difference }) => difference.premium)));
    const recorded = changes as Record<string, z.core.util.JSONType>[];
    const data = { ...policyIds(state), reason, changes: recorded, terms, effectiveAt: effectiveOn };
    const { lastChanges } = applyChange(state, '', data);
    if (Buffer.byteLength(JSON.stringify(lastChanges)) > MAX_BYTES_A_DAY)
      throw notChangeable(`the changes that begin on ${effectiveOn} would have too much text together`);
    return [{ type: PolicyChanged.type, data }];
  },
  result: ({ state, events }) => changeResponse(state, events.at(-1)),
});
