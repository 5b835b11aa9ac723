import { policy, type PolicyState } from '#domain/policy/policy.ts';
import { type Coverage, newCoverage } from '#domain/policy/term.ts';
import { claimIds } from '#domain/claim/claim.ts';
import type { ClaimFiling } from '#domain/claim/claim-events.ts';
import type { Stage } from '#domain/claim/stages.ts';
import { given, type GivenEvent } from './given.ts';
import { claimImported, policyImported, policyCancelled, sampleId, term } from './sample-events.ts';

/** The day of every event and command. */
export const TODAY = '2026-03-02';
export const NOW = `${TODAY}T10:00:00.000Z`;
export const INCIDENT = '2026-02-01';

export const coverage = (name: string, limit: string | null = null, deductible: string | null = null): Coverage => ({
  ...newCoverage(name),
  limit,
  deductible,
});
/** The coverage of the claims. */
export const THEFT = { name: 'Theft', limit: '100.00', deductible: null };

const first = claimImported(1, 1, 1).data as ClaimFiling['data'];
const ids = claimIds(first);

/** An event of the claim. */
export const claimEvent = (type: string, data: object = {}): GivenEvent => ({
  type,
  data: { ...ids, effectiveAt: TODAY, ...data },
});

/** The filing of a claim of 100.00. */
export function filed(details: object = {}, under: object | null = THEFT): GivenEvent {
  const claimed = { ...first.details, amount: '100.00', incidentDate: INCIDENT, ...details };
  return { type: 'ClaimImported', data: { ...first, details: claimed, coverage: under } };
}

export const payment = (number: number, amount: string) => ({
  paymentId: sampleId('payment', number),
  amount,
  paidOn: TODAY,
  reference: null,
});
export const started = (number: number, amount: string, changes: object = {}): GivenEvent =>
  claimEvent('ClaimPaymentStarted', {
    payment: payment(number, amount),
    coverageName: 'Theft',
    incidentDate: INCIDENT,
    isFinal: false,
    ...changes,
  });
export const paid = (number: number, amount: string, changes: object = {}): GivenEvent =>
  claimEvent('ClaimPaid', { payment: payment(number, amount), isFinal: false, outstanding: '0.00', ...changes });
export const reversed = (number: number, amount: string, stage: Stage): GivenEvent =>
  claimEvent('ClaimPaymentReversed', {
    paymentId: sampleId('payment', number),
    amount,
    reason: 'twice',
    stage,
    outstanding: '0.00',
  });
export const approved = (approvedAmount: string, changes: object = {}): GivenEvent =>
  claimEvent('ClaimApproved', { approvedAmount, coverage: THEFT, isPaid: false, ...changes });

/** An event that leads to each stage. */
export const EVENT_TO: Record<Exclude<Stage, 'submitted'>, GivenEvent> = {
  'under review': claimEvent('ClaimReviewStarted', { note: null }),
  'pending approval': claimEvent('ClaimSentForApproval', { note: null }),
  approved: approved('100.00'),
  'offer sent': claimEvent('ClaimOfferSent', { offerAmount: '100.00' }),
  'offer accepted': claimEvent('ClaimOfferAccepted'),
  'offer rejected': claimEvent('ClaimOfferRejected', { reason: 'too low' }),
  paid: paid(1, '100.00', { isFinal: true }),
  denied: claimEvent('ClaimDenied', { reason: 'no cover' }),
  withdrawn: claimEvent('ClaimWithdrawn', { reason: 'filed twice' }),
};
const through = (...stages: readonly Exclude<Stage, 'submitted'>[]) => stages.map((to) => EVENT_TO[to]);

/** The moves, after the filing, that lead to each stage. */
export const MOVES_TO: Record<Stage, readonly GivenEvent[]> = {
  submitted: [],
  'under review': through('under review'),
  'pending approval': through('under review', 'pending approval'),
  approved: through('under review', 'pending approval', 'approved'),
  'offer sent': through('under review', 'pending approval', 'approved', 'offer sent'),
  'offer accepted': through('under review', 'pending approval', 'approved', 'offer sent', 'offer accepted'),
  'offer rejected': through('under review', 'pending approval', 'approved', 'offer sent', 'offer rejected'),
  paid: through('under review', 'pending approval', 'approved', 'paid'),
  denied: through('denied'),
  withdrawn: through('withdrawn'),
};

/** The history of the policy of the claims, which covers 2026, with booked payments. */
export function policyEvents(coverages: readonly Coverage[], ...payments: readonly object[]): readonly GivenEvent[] {
  const year = term('2026-01-01', '2026-12-31');
  const periods = year.periods.map((period) => ({ ...period, coverages: [...coverages] }));
  const agreed = policyImported(1, 1, { ...year, periods });
  const { policyId, merchantId, environmentId, testMode, customerId, currency, terms } = stateOf([agreed]);
  const owner = { policyId, merchantId, environmentId, testMode, customerId, currency };
  const booked = payments.map((one, number) => ({
    type: 'ClaimPaymentBooked',
    data: {
      ...owner,
      claimId: sampleId('claim', 2),
      paymentId: sampleId('booked', number),
      termId: terms[0]?.termId,
      coverageName: 'Theft',
      incidentDate: INCIDENT,
      amount: '10.00',
      ...one,
    },
  }));
  return [agreed, ...booked];
}

/** The history of the policy after a cancellation as of the day before the incident. */
export const policyEndedEvents = (coverages: readonly Coverage[]): readonly GivenEvent[] => [
  ...policyEvents(coverages),
  policyCancelled(1, 1, { effectiveAt: '2026-01-31' }),
];

export const policyWith = (...parts: Parameters<typeof policyEvents>): PolicyState => stateOf(policyEvents(...parts));
export const policyEndedBefore = (coverages: readonly Coverage[]): PolicyState => stateOf(policyEndedEvents(coverages));

function stateOf(events: readonly GivenEvent[]): PolicyState {
  const state = given(...events).foldedBy(policy);
  if (state === undefined) throw new Error('a policy begins with its first event');
  return state;
}
