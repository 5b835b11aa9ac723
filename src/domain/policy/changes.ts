import type { Day } from '#event-sourcing/time.ts';
import { formatMoney, type MinorUnits, parseSum } from '../values/money.ts';
import { pickPrice, type Price, priceDifference } from '../values/price.ts';
import type { ChangedTermData, PolicyEvent } from './policy-events.ts';
import type { Term } from './term.ts';

type ChangeData = Extract<PolicyEvent, { readonly type: 'PolicyChanged' }>['data'];

/** A recorded change of coverages, with what it takes to undo it. */
interface RecordedChange extends Pick<ChangeData, 'reason' | 'changes' | 'terms' | 'effectiveAt'> {
  /** Id of its event. */
  readonly changeId: string;
  /** What `changedOn` was before it. */
  readonly changedOnBefore: Day | null;
  /** The terms that it changed, as they were before, with the periods that it replaced. */
  readonly before: readonly Term[];
  /** Whether a cancellation took it back. A reinstatement brings it back. */
  readonly isWithdrawn?: true;
}

/** What a change changes of a policy. */
export interface ChangedState {
  readonly terms: readonly Term[];
  /** Day on which the last change of coverages takes effect; null without one. */
  readonly changedOn: Day | null;
  /** The changes that take effect on the last such day, in the order in which they were recorded. */
  readonly lastChanges: readonly RecordedChange[];
}

/**
 * Returns the policy after a change. Its price of a term that has not begun by then is the one with which the term
 * begins.
 */
export function applyChange(state: ChangedState, changeId: string, data: ChangeData): ChangedState {
  const { reason, changes, terms, effectiveAt } = data;
  const before = state.terms.flatMap((term) => {
    const change = changeOf(term, terms);
    return change === undefined ? [] : [{ ...term, periods: replacedPeriods(term, change) }];
  });
  const change = { changeId, reason, changes, terms, effectiveAt, changedOnBefore: state.changedOn, before };
  // A change that takes effect on an earlier day has begun.
  const others = state.lastChanges.filter((other) => other.effectiveAt >= effectiveAt);
  const changed = changeTerms(state, terms, ({ from, netAtStart, net }) =>
    effectiveAt <= from ? netAtStart : (netAtStart ?? net),
  );
  return { terms: changed, changedOn: effectiveAt, lastChanges: [...others, change] };
}

/** Returns the policy after a change was taken back. */
export function applyChangeWithdrawn(
  state: ChangedState,
  { changeId, terms }: { readonly changeId: string; readonly terms: readonly ChangedTermData[] },
): ChangedState {
  const change = state.lastChanges.find((one) => one.changeId === changeId);
  if (change === undefined) return state;
  const netBefore = ({ termId }: Term) => change.before.find((term) => term.termId === termId)?.netAtStart;
  const restored = changeTerms(state, terms, netBefore);
  const lastChanges = state.lastChanges.map((one) => (one === change ? { ...one, isWithdrawn: true as const } : one));
  return { terms: restored, changedOn: change.changedOnBefore, lastChanges };
}

/** Returns the changes that have not begun by today and begin after a day, the last one first. */
export function changesAfter(
  state: Pick<ChangedState, 'lastChanges'>,
  day: Day,
  today: Day,
): readonly RecordedChange[] {
  return changesInForce(state)
    .filter(({ effectiveAt }) => effectiveAt > day && effectiveAt > today)
    .toReversed();
}

/** Returns the last changes that were not taken back. */
export function changesInForce({ lastChanges }: Pick<ChangedState, 'lastChanges'>): readonly RecordedChange[] {
  return lastChanges.filter(({ isWithdrawn }) => isWithdrawn !== true);
}

/**
 * Returns the changes that a cancellation took back, without the terms that were withdrawn: what a reinstatement
 * records again.
 */
export function changesWithdrawn({ terms, lastChanges }: Pick<ChangedState, 'terms' | 'lastChanges'>) {
  const isAgreed = (id: string) => terms.some(({ termId, isWithdrawn }) => termId === id && isWithdrawn !== true);
  return lastChanges
    .filter(({ isWithdrawn }) => isWithdrawn === true)
    .map(({ reason, changes, effectiveAt, terms: changed }) => {
      return { reason, changes, effectiveAt, terms: changed.filter(({ termId }) => isAgreed(termId)) };
    });
}

/** Returns the terms of the event that takes a change back. A term that was withdrawn meanwhile has none. */
export function termsBefore({ terms }: Pick<ChangedState, 'terms'>, change: RecordedChange): ChangedTermData[] {
  return change.before.flatMap((before) => {
    const now = terms.find(({ termId }) => termId === before.termId);
    if (now === undefined || now.isWithdrawn) return [];
    const { termId, from, through, periods } = before;
    const price = pickPrice(before);
    return [{ termId, from, through, ...price, periods: [...periods], difference: priceDifference(now, price) }];
  });
}

/**
 * Returns the net price that changes took off a term by what their withdrawals give back; 0.00 where they added to it.
 */
export function takenOff(withdrawn: readonly ChangedTermData[], termId: string | undefined): MinorUnits {
  const back = withdrawn.filter((term) => term.termId === termId).map(({ difference }) => parseSum(difference.net));
  const sum = back.reduce((total, net) => total + net, 0n);
  return sum > 0n ? sum : 0n;
}

/** Returns what withdrawals of changes give back of premium and tax; negative where a change had lowered them. */
export function givenBack(withdrawn: readonly ChangedTermData[]): readonly Pick<Price, 'premium' | 'tax'>[] {
  const negate = (amount: string) => formatMoney(-parseSum(amount));
  return withdrawn.map(({ difference: { premium, tax } }) => {
    return { premium: negate(premium), tax: tax === null ? null : negate(tax) };
  });
}

type TermChange = Price & Pick<ChangedTermData, 'termId' | 'periods'>;

function changeOf(term: Term, changes: readonly TermChange[]): TermChange | undefined {
  return changes.find(({ termId }) => termId === term.termId);
}

function replacedPeriods(term: Term, { periods: [first] }: TermChange): Term['periods'] {
  return term.periods.filter(({ from }) => from >= (first?.from ?? term.from));
}

/** @param netAtStartOf what each changed term has from then on; undefined for none */
function changeTerms(
  state: Pick<ChangedState, 'terms'>,
  changes: readonly TermChange[],
  netAtStartOf: (term: Term) => string | undefined,
): readonly Term[] {
  return state.terms.map((term): Term => {
    const change = changeOf(term, changes);
    if (change === undefined) return term;
    const kept = term.periods.filter(({ from }) => from < (change.periods[0]?.from ?? term.from));
    const { netAtStart: _before, ...rest } = term;
    const netAtStart = netAtStartOf(term);
    const begun = netAtStart === undefined ? {} : { netAtStart };
    return { ...rest, ...pickPrice(change), ...begun, periods: [...kept, ...change.periods] };
  });
}
