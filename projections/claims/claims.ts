import { idOf } from '../../src/event-sourcing/aggregate.ts';
import type { ClaimEvent } from '../../src/domain/claim/claim.ts';
import { type ClaimView, claimView } from '../../src/domain/claim/claim-view.ts';
import type { Recorded } from '../../src/event-sourcing/event.ts';
import { normalised } from '../../src/event-sourcing/identifiers.ts';
import { defineProjection, existing } from '../projection.ts';
import type { Viewed } from '../view-text.ts';

export type ClaimDocument = Viewed<
  ClaimView,
  {
    /** Tenant id. */
    readonly merchant_id: string;
    readonly environment_id: number;
    readonly test_mode: boolean;
  }
>;

/** The claims, by id. References are found as they are reserved: `normalised`. */
export const claims = defineProjection<ClaimDocument>({
  name: 'claims',
  version: 1,
  categories: ['claim'],
  indexNames: ['merchant', 'test_mode', 'environment', 'reference'],
  key: ({ stream }) => idOf(stream),
  fold: (document, event) => fold(document, event as Recorded<ClaimEvent>),
  indexes: ({ view, extra }) => ({
    merchant: extra.merchant_id,
    test_mode: extra.test_mode,
    environment: extra.environment_id,
    reference: normalised(view.claim_reference_number),
  }),
});

function fold(document: ClaimDocument | undefined, event: Recorded<ClaimEvent>): ClaimDocument {
  if (event.type !== 'ClaimSubmitted' && event.type !== 'ClaimImported') {
    const { view, extra } = existing(document, event);
    return { view: claimView(view, event), extra };
  }
  const { merchantId, environmentId, testMode } = event.data;
  return {
    view: claimView(undefined, event),
    extra: {
      merchant_id: merchantId,
      environment_id: environmentId,
      test_mode: testMode,
    },
  };
}
