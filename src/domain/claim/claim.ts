import type { Aggregate } from '#event-sourcing/aggregate.ts';
import type { Day, Instant } from '#event-sourcing/time.ts';
import type { Actor, RecordedEvent } from '#event-sourcing/event.ts';
import { type Tags, merchantTags } from '../tags.ts';
import {
  CLAIM_EVENTS,
  type ClaimCoverage,
  type ClaimEvent,
  type ClaimFiling,
  isFiling,
  type UploadedDocument,
} from './claim-events.ts';
import type { Settlement } from './settlement.ts';
import { isClosed, type Stage, type TimelineName } from './stages.ts';

/** Returns the stream of a claim. */
export const claimStream = (claimId: string): string => `claim-${claimId}`;

/** What every event of a claim carries: the ids by which projections route it, and the currency of its amounts. */
export type ClaimIds = Pick<
  ClaimEvent['data'],
  'claimId' | 'merchantId' | 'environmentId' | 'testMode' | 'customerId' | 'policyId' | 'currency'
>;

/** Picks from the state of a claim, or from the data of its events, what every event has. */
export function claimIds(claim: ClaimIds): ClaimIds {
  const { claimId, merchantId, environmentId, testMode, customerId, policyId, currency } = claim;
  return { claimId, merchantId, environmentId, testMode, customerId, policyId, currency };
}

/** Returns the tags of the events of a claim. */
export function claimTags({ merchantId, testMode, customerId, policyId }: Omit<ClaimIds, 'currency'>): Tags {
  return { ...merchantTags({ merchantId, testMode }), customer: customerId, policy: policyId };
}

/** A payment, or the reversal of one, that the policy has not booked yet. */
export type PendingPayment =
  | ({ readonly kind: 'payment' } & Pick<
      DataOf<'ClaimPaymentStarted'>,
      'payment' | 'coverageName' | 'incidentDate' | 'isFinal'
    >)
  | ({ readonly kind: 'reversal' } & Pick<
      DataOf<'ClaimPaymentReversalStarted'>,
      'paymentId' | 'reason' | 'effectiveAt'
    >);

type DataOf<Type extends ClaimEvent['type']> = Extract<ClaimEvent, { readonly type: Type }>['data'];

interface TimelineEntry {
  /** Null of imported entries, which have a day alone. */
  readonly at: Instant | null;
  readonly day: Day;
  readonly name: TimelineName;
}

/** Who wrote a note; the name of a person is looked up when it is shown. */
export type NoteAuthor = Pick<Actor, 'role' | 'personId' | 'label'>;

interface NoteEntry {
  readonly at: Instant;
  readonly by: NoteAuthor;
  readonly text: string;
}

/** A claim. Commands, views, transactions and the book fold it by `evolveClaim`. */
export interface ClaimState
  extends ClaimIds,
    Settlement,
    Pick<
      ClaimFiling['data'],
      'merchantShortCode' | 'policyNumber' | 'reference' | 'filedOn' | 'claimant' | 'insurer' | 'product' | 'timeZone'
    > {
  readonly details: ClaimFiling['data']['details'];
  readonly claimantMetadata: Readonly<Record<string, string>> | null;
  readonly coverage: ClaimCoverage | null;
  /** Id of the person or key who works it. */
  readonly assignee: string | null;
  /** The claim takes nothing but its end. */
  readonly pending: PendingPayment | null;
  /** Day of the last payment of a paid claim, of the denial or of the withdrawal; null while it is open. */
  readonly resolvedOn: Day | null;
  readonly documents: readonly UploadedDocument[];
  readonly timeline: readonly TimelineEntry[];
  /** Notes and reasons, one a line. */
  readonly notes: string | null;
  readonly noteEntries: readonly NoteEntry[];
}

