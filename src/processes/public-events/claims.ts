import { z } from 'zod';
import { CLAIM_STATUSES, STAGES, statusOf } from '../../domain/claim/stages.ts';
import type { ClaimEvent, ClaimMove, ClaimSettlementImported } from '../../domain/claim/claim-events.ts';
import { stageAfter } from '../../domain/claim/claim.ts';
import { day } from '../../event-sourcing/time.ts';
import type { EventOf, RecordedEvent } from '../../event-sourcing/event.ts';
import { modeOf } from '../../domain/values/mode.ts';
import { definePublicEvent, publicEvent, type PublicEvent, type Translations } from './definition.ts';
import { amount, fields } from './fields.ts';

const ids = {
  effective_at: fields.effectiveAt,
  claim_id: fields.claimId,
  policy_id: fields.policyId,
  tenant_id: fields.tenantId,
  environment_id: fields.environmentId,
  customer_id: fields.customerId,
};

const state = {
  claim_status: z.enum(CLAIM_STATUSES),
  stage: z.enum(STAGES).describe('Stage of the claim, more detailed than its status.'),
};

export const ClaimFiledPublic = definePublicEvent('claims', 'surety.claim.filed.v1', 'A claim was filed.', {
  ...ids,
  ...state,
  claim_reference_number: z.string(),
  claim_date: day.describe('The day on which the claim was filed.'),
  incident_date: day,
  claim_amount: amount('The amount claimed, in the currency of the policy.').nullable(),
  imported: z.boolean().describe('Whether the claim was imported from another book.'),
});

export const ClaimMovedPublic = definePublicEvent(
  'claims',
  'surety.claim.moved.v1',
  'A claim has moved to another stage. Paid and denied are final.',
  {
    ...ids,
    ...state,
    amount: amount(
      'The amount approved, offered or paid with this move, in the currency of the policy; null when the move has none.',
    ).nullable(),
  },
);

export const CLAIM_EVENTS = [ClaimFiledPublic, ClaimMovedPublic];

const idsOf = (data: ClaimEvent['data']) => ({
  effective_at: data.effectiveAt,
  claim_id: data.claimId,
  policy_id: data.policyId,
  tenant_id: data.merchantId,
  environment_id: data.environmentId,
  customer_id: data.customerId,
});

type Filing = Extract<ClaimEvent, { type: 'ClaimSubmitted' | 'ClaimImported' }>;

function filed(event: RecordedEvent<Filing>, imported: boolean): PublicEvent {
  const { data } = event;
  return publicEvent(ClaimFiledPublic, data.claimId, modeOf(data.testMode), {
    ...idsOf(data),
    stage: 'submitted',
    claim_status: statusOf('submitted'),
    claim_reference_number: data.reference,
    claim_date: data.filedOn,
    incident_date: data.incidentDate,
    claim_amount: data.amount,
    imported,
  });
}

function moved(event: RecordedEvent<ClaimMove>, amountMoved: string | null): PublicEvent {
  const { data } = event;
  const stage = stageAfter(event);
  return publicEvent(ClaimMovedPublic, data.claimId, modeOf(data.testMode), {
    ...idsOf(data),
    claim_status: statusOf(stage),
    stage,
    amount: amountMoved,
  });
}

/** Returns the amount that an ordinary move to the stage would have. */
function importedAmountOf(settlement: EventOf<typeof ClaimSettlementImported>['data']): string | null {
  switch (settlement.stage) {
    case 'approved':
      return settlement.approvedAmount;
    case 'offer sent':
      return settlement.offerAmount;
    case 'paid':
      return settlement.paidAmount;
    default:
      return null;
  }
}

export const claimTranslations: Translations<ClaimEvent> = {
  ClaimSubmitted: (event) => filed(event, false),
  ClaimImported: (event) => filed(event, true),
  ClaimSettlementImported: (event) => moved(event, importedAmountOf(event.data)),
  ClaimReviewStarted: (event) => moved(event, null),
  ClaimSentForApproval: (event) => moved(event, null),
  ClaimApproved: (event) => moved(event, event.data.approvedAmount),
  ClaimOfferSent: (event) => moved(event, event.data.offerAmount),
  ClaimOfferAccepted: (event) => moved(event, null),
  ClaimOfferRejected: (event) => moved(event, null),
  ClaimPaid: (event) => moved(event, event.data.paidAmount),
  ClaimDenied: (event) => moved(event, null),
  ClaimDocumentsAdded: undefined,
};
