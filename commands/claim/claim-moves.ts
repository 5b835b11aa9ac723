import { z } from 'zod';
import {
  ClaimApproved,
  type ClaimCoverage,
  ClaimDenied,
  ClaimOfferAccepted,
  ClaimOfferRejected,
  ClaimOfferSent,
  ClaimReopened,
  ClaimReviewStarted,
  ClaimSentForApproval,
  ClaimWithdrawn,
} from '#domain/claim/claim-events.ts';
import { type ClaimState, claimIds } from '#domain/claim/claim.ts';
import { CLAIM_PARTIES } from '#domain/claim/claim-commands.ts';
import { paidOf, payableOf } from '#domain/claim/settlement.ts';
import { normalise } from '#event-sourcing/identifiers.ts';
import { coverageNamed, type IncidentCover, paidUnder, coverOfIncident } from '#domain/policy/claim-payments.ts';
import { type PolicyState, policy, policyStream } from '#domain/policy/policy.ts';
import { canonicalMoney, formatMoney, moneyNotNegativeInput, parseMoney, parseSum } from '#domain/values/money.ts';
import { larger } from '#domain/values/price.ts';
import { wrongField } from '#domain/refusals.ts';
import { type CommandContext, defineChange } from '../command.ts';
import { line, resourceId, text } from '../shared/fields.ts';
import type { ExistingStream } from '../shared/require-existing.ts';
import {
  AT_ANOTHER_STAGE,
  authorityErrors,
  checkAuthority,
  checkMove,
  claimMove,
  moveErrors,
  repeatableMove,
} from './claim-checks.ts';
import { coverageFacts, coverageOf } from './filing.ts';
import { claimIdOrReference } from './find-claim.ts';
import { amountTooHigh, amountTooHighErrors, noLongerCovered, paymentErrors } from './finish-payment.ts';

/** A note or a reason is added to the notes of the claim. */
const note = text(2000);
const amount = moneyNotNegativeInput.optional();

export const reviewClaim = defineChange({
  ...claimMove,
  name: 'ReviewClaim',
  summary: 'Takes a submitted claim under review.',
  description: `Starts the review. A \`note\` is added to the notes of the claim. ${AT_ANOTHER_STAGE}`,
  input: z.strictObject({ claim_id: resourceId, note: note.optional() }),
  example: { claim_id: '3252ae3a-cf71-59b1-9799-f940315aa7c7', note: 'Report requested' },
  errors: moveErrors,
  decide(state, { today, note: added = null }) {
    checkMove(state, 'under review');
    return [{ type: ClaimReviewStarted.type, data: { ...claimIds(state), note: added, effectiveAt: today } }];
  },
});

export const sendClaimForApproval = defineChange({
  ...claimMove,
  name: 'SendClaimForApproval',
  summary: 'Sends a claim under review for approval.',
  description: `Ends the review. A \`note\` is added to the notes of the claim. ${AT_ANOTHER_STAGE}`,
  input: z.strictObject({ claim_id: resourceId, note: note.optional() }),
  example: { claim_id: 'f57106ee-d553-53b3-8e8c-ffa1accdd2b2', note: 'Report received' },
  errors: moveErrors,
  decide(state, { today, note: added = null }) {
    checkMove(state, 'pending approval');
    return [{ type: ClaimSentForApproval.type, data: { ...claimIds(state), note: added, effectiveAt: today } }];
  },
});

/** The most that may be approved, with what it follows from; undefined without a bound. */
interface Bound {
  readonly amount: bigint;
  readonly why: string;
}

/**
 * Returns the smaller of what is claimed less the deductible, and what payments of other claims have left of the limit.
 */
function approvalBound(
  state: ClaimState,
  policyState: PolicyState,
  { term }: IncidentCover,
  coverage: ClaimCoverage | null,
): Bound | undefined {
  const bounds: Bound[] = [];
  if (state.details.amount !== null) {
    const claimed = parseSum(state.details.amount) - parseSum(coverage?.deductible ?? '0.00');
    bounds.push({ amount: larger(claimed, 0n), why: 'the claimed amount less the deductible' });
  }
  if (coverage !== null && coverage.limit !== null) {
    const left = parseSum(coverage.limit) - paidUnder(policyState, term, coverage.name, state.claimId);
    bounds.push({ amount: larger(left, 0n), why: 'what is left of the limit of the coverage' });
  }
  return bounds.reduce<Bound | undefined>(
    (least, one) => (least === undefined || one.amount < least.amount ? one : least),
    undefined,
  );
}

