import { ownedValue, ownerOf } from '../owner.ts';
import { defineProjection, requireDocument } from '../projection.ts';
import type { ResourceDocument } from '../schema.ts';
import type { ClaimEvent, StoredClaimDocument } from '../../src/domain/claim/claim-events.ts';
import { resolutionDay, stageAfter } from '../../src/domain/claim/claim.ts';
import { NO_SETTLEMENT, paidAmountOf, type Settlement, settlementAfter } from '../../src/domain/claim/settlement.ts';
import { statusOf } from '../../src/domain/claim/stages.ts';
import { localTime, type TimeZone } from '../../src/domain/values/dates.ts';
import type { RecordedEvent } from '../../src/event-sourcing/event.ts';
import { normalise } from '../../src/event-sourcing/identifiers.ts';
import type { Day } from '../../src/event-sourcing/time.ts';
import type { ClaimResource, DocumentEntry } from './claim-resource.ts';

/**
 * Claims by id. The index `reference` holds the normalised reference number, as its reservation does; `open_customer` the customer
 * of an open claim.
 */
export const claims = defineProjection<ClaimDocument>({
  name: 'claims',
  version: 1,
  categories: ['claim'],
  indexNames: ['owner', 'owner_status', 'environment', 'reference', 'policy', 'customer', 'open_customer'],
  countedBy: ['customer'],
  fold: (document, event) => foldClaim(document, event as RecordedEvent<ClaimEvent>),
  indexes: ({ view, extra }) => ({
    owner: ownerOfClaim({ view, extra }),
    owner_status: ownedValue(ownerOfClaim({ view, extra }), view.claim_status),
    environment: view.environment_id,
    reference: normalise(view.claim_reference_number),
    policy: view.policy,
    customer: view.claimant.customer_id,
    open_customer: extra.date_resolved === null ? view.claimant.customer_id : null,
  }),
});

function ownerOfClaim({ view, extra }: ClaimDocument): string {
  return ownerOf({ merchant_id: extra.merchant_id, test_mode: view.test_mode });
}

/** A claim as it is stored: the resource, and what readers need besides it. */
export type ClaimDocument = ResourceDocument<ClaimResource, ClaimExtra>;

interface ClaimExtra {
  /** Tenant id. */
  readonly merchant_id: string;
  /** The day on which it was paid or denied; null while it is open. */
  readonly date_resolved: Day | null;
  /** Null until the claim is paid. */
  readonly payment: ClaimPayment | null;
}

/** It has no position in the log, because a move between stores changes positions and must not change documents. */
export interface ClaimPayment {
  readonly event_id: string;
  /** The paid amount, else the accepted offer, else the approved amount, else the claimed amount. */
  readonly amount: string | null;
  readonly date: Day;
}

/**
 * Folds an event into the document of its claim. Commands and the projection use the same fold, so that responses to POST and GET
 * agree.
 * @throws {FoldError} when an event comes before the claim exists
 */
export function foldClaim(document: ClaimDocument | undefined, event: RecordedEvent<ClaimEvent>): ClaimDocument {
  if (event.type === 'ClaimSubmitted' || event.type === 'ClaimImported') return newDocument(event);
  const { view, extra } = requireDocument(document, event);
  if (event.type === 'ClaimDocumentsAdded') {
    return { view: { ...view, documents: [...view.documents, ...event.data.documents.map(toEntry)] }, extra };
  }
  const stage = stageAfter(event);
  const moved: ClaimResource = {
    ...view,
    claim_status: statusOf(stage),
    settlement: toResource(settlementAfter(settlementOf(view), event)),
    claim_status_timeline: [
      ...view.claim_status_timeline,
      { time_stamp: timeStampOf(event, view.time_zone), name: stage },
    ],
    notes: joinNotes(view.notes, noteOf(event)),
  };
  return {
    view: moved,
    extra: {
      ...extra,
      date_resolved: resolutionDay(event),
      payment: stage === 'paid' ? paymentOf(moved, event) : null,
    },
  };
}

type Filing = RecordedEvent<Extract<ClaimEvent, { type: 'ClaimSubmitted' | 'ClaimImported' }>>;

function newDocument(event: Filing): ClaimDocument {
  const { merchantId } = event.data;
  return { view: newResource(event), extra: { merchant_id: merchantId, date_resolved: null, payment: null } };
}

function newResource(event: Filing): ClaimResource {
  const { data } = event;
  return {
    claim_id: data.claimId,
    claim_reference_number: data.reference,
    claim_status: statusOf('submitted'),
    claim_date: data.filedOn,
    claimant: {
      customer_id: data.customerId,
      customer_name: data.claimant.name,
      customer_email: data.claimant.email,
      customer_phone: data.claimant.phone,
    },
    claim_amount: data.amount,
    settlement: toResource(NO_SETTLEMENT),
    insurer: data.insurer,
    product: { name: data.product.name, product_type: data.product.type },
    policy: data.policyId,
    merchant_short_code: data.merchantShortCode,
    environment_id: data.environmentId,
    test_mode: data.testMode,
    time_zone: data.timeZone,
    claim_status_timeline: [{ time_stamp: timeStampOf(event, data.timeZone), name: 'submitted' }],
    notes: null,
    documents: event.type === 'ClaimSubmitted' ? event.data.documents.map(toEntry) : [],
  };
}

function toEntry({ name, evidenceType, sha256, uploadedAt }: StoredClaimDocument): DocumentEntry {
  return { document_name: name, evidence_type: evidenceType, sha256, uploaded_at: uploadedAt };
}

/** Returns local time. Imported events have only a business day. */
function timeStampOf(event: RecordedEvent<ClaimEvent>, timeZone: TimeZone): string {
  const isImported = event.type === 'ClaimImported' || event.type === 'ClaimSettlementImported';
  return isImported ? `${event.data.effectiveAt} 00:00:00` : localTime(event.metadata.recordedAt, timeZone);
}

function settlementOf({ settlement }: ClaimResource): Settlement {
  const { approved_amount, offer_amount, paid_amount } = settlement;
  return { approvedAmount: approved_amount, offerAmount: offer_amount, paidAmount: paid_amount };
}

function toResource({ approvedAmount, offerAmount, paidAmount }: Settlement): ClaimResource['settlement'] {
  return { approved_amount: approvedAmount, offer_amount: offerAmount, paid_amount: paidAmount };
}

function paymentOf(paid: ClaimResource, { id, data }: RecordedEvent<ClaimEvent>): ClaimPayment {
  const amount = paidAmountOf({ ...settlementOf(paid), claimedAmount: paid.claim_amount });
  return { event_id: id, amount, date: data.effectiveAt };
}

function noteOf(event: RecordedEvent<ClaimEvent>): string | null {
  switch (event.type) {
    case 'ClaimReviewStarted':
    case 'ClaimSentForApproval':
      return event.data.note;
    case 'ClaimOfferRejected':
    case 'ClaimDenied':
      return event.data.reason;
    default:
      return null;
  }
}

function joinNotes(notes: string | null, note: string | null): string | null {
  if (note === null) return notes;
  return notes === null ? note : `${notes}\n${note}`;
}
