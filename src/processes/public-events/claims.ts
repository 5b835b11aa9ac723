import { z } from 'zod';
import { CLAIM_STATUSES, STAGES, statusOf } from '../../domain/claim/stages.ts';
import type { ClaimEvent, ClaimMove, ClaimSettlementImported } from '../../domain/claim/claim-events.ts';
import { stageAfter } from '../../domain/claim/claim.ts';
import { day } from '../../event-sourcing/time.ts';
import type { EventOf } from '../../event-sourcing/event.ts';
import { modeOf } from '../../domain/values/mode.ts';
import { amount, fields, publicEvent, type PublicEvent, type PublicEventsOf } from './definition.ts';

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

const idsOf = (data: ClaimEvent['data']) => ({
  effective_at: data.effectiveAt,
  claim_id: data.claimId,
  policy_id: data.policyId,
  tenant_id: data.merchantId,
  environment_id: data.environmentId,
  customer_id: data.customerId,
});

const filed = <E extends Extract<ClaimEvent, { type: 'ClaimSubmitted' | 'ClaimImported' }>>(
  imported: boolean,
): PublicEvent<E> =>
  publicEvent(
    'surety.claim.filed.v1',
    'A claim was filed.',
    {
      ...ids,
      ...state,
      claim_reference_number: z.string(),
      claim_date: day.describe('The day on which the claim was filed.'),
      incident_date: day,
      claim_amount: amount('The amount claimed, in the currency of the policy.').nullable(),
      imported: z.boolean().describe('Whether the claim was imported from another book.'),
    },
    ({ data }) => ({
      ...idsOf(data),
      stage: 'submitted' as const,
      claim_status: statusOf('submitted'),
      claim_reference_number: data.reference,
      claim_date: data.filedOn,
      incident_date: data.incidentDate,
      claim_amount: data.amount,
      imported,
    }),
  );

const moved = <E extends ClaimMove>(amountOf: (data: E['data']) => string | null = () => null): PublicEvent<E> =>
  publicEvent(
    'surety.claim.moved.v1',
    'A claim has moved to another stage. Paid and denied are final.',
    {
      ...ids,
      ...state,
      amount: amount(
        'The amount approved, offered or paid with this move, in the currency of the policy; null when the move has none.',
      ).nullable(),
    },
    (event) => {
      const stage = stageAfter(event);
      return { ...idsOf(event.data), claim_status: statusOf(stage), stage, amount: amountOf(event.data) };
    },
  );

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

export const claims: PublicEventsOf<ClaimEvent> = {
  subject: 'claims',
  aggregateIdOf: ({ claimId }) => claimId,
  visibilityOf: ({ testMode }) => modeOf(testMode),
  events: {
    ClaimSubmitted: filed(false),
    ClaimImported: filed(true),
    ClaimSettlementImported: moved(importedAmountOf),
    ClaimReviewStarted: moved(),
    ClaimSentForApproval: moved(),
    ClaimApproved: moved(({ approvedAmount }) => approvedAmount),
    ClaimOfferSent: moved(({ offerAmount }) => offerAmount),
    ClaimOfferAccepted: moved(),
    ClaimOfferRejected: moved(),
    ClaimPaid: moved(({ paidAmount }) => paidAmount),
    ClaimDenied: moved(),
    ClaimDocumentsAdded: undefined,
  },
};