/**
 * Returns the coverage of an approval as it is on the day of the incident.
 * @throws {Refusal} also when it must be named, or cannot be another after a payment
 */
function approvedCoverage(state: ClaimState, cover: IncidentCover, name: string | undefined): ClaimCoverage | null {
  const known = state.coverage?.name;
  if (name !== undefined) {
    const found = coverageOf(cover, name, 'coverage_name');
    if (found !== null && paidOf(state) > 0n && normalise(found.name) !== normalise(known ?? ''))
      throw wrongField('coverage_name', 'must be left out: something was paid already');
    return found;
  }
  if (known !== undefined) {
    const coverage = coverageNamed(cover.coverages, known);
    if (coverage === undefined) throw noLongerCovered(state.details.incidentDate);
    return coverageFacts(coverage);
  }
  if (cover.coverages.some(({ limit, deductible }) => limit !== null || deductible !== null))
    throw wrongField('coverage_name', 'must be given: a coverage of that day has a limit or a deductible');
  return null;
}

/** Reads the policy of a claim. */
export async function policyOf(
  { policyId }: ClaimState,
  context: CommandContext,
): Promise<ExistingStream<PolicyState>> {
  const loaded = await context.load(policy, policyStream(policyId));
  const { state } = loaded;
  if (state === undefined) throw new Error('a claim has a policy');
  return { ...loaded, state };
}

export const approveClaim = defineChange({
  ...claimMove,
  name: 'ApproveClaim',
  summary: 'Approves a claim that waits for approval.',
  description: `Approves a total after the deductible: by default and at most the smaller of the claimed amount less the deductible, and what payments of other claims have left of the limit of the coverage in this term (\`amount_too_high\`). \`approved_amount\` is required where no amount was claimed, \`coverage_name\` where it is not known and a coverage of the day has a limit or a deductible. A claim whose earlier payments are all of it is paid at once. ${AT_ANOTHER_STAGE}`,
  input: z.strictObject({ claim_id: resourceId, approved_amount: amount, coverage_name: line(255).optional() }),
  example: {
    claim_id: '551bb76a-320a-5a6d-94df-aa67dc752ef9',
    approved_amount: '170000.00',
    coverage_name: 'Own damage',
  },
  errors: [...moveErrors, ...paymentErrors, ...authorityErrors],
  lookUp: async (request, context, found) => ({
    ...claimMove.lookUp(request, context, found),
    policyState: (await policyOf(found.state, context)).state,
  }),
  decide(state, { today, authority, policyState, approved_amount: asked, coverage_name: name }) {
    checkMove(state, 'approved');
    const field = 'approved_amount';
    const cover = coverOfIncident(policyState, state.details.incidentDate);
    if (cover === undefined) throw noLongerCovered(state.details.incidentDate);
    const coverage = approvedCoverage(state, cover, name);
    const bound = approvalBound(state, policyState, cover, coverage);
    if (bound?.amount === 0n) throw amountTooHigh(field, '0.00', bound.why);
    if (state.details.amount === null && asked === undefined)
      throw wrongField(field, 'must be given: no amount was claimed');
    const approved = asked === undefined ? (bound?.amount ?? 0n) : parseMoney(asked);
    if (bound !== undefined && approved > bound.amount)
      throw amountTooHigh(field, formatMoney(bound.amount), bound.why);
    const paid = paidOf(state);
    if (approved === 0n) throw wrongField(field, 'must be above 0.00');
    if (approved < paid) throw wrongField(field, `must be at least ${formatMoney(paid)}, which was paid`);
    checkAuthority(authority, 'approveUpTo', state, approved);
    const data = { ...claimIds(state), approvedAmount: formatMoney(approved), coverage, isPaid: approved === paid };
    return [{ type: ClaimApproved.type, data: { ...data, effectiveAt: today } }];
  },
});

export const sendClaimOffer = defineChange({
  ...repeatableMove('offered an amount'),
  name: 'SendClaimOffer',
  summary: 'Offers an amount for an approved claim.',
  description: `Sends the claimant an offer, by default of the approved amount, which is also the limit (\`amount_too_high\`). ${AT_ANOTHER_STAGE}`,
  input: z.strictObject({ claim_id: resourceId, offer_amount: amount }),
  example: { claim_id: '57827b31-8d8c-5dd4-9455-45fea8856031', offer_amount: '115000.00' },
  errors: [...moveErrors, ...amountTooHighErrors],
  decide(state, { today, offer_amount: asked }) {
    checkMove(state, 'offer sent');
    const most = payableOf({ ...state, isOfferAccepted: false }) ?? 0n;
    if (asked !== undefined && parseMoney(asked) > most)
      throw amountTooHigh('offer_amount', formatMoney(most), 'the approved amount');
    const offerAmount = asked === undefined ? formatMoney(most) : canonicalMoney(asked);
    if (offerAmount === '0.00') throw wrongField('offer_amount', 'must be above 0.00');
    return [{ type: ClaimOfferSent.type, data: { ...claimIds(state), offerAmount, effectiveAt: today } }];
  },
});