/** Returns the claim after an event. */
export function evolveClaim(state: ClaimState | undefined, event: RecordedEvent<ClaimEvent>): ClaimState {
  if (isFiling(event)) return filed(event);
  if (state === undefined) throw new Error(`${event.type} in ${event.stream} before the claim exists`);
  switch (event.type) {
    case 'ClaimSettlementImported': {
      const { stage, approvedAmount, offerAmount, payment } = event.data;
      const payments = payment === null ? [] : [{ ...payment, reversedOn: null }];
      const amounts = { approvedAmount, offerAmount, isOfferAccepted: stage === 'offer accepted', payments };
      return moved({ ...state, ...amounts }, event, stage, stage);
    }
    case 'ClaimReviewStarted':
      return moved(withNote(state, event.data.note), event, 'under review');
    case 'ClaimSentForApproval':
      return moved(withNote(state, event.data.note), event, 'pending approval');
    case 'ClaimApproved': {
      const { approvedAmount, coverage, isPaid } = event.data;
      const approved = moved({ ...state, approvedAmount, coverage }, event, 'approved');
      return isPaid ? moved(approved, event, 'paid') : approved;
    }
    case 'ClaimOfferSent':
      return moved({ ...state, offerAmount: event.data.offerAmount }, event, 'offer sent');
    case 'ClaimOfferAccepted':
      return moved({ ...state, isOfferAccepted: true }, event, 'offer accepted');
    case 'ClaimOfferRejected':
      return moved(withNote({ ...state, offerAmount: null }, event.data.reason), event, 'offer rejected');
    case 'ClaimPaymentStarted': {
      const { payment, coverageName, incidentDate, isFinal } = event.data;
      return { ...state, pending: { kind: 'payment', payment, coverageName, incidentDate, isFinal } };
    }
    case 'ClaimPaymentReversalStarted': {
      const { paymentId, reason, effectiveAt } = event.data;
      return { ...state, pending: { kind: 'reversal', paymentId, reason, effectiveAt } };
    }
    case 'ClaimPaymentRejected':
      return { ...state, pending: null };
    case 'ClaimPaid': {
      const { payment, isFinal } = event.data;
      const payments = payment === null ? state.payments : [...state.payments, { ...payment, reversedOn: null }];
      const after = { ...state, payments, pending: null };
      return isFinal ? moved(after, event, 'paid') : withTimeline(after, event, 'part paid');
    }
    case 'ClaimPaymentReversed':
      return reversed(state, event);
    case 'ClaimDenied':
      return moved(withNote(state, event.data.reason), event, 'denied');
    case 'ClaimWithdrawn':
      return moved(withNote(state, event.data.reason), event, 'withdrawn');
    case 'ClaimReopened':
      return moved(withNote(withoutApproval(state), event.data.reason), event, 'under review', 'reopened');
    case 'ClaimRevised': {
      const { details, coverage, reason, isReviewedAgain } = event.data;
      const after = withNote({ ...state, details, coverage }, reason);
      return isReviewedAgain ? moved(withoutApproval(after), event, 'under review') : after;
    }
    case 'ClaimNoteAdded': {
      const { actor, recordedAt: at } = event.metadata;
      const { role, personId, label } = actor;
      const by = { role, ...(personId !== undefined && { personId }), ...(label !== undefined && { label }) };
      const entry = { at, by, text: event.data.text };
      return withNote({ ...state, noteEntries: [...state.noteEntries, entry] }, entry.text);
    }
    case 'ClaimDocumentsAdded':
      return { ...state, documents: [...state.documents, ...event.data.documents] };
    case 'ClaimAssigned':
      return { ...state, assignee: event.data.assignee };
    default:
      return event satisfies never;
  }
}

function filed(event: RecordedEvent<ClaimFiling>): ClaimState {
  const { data } = event;
  const submission = event.type === 'ClaimSubmitted' ? event.data : undefined;
  const state: ClaimState = {
    ...claimIds(data),
    merchantShortCode: data.merchantShortCode,
    policyNumber: data.policyNumber,
    reference: data.reference,
    filedOn: data.filedOn,
    claimant: data.claimant,
    details: data.details,
    claimantMetadata: submission?.claimantMetadata ?? null,
    coverage: data.coverage,
    insurer: data.insurer,
    product: data.product,
    timeZone: data.timeZone,
    stage: 'submitted',
    approvedAmount: null,
    offerAmount: null,
    isOfferAccepted: false,
    payments: [],
    assignee: null,
    pending: null,
    resolvedOn: null,
    documents: submission?.documents ?? [],
    timeline: [],
    notes: null,
    noteEntries: [],
  };
  return withTimeline(state, event, 'submitted');
}

/** @param name the entry of the timeline; by default the stage */
function moved(
  state: ClaimState,
  event: RecordedEvent<ClaimEvent>,
  stage: Stage,
  name: TimelineName = stage,
): ClaimState {
  return withTimeline({ ...state, stage, resolvedOn: resolutionDay(state, event, stage) }, event, name);
}

function resolutionDay({ payments }: ClaimState, event: RecordedEvent<ClaimEvent>, stage: Stage): Day | null {
  if (!isClosed(stage)) return null;
  const days = payments.filter(({ reversedOn }) => reversedOn === null).map(({ paidOn }) => paidOn);
  return stage === 'paid' && days.length > 0 ? days.reduce((a, b) => (a > b ? a : b)) : event.data.effectiveAt;
}

function withTimeline(state: ClaimState, event: RecordedEvent<ClaimEvent>, name: TimelineName): ClaimState {
  const isImported = event.type === 'ClaimImported' || event.type === 'ClaimSettlementImported';
  const entry = { at: isImported ? null : event.metadata.recordedAt, day: event.data.effectiveAt, name };
  return { ...state, timeline: [...state.timeline, entry] };
}

function withNote(state: ClaimState, note: string | null): ClaimState {
  if (note === null) return state;
  return { ...state, notes: state.notes === null ? note : `${state.notes}\n${note}` };
}

function withoutApproval(state: ClaimState): ClaimState {
  return { ...state, approvedAmount: null, offerAmount: null, isOfferAccepted: false };
}

function reversed(
  state: ClaimState,
  event: RecordedEvent<Extract<ClaimEvent, { readonly type: 'ClaimPaymentReversed' }>>,
): ClaimState {
  const { paymentId, reason, effectiveAt, stage } = event.data;
  const payments = state.payments.map((one) =>
    one.paymentId === paymentId ? { ...one, reversedOn: effectiveAt } : one,
  );
  return moved(withNote({ ...state, payments, pending: null }, reason), event, stage, 'payment reversed');
}

export const claim: Aggregate<ClaimState, ClaimEvent> = {
  category: 'claim',
  events: CLAIM_EVENTS,
  evolve: evolveClaim,
};
