import type { ClaimStatus, Stage } from '../../src/domain/claim/stages.ts';
import type { Day, Moment } from '../../src/event-sourcing/time.ts';

/** A document of a claim without its content. The content is in records under `sha256`; single resources have `blob` instead. */
export interface DocumentEntry {
  readonly document_name: string;
  readonly evidence_type: string | null;
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
  /** Null where not known; `offer_amount` is the open or accepted offer. */
  readonly settlement: {
    readonly approved_amount: string | null;
    readonly offer_amount: string | null;
    readonly paid_amount: string | null;
  };
  readonly insurer: string;
  readonly product: { readonly name: string; readonly product_type: string };
  /** The policy's id. */
  readonly policy: string;
  readonly claim_status_timeline: readonly { readonly time_stamp: string; readonly name: Stage }[];
  /** Notes of the moves and reasons of rejections and of a denial, oldest first, one per line. */
  readonly notes: string | null;
  readonly documents: readonly DocumentEntry[];
}