export const acceptClaimOffer = defineChange({
  ...claimMove,
  name: 'AcceptClaimOffer',
  summary: 'Records that the claimant accepted the offer.',
  description: `Accepts the offer of a claim whose stage is \`offer sent\`, by its id or reference number. ${AT_ANOTHER_STAGE}`,
  input: z.strictObject({ claim_id: claimIdOrReference }),
  example: { claim_id: '6f64bc4c-03df-5fcf-9b5b-1db3b6684359' },
  errors: moveErrors,
  roles: CLAIM_PARTIES,
  decide(state, { today }) {
    checkMove(state, 'offer accepted');
    return [{ type: ClaimOfferAccepted.type, data: { ...claimIds(state), effectiveAt: today } }];
  },
});

export const rejectClaimOffer = defineChange({
  ...claimMove,
  name: 'RejectClaimOffer',
  summary: 'Records that the claimant rejected the offer.',
  description: `Rejects the offer of a claim whose stage is \`offer sent\`, by its id or reference number. The \`reason\` is added to the notes. The claim is \`approved\` again and takes another offer, a denial or a withdrawal, but no payment. ${AT_ANOTHER_STAGE}`,
  input: z.strictObject({ claim_id: claimIdOrReference, reason: note }),
  example: { claim_id: '6f64bc4c-03df-5fcf-9b5b-1db3b6684359', reason: 'The repair costs more' },
  errors: moveErrors,
  roles: CLAIM_PARTIES,
  decide(state, { today, reason }) {
    checkMove(state, 'offer rejected');
    return [{ type: ClaimOfferRejected.type, data: { ...claimIds(state), reason, effectiveAt: today } }];
  },
});

export const denyClaim = defineChange({
  ...claimMove,
  name: 'DenyClaim',
  summary: 'Denies a claim of which nothing was paid.',
  description: `Denies a claim of which nothing was paid. The \`reason\` is added to the notes. ${AT_ANOTHER_STAGE}`,
  input: z.strictObject({ claim_id: resourceId, reason: note }),
  example: { claim_id: 'ad2e03fd-8cbf-5a0e-bfec-b7792d0351a1', reason: 'Wear is not covered' },
  errors: moveErrors,
  decide(state, { today, reason }) {
    checkMove(state, 'denied');
    return [{ type: ClaimDenied.type, data: { ...claimIds(state), reason, effectiveAt: today } }];
  },
});

export const withdrawClaim = defineChange({
  ...claimMove,
  name: 'WithdrawClaim',
  summary: 'Takes back a claim of which nothing was paid.',
  description: `Takes back a claim of which nothing was paid, by its id or reference number. The \`reason\` is added to the notes. ${AT_ANOTHER_STAGE}`,
  input: z.strictObject({ claim_id: claimIdOrReference, reason: note }),
  example: {
    claim_id: 'd2445cc5-6474-5936-bd84-afeaad5bec72',
    reason: 'The damage was repaired by the garage',
  },
  errors: moveErrors,
  roles: CLAIM_PARTIES,
  decide(state, { today, reason }) {
    checkMove(state, 'withdrawn');
    return [{ type: ClaimWithdrawn.type, data: { ...claimIds(state), reason, effectiveAt: today } }];
  },
});

export const reopenClaim = defineChange({
  ...repeatableMove('reopened'),
  name: 'ReopenClaim',
  summary: 'Takes a paid, denied or withdrawn claim under review again; its payments stay.',
  description: `Takes a paid, denied or withdrawn claim under review again: approval and offer are void, payments stay. The \`reason\` is added to the notes. ${AT_ANOTHER_STAGE}`,
  input: z.strictObject({ claim_id: resourceId, reason: note }),
  example: { claim_id: 'ad2e03fd-8cbf-5a0e-bfec-b7792d0351a1', reason: 'A new report came' },
  errors: moveErrors,
  decide(state, { today, reason }) {
    checkMove(state, 'reopened');
    return [{ type: ClaimReopened.type, data: { ...claimIds(state), reason, effectiveAt: today } }];
  },
});
