import type { z } from 'zod';
import type { Aggregate } from '#event-sourcing/aggregate.ts';
import type { RecordedEvent } from '#event-sourcing/event.ts';
import type { Day, Instant } from '#event-sourcing/time.ts';
import { type CancellationRules, NO_CANCELLATION_RULES } from '../values/cancellation-rules.ts';
import { dayIn } from '../values/dates.ts';
import { pickerOf } from '../values/fields.ts';
import { type Tags, merchantTags } from '../tags.ts';
import {
  type Beneficiary,
  type EventWithTerm,
  type FirstPolicyEvent,
  isFirstEvent,
  openingContract,
  POLICY_EVENTS,
  type PolicyEvent,
  policyIdsSchema,
  type RefundRule,
  type Returned,
} from './policy-events.ts';
import { applyChange, applyChangeWithdrawn, type ChangedState, changesInForce } from './changes.ts';
import { lastPeriod, newTerm, type Term, termIdOf } from './term.ts';
import { moveTerm } from './timeline.ts';

/** Returns the stream of a policy. */
export const policyStream = (policyId: string): string => `policy-${policyId}`;

/** What every event of a policy carries. */
export type PolicyIds = Readonly<z.infer<typeof policyIdsSchema>>;

/** Picks from the state of a policy, or from the data of its events, what every event has. */
export const policyIds = pickerOf(policyIdsSchema);

/** Returns the tags of the events of a policy. */
export function policyTags({ policyId, merchantId, testMode, customerId }: Omit<PolicyIds, 'currency'>): Tags {
  return { ...merchantTags({ merchantId, testMode }), customer: customerId, policy: policyId };
}

/** What a policy is from its first event on: nothing changes it. */
export interface Contract extends Readonly<z.infer<typeof openingContract>> {
  readonly isImported: boolean;
  readonly tierName: string | null;
  /** Null of imported policies. */
  readonly boughtOn: Day | null;
  readonly cancellation: CancellationRules;
}

/** How a policy ended before its time. */
export interface End {
  readonly kind: 'cancelled' | 'declined';
  /** Last day of cover. */
  readonly day: Day;
  /** In the time zone. */
  readonly decidedOn: Day;
  readonly at: Instant;
  /** Null where an import does not know it. */
  readonly reason: string | null;
  readonly initiator: string;
  readonly refundRule: RefundRule | null;
  readonly returned: readonly Returned[];
  /** What a reinstatement restores. */
  readonly autoRenewBefore: boolean;
}

/** A payment of a claim for an incident in a term. */
type BookedPayment = Pick<
  DataOf<'ClaimPaymentBooked'>,
  'claimId' | 'paymentId' | 'termId' | 'coverageName' | 'incidentDate' | 'amount'
>;

/**
 * A policy: the contract, which never changes, its timeline of terms, and its end. Commands, views and the book fold it
 * by `evolvePolicy`.
 */
export interface PolicyState extends PolicyIds, ChangedState {
  readonly contract: Contract;
  readonly beneficiaries: readonly Beneficiary[];
  /** As recorded: an end does not change it. */
  readonly status: 'accepted' | 'active';
  /** Whether cover begins with an ActivatePolicy that is not recorded. */
  readonly waits: boolean;
  readonly autoRenew: boolean;
  /** By first day; of two terms of one day, the one recorded first. */
  readonly terms: readonly Term[];
  readonly end: End | null;
  /** Booked payments of claims that were not reversed. */
  readonly payments: readonly BookedPayment[];
}

/**
 * Returns the policy after an event. The terms stay the same when the event names a term that the policy does not have.
 */
