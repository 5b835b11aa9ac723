import { idOf } from '../../src/event-sourcing/aggregate.ts';
import type { ClaimEvent } from '../../src/domain/claim/claim-events.ts';
import type { RecordedEvent } from '../../src/event-sourcing/event.ts';
import { normalise } from '../../src/event-sourcing/identifiers.ts';
import { ownedValue, ownerOf } from '../owner.ts';
import { defineProjection } from '../projection.ts';
import { type ClaimDocument, foldClaim } from './claim-document.ts';

/**
 * Claims by id. The index `reference` holds the normalised reference number, as its reservation does; `open_customer` the customer
 * of an open claim.
 */
export const claims = defineProjection<ClaimDocument>({
  name: 'claims',
  version: 7,
  categories: ['claim'],
  indexNames: ['owner', 'owner_status', 'environment', 'reference', 'policy', 'customer', 'open_customer'],
  countedBy: ['customer'],
  key: ({ stream }) => idOf(stream),
  fold: (document, event) => foldClaim(document, event as RecordedEvent<ClaimEvent>),
  indexes: ({ view, extra }) => ({
    owner: ownerOf(extra),
    owner_status: ownedValue(ownerOf(extra), view.claim_status),
    environment: extra.environment_id,
    reference: normalise(view.claim_reference_number),
    policy: view.policy,
    customer: view.claimant.customer_id,
    open_customer: extra.date_resolved === null ? view.claimant.customer_id : null,
  }),
});
