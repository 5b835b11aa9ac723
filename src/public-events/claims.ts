import { z } from 'zod';
import { CLAIM_STATUSES, STAGES, type Stage, statusOf } from '#domain/claim/stages.ts';
import {
  ClaimDocumentsAdded,
  type ClaimEvent,
  type ClaimFiling,
  ClaimPaid,
  ClaimPaymentReversed,
  ClaimRevised,
  ClaimSubmitted,
} from '#domain/claim/claim-events.ts';
import { actorSchema, type Metadata } from '#event-sourcing/event.ts';
import { day } from '#event-sourcing/time.ts';
import { modeOf } from '#domain/values/mode.ts';
import { storedMoney } from '#domain/values/money.ts';
import { fields, publicEventsWith, type PublicEvent, type PublicEventsOf } from './definition.ts';

const ids = {
  effective_at: fields.effectiveAt,
  claim_id: fields.claimId,
  policy_id: fields.policyId,
  tenant_id: fields.tenantId,
  environment_id: fields.environmentId,
  customer_id: fields.customerId,
  currency: fields.currency,
};

const state = {
  claim_status: z.enum(CLAIM_STATUSES).describe('Status of the claim.'),
  stage: z.enum(STAGES).describe('Stage of the claim, more detailed than its status.'),
};

const coverageName = z.string().nullable().describe('Coverage under which it is claimed; null until it is known.');
const incidentDate = day.describe('The day of the incident.');
const claimAmount = storedMoney.describe('The amount claimed.').nullable();
const { paymentId, amount, outstanding } = ClaimPaymentReversed.schema.shape;
const payment = { payment_id: paymentId, amount };
const paid = ClaimPaid.schema.shape;

const by = z
  .strictObject({
    role: actorSchema.shape.role.describe('Role of the key; system: Surety itself.'),
    key_id: z.string().nullable().describe('Id of the key of a merchant; else null.'),
  })
  .describe('Who did it.');

const actorOf = ({ actor }: Metadata) => ({
  role: actor.role,
  key_id: actor.role === 'merchant' ? actor.keyId : null,
});

const publicEvent = publicEventsWith(ids, (data: ClaimEvent['data']) => ({
  effective_at: data.effectiveAt,
  claim_id: data.claimId,
  policy_id: data.policyId,
  tenant_id: data.merchantId,
  environment_id: data.environmentId,
  customer_id: data.customerId,
  currency: data.currency,
}));

const stateOf = (stage: Stage) => ({ claim_status: statusOf(stage), stage });

const filed = <E extends ClaimFiling>(imported: boolean): PublicEvent<E> =>
  publicEvent(
    'surety.claim.filed.v1',
    ClaimSubmitted.description,
    {
      ...state,
      claim_reference_number: z.string().describe('The number of the claim.'),
      policy_number: fields.policyNumber,
      claim_date: day.describe('The day on which the claim was filed.'),
      incident_date: incidentDate,
      claim_amount: claimAmount,
      coverage_name: coverageName,
      imported: z.boolean().describe('Whether the claim was imported from another book.'),
    },
    ({ data }) => ({
      ...stateOf('submitted'),
      claim_reference_number: data.reference,
      policy_number: data.policyNumber,
      claim_date: data.filedOn,
      incident_date: data.details.incidentDate,
      claim_amount: data.details.amount,
      coverage_name: data.coverage?.name ?? null,
      imported,
    }),
  );

type Move = Exclude<ClaimEvent, ClaimFiling>;

const moved = <E extends Move>(
  stageOf: (data: E['data']) => Stage,
  amountOf: (data: E['data']) => string | null = () => null,
): PublicEvent<E> =>
  publicEvent(
    'surety.claim.moved.v1',
    'A claim has moved to another stage. Payments have `surety.claim.paid.v1` instead, except those of imported claims.',
    {
      ...state,
      amount: storedMoney.describe('The amount approved, offered or paid with this move, if any.').nullable(),
    },
    ({ data }) => ({ ...stateOf(stageOf(data)), amount: amountOf(data) }),
  );

export const claims: PublicEventsOf<ClaimEvent> = {
  subject: 'claims',
  aggregateIdOf: ({ claimId }) => claimId,
  visibilityOf: ({ testMode }) => modeOf(testMode),
  events: {
    ClaimSubmitted: filed(false),
    ClaimImported: filed(true),
    ClaimSettlementImported: moved(
      ({ stage }) => stage,
      ({ stage, payment: made, offerAmount, approvedAmount }) => {
        if (stage === 'paid') return made?.amount ?? null;
        return stage === 'offer sent' || stage === 'offer accepted' ? offerAmount : approvedAmount;
      },
    ),
    ClaimReviewStarted: moved(() => 'under review'),
    ClaimSentForApproval: moved(() => 'pending approval'),
    ClaimApproved: moved(
      ({ isPaid }) => (isPaid ? 'paid' : 'approved'),
      ({ approvedAmount }) => approvedAmount,
    ),
    ClaimOfferSent: moved(
      () => 'offer sent',
      ({ offerAmount }) => offerAmount,
    ),
    ClaimOfferAccepted: moved(() => 'offer accepted'),
    ClaimOfferRejected: moved(() => 'offer rejected'),
    ClaimPaid: publicEvent(
      'surety.claim.paid.v1',
      ClaimPaid.description,
      {
        payment: z
          .strictObject({ ...payment, paid_on: day.describe('The day of the payment.') })
          .nullable()
          .describe('Null where the claim was closed without another payment.'),
        is_final: paid.isFinal,
        outstanding,
      },
      ({ data }) => ({
        payment: data.payment && {
          payment_id: data.payment.paymentId,
          amount: data.payment.amount,
          paid_on: data.payment.paidOn,
        },
        is_final: data.isFinal,
        outstanding: data.outstanding,
      }),
    ),
    ClaimPaymentReversed: publicEvent(
      'surety.claim.payment_reversed.v1',
      ClaimPaymentReversed.description,
      { ...state, ...payment, outstanding },
      ({ data }) => ({
        ...stateOf(data.stage),
        payment_id: data.paymentId,
        amount: data.amount,
        outstanding: data.outstanding,
      }),
    ),
    ClaimDenied: moved(() => 'denied'),
    ClaimWithdrawn: moved(() => 'withdrawn'),
    ClaimReopened: moved(() => 'under review'),
    ClaimRevised: publicEvent(
      'surety.claim.revised.v1',
      ClaimRevised.description,
      {
        incident_date: incidentDate,
        claim_amount: claimAmount,
        coverage_name: coverageName,
        is_reviewed_again: ClaimRevised.schema.shape.isReviewedAgain,
      },
      ({ data }) => ({
        incident_date: data.details.incidentDate,
        claim_amount: data.details.amount,
        coverage_name: data.coverage?.name ?? null,
        is_reviewed_again: data.isReviewedAgain,
      }),
    ),
    ClaimNoteAdded: publicEvent(
      'surety.claim.note_added.v1',
      'A note was added to a claim; its text is read over the API.',
      { by },
      ({ metadata }) => ({ by: actorOf(metadata) }),
    ),
    ClaimDocumentsAdded: publicEvent(
      'surety.claim.documents_added.v1',
      'Documents were added to a claim; they are downloaded over the API.',
      {
        documents: z
          .array(ClaimDocumentsAdded.schema.shape.documents.element.pick({ sha256: true }).strict())
          .describe('The documents that were added.'),
        by,
      },
      ({ data, metadata }) => ({
        documents: data.documents.map(({ sha256 }) => ({ sha256 })),
        by: actorOf(metadata),
      }),
    ),
  },
};