export function evolvePolicy(state: PolicyState | undefined, event: RecordedEvent<PolicyEvent>): PolicyState {
  if (isFirstEvent(event)) return firstState(event);
  if (state === undefined) throw new Error(`${event.type} in ${event.stream} before the policy exists`);
  switch (event.type) {
    case 'PolicyTermImported': {
      const { status, autoRenew } = event.data;
      return { ...state, status, autoRenew, terms: termsWith(state, event) };
    }
    case 'PolicyRenewed':
      return { ...state, autoRenew: event.data.autoRenew, terms: termsWith(state, event) };
    case 'PolicyActivated':
      return applyActivation(state, event.data);
    case 'PolicyChanged':
      return { ...state, ...applyChange(state, event.id, event.data) };
    case 'PolicyChangeWithdrawn':
      return { ...state, ...applyChangeWithdrawn(state, event.data) };
    case 'TermWithdrawn': {
      const { termId } = event.data.returned;
      const terms = state.terms.map((term): Term => (term.termId === termId ? { ...term, isWithdrawn: true } : term));
      return { ...state, autoRenew: false, terms };
    }
    case 'BeneficiariesSet':
      return { ...state, beneficiaries: event.data.beneficiaries };
    case 'AutoRenewalSwitched':
      return { ...state, autoRenew: event.data.autoRenew };
    case 'AutoRenewalStopped':
      return { ...state, autoRenew: false };
    case 'PolicyCancelled': {
      const { cancelledAt: at, decidedOn, effectiveAt: day, reason, initiator, refundRule, returned } = event.data;
      const end = { kind: 'cancelled', day, decidedOn, at, reason, initiator, refundRule, returned } as const;
      return applyEnd(state, end);
    }
    case 'PolicyDeclined': {
      const { declinedAt: at, reason, returned } = event.data;
      const day = dayIn(state.contract.timeZone, at);
      const end = { kind: 'declined', day, decidedOn: day, at, reason, initiator: 'admin', returned } as const;
      return applyEnd(state, { ...end, refundRule: 'not_begun' });
    }
    case 'PolicyReinstated':
      // As of an earlier day than a renewal, automatic renewal is as it was before that. The changes that were taken
      // back are recorded again.
      return {
        ...state,
        end: null,
        autoRenew: state.end?.autoRenewBefore ?? event.data.autoRenew,
        lastChanges: changesInForce(state),
      };
    case 'ClaimPaymentBooked': {
      const { claimId, paymentId, termId, coverageName, incidentDate, amount } = event.data;
      return {
        ...state,
        payments: [...state.payments, { claimId, paymentId, termId, coverageName, incidentDate, amount }],
      };
    }
    case 'ClaimPaymentRefused':
      return state;
    case 'ClaimPaymentUnbooked':
      return { ...state, payments: state.payments.filter(({ paymentId }) => paymentId !== event.data.paymentId) };
    default:
      return event satisfies never;
  }
}

const openingContractOf = pickerOf(openingContract);

function firstState(event: RecordedEvent<FirstPolicyEvent>): PolicyState {
  const { data } = event;
  const purchase = event.type === 'PolicyPurchased' ? event.data : undefined;
  return {
    ...policyIds(data),
    contract: {
      ...openingContractOf(data),
      isImported: purchase === undefined,
      tierName: purchase?.tierName ?? null,
      boughtOn: purchase?.boughtOn ?? null,
      cancellation: purchase?.cancellation ?? NO_CANCELLATION_RULES,
    },
    beneficiaries: purchase?.beneficiaries ?? [],
    status: data.status,
    waits: purchase?.waits ?? false,
    autoRenew: data.autoRenew,
    terms: [termOf(event)],
    changedOn: null,
    lastChanges: [],
    end: null,
    payments: [],
  };
}

/** The folds of a command and of several read models share an event, so that its id is hashed once. */
const termIds = new WeakMap<RecordedEvent<EventWithTerm>, string>();

/** Returns the id of the term that an event agrees. */
export function agreedTermId(event: RecordedEvent<EventWithTerm>): string {
  const termId = termIds.get(event) ?? termIdOf(event.data.policyId, event.id);
  termIds.set(event, termId);
  return termId;
}

function termOf(event: RecordedEvent<EventWithTerm>): Term {
  return newTerm(event.data.term, agreedTermId(event));
}

/**
 * Lets a term have the coverages of another one where they are equal, as after most renewals, so that they take memory
 * once.
 */
function sharingCoverages(term: Term, other: Term | undefined): Term {
  const known = other === undefined ? [] : lastPeriod(other).coverages;
  const text = JSON.stringify(known);
  const periods = term.periods.map((period) =>
    JSON.stringify(period.coverages) === text ? { ...period, coverages: known } : period,
  );
  return { ...term, periods };
}

function termsWith({ terms }: PolicyState, event: RecordedEvent<EventWithTerm>): readonly Term[] {
  const added = sharingCoverages(termOf(event), terms.at(-1));
  const earlier = terms.findLastIndex(({ from }) => from <= added.from);
  return terms.toSpliced(earlier + 1, 0, added);
}

type DataOf<Type extends PolicyEvent['type']> = Extract<PolicyEvent, { readonly type: Type }>['data'];

function applyActivation(
  state: PolicyState,
  { cause, status, movedTerm: moved }: DataOf<'PolicyActivated'>,
): PolicyState {
  const terms = state.terms.map((term) => (term.termId === moved?.termId ? moveTerm(term, moved) : term));
  return { ...state, status, terms, waits: cause === 'back_office' ? false : state.waits };
}

function applyEnd(state: PolicyState, end: Omit<End, 'autoRenewBefore'>): PolicyState {
  return { ...state, autoRenew: false, end: { ...end, autoRenewBefore: state.autoRenew } };
}

export const policy: Aggregate<PolicyState, PolicyEvent> = {
  category: 'policy',
  events: POLICY_EVENTS,
  evolve: evolvePolicy,
};
