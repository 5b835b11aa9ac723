import { type ClaimEvent, type ClaimStatus, type Stage, stageAfter, statusOf } from '../../src/domain/claim/claim.ts';
import type { Day, Moment } from '../../src/event-sourcing/time.ts';
import { localTime, startOfDay, UTC } from '../../src/domain/values/dates.ts';
import type { RecordedEvent } from '../../src/event-sourcing/event.ts';

/** A document of a claim without its content. The content is in records under `sha256`; single resources have `blob` instead. */
export interface DocumentEntry {
  readonly document_name: string;
  readonly evidence_type: string;
  readonly sha256: string;
  readonly uploaded_at: Moment;
}

/** The resource of a claim. */
export interface ClaimResource {
  readonly claim_id: string;
  readonly claim_reference_number: string;
  readonly claim_status: ClaimStatus;
  /** The day it was filed. */
  readonly claim_date: Day;
  readonly claimant: {
    readonly customer_id: string;
    readonly customer_name: string;
    readonly customer_email: string;
    readonly customer_phone: string | null;
  };
  readonly claim_amount: string | null;
  readonly insurer: string;
  readonly product: { readonly name: string; readonly product_type: string };
  /** The policy's id. */
  readonly policy: string;
  readonly claim_status_timeline: readonly { readonly time_stamp: string; readonly name: Stage }[];
  /** Notes of the moves and the reason of a denial, oldest first, one per line. */
  readonly notes: string | null;
  readonly documents: readonly DocumentEntry[];
}

/**
 * Folds an event into the resource of its claim. Commands and the projection use the same fold, so that answers to POST and GET
 * agree.
 * @throws {Error} when an event comes before the claim exists
 */
export function foldClaimResource(
  resource: ClaimResource | undefined,
  event: RecordedEvent<ClaimEvent>,
): ClaimResource {
  if (event.type === 'ClaimSubmitted' || event.type === 'ClaimImported') return newResource(event);
  if (resource === undefined) throw new Error(`${event.type} in ${event.stream} before the claim exists`);
  const stage = stageAfter(event);
  return {
    ...resource,
    claim_status: statusOf(stage),
    claim_status_timeline: [
      ...resource.claim_status_timeline,
      { time_stamp: localTime(timeOf(event), UTC), name: stage },
    ],
    notes: joinNotes(resource.notes, noteOf(event)),
  };
}

function newResource(
  event: RecordedEvent<Extract<ClaimEvent, { type: 'ClaimSubmitted' | 'ClaimImported' }>>,
): ClaimResource {
  const { data } = event;
  const documents = event.type === 'ClaimSubmitted' ? event.data.documents : [];
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
    insurer: data.insurer,
    product: { name: data.product.name, product_type: data.product.type },
    policy: data.policyId,
    claim_status_timeline: [{ time_stamp: localTime(timeOf(event), UTC), name: 'submitted' }],
    notes: null,
    documents: documents.map(({ name, evidenceType, sha256, uploadedAt }) => ({
      document_name: name,
      evidence_type: evidenceType,
      sha256,
      uploaded_at: uploadedAt,
    })),
  };
}

/** Imported events have only a business day, no time. */
function timeOf(event: RecordedEvent<ClaimEvent>): Moment {
  const imported = event.type === 'ClaimImported' || event.type === 'ClaimSettlementImported';
  return imported ? startOfDay(event.data.effectiveAt, UTC) : event.metadata.recordedAt;
}

function noteOf(event: RecordedEvent<ClaimEvent>): string | null {
  switch (event.type) {
    case 'ClaimReviewStarted':
    case 'ClaimSentForApproval':
      return event.data.note;
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
