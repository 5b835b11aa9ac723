import { idOf } from '../../src/domain/aggregate.ts';
import type { ClaimEvent } from '../../src/domain/claim.ts';
import { type ClaimView, claimView, resolutionDay } from '../../src/domain/claim-view.ts';
import type { Day } from '../../src/domain/dates.ts';
import type { Recorded } from '../../src/domain/event.ts';
import { defineProjection, existing } from '../projection.ts';
import type { Viewed } from '../view-text.ts';

export type ClaimDocument = Viewed<
  ClaimView,
  {
    /** Tenant id. */
    readonly merchant_id: string;
    readonly environment_id: number;
    readonly test_mode: boolean;
    readonly customer_id: string;
    readonly date_resolved: Day | null;
  }
>;

/** The claims, by id. */
export const claims = defineProjection<ClaimDocument>({
  name: 'claims',
  version: 1,
  categories: ['claim'],
  indexNames: ['merchant', 'test_mode', 'customer', 'policy', 'reference', 'environment'],
  key: ({ stream }) => idOf(stream),
  fold: (document, event) => fold(document, event as Recorded<ClaimEvent>),
  indexes: ({ view, extra }) => ({
    merchant: extra.merchant_id,
    test_mode: extra.test_mode,
    customer: extra.customer_id,
    policy: view.policy,
    reference: view.claim_reference_number,
    environment: extra.environment_id,
  }),
});

function fold(document: ClaimDocument | undefined, event: Recorded<ClaimEvent>): ClaimDocument {
  if (event.type !== 'ClaimSubmitted.v1' && event.type !== 'ClaimImported.v1') {
    const { view, extra } = existing(document, event);
    return { view: claimView(view, event), extra: { ...extra, date_resolved: resolutionDay(event) } };
  }
  const { merchantId, environmentId, testMode, customerId } = event.data;
  return {
    view: claimView(undefined, event),
    extra: {
      merchant_id: merchantId,
      environment_id: environmentId,
      test_mode: testMode,
      customer_id: customerId,
      date_resolved: null,
    },
  };
}

/** An item of a customer's claims (specification, Customer claim list item). */
export interface CustomerClaim {
  readonly claim_id: string;
  readonly policy_id: string;
  readonly claim_status: string;
  readonly claim_amount: string | null;
  readonly date_filed: Day;
  readonly date_resolved: Day | null;
}

/** The claim as it stands in its customer's list. */
export function customerClaim({ view, extra }: ClaimDocument): CustomerClaim {
  return {
    claim_id: view.claim_id,
    policy_id: view.policy,
    claim_status: view.claim_status,
    claim_amount: view.claim_amount,
    date_filed: view.claim_date,
    date_resolved: extra.date_resolved,
  };
}
