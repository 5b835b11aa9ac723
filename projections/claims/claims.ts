import { idOf } from '../../src/event-sourcing/aggregate.ts';
import type { ClaimEvent } from '../../src/domain/claim/claim.ts';
import { type ClaimResource, foldClaimResource } from './claim-resource.ts';
import type { RecordedEvent } from '../../src/event-sourcing/event.ts';
import { normalise } from '../../src/event-sourcing/identifiers.ts';
import { defineProjection, requireDocument } from '../projection.ts';
import type { ResourceDocument } from '../resource-document.ts';

export type ClaimDocument = ResourceDocument<
  ClaimResource,
  {
    /** Tenant id. */
    readonly merchant_id: string;
    readonly environment_id: number;
    readonly test_mode: boolean;
  }
>;

/** Claims by id. The index `reference` holds the normalised reference number, as its reservation does. */
export const claims = defineProjection<ClaimDocument>({
  name: 'claims',
  version: 1,
  categories: ['claim'],
  indexNames: ['merchant', 'test_mode', 'environment', 'reference'],
  key: ({ stream }) => idOf(stream),
  fold: (document, event) => fold(document, event as RecordedEvent<ClaimEvent>),
  indexes: ({ view, extra }) => ({
    merchant: extra.merchant_id,
    test_mode: extra.test_mode,
    environment: extra.environment_id,
    reference: normalise(view.claim_reference_number),
  }),
});

function fold(document: ClaimDocument | undefined, event: RecordedEvent<ClaimEvent>): ClaimDocument {
  if (event.type !== 'ClaimSubmitted' && event.type !== 'ClaimImported') {
    const { view, extra } = requireDocument(document, event);
    return { view: foldClaimResource(view, event), extra };
  }
  const { merchantId, environmentId, testMode } = event.data;
  return {
    view: foldClaimResource(undefined, event),
    extra: {
      merchant_id: merchantId,
      environment_id: environmentId,
      test_mode: testMode,
    },
  };
}
