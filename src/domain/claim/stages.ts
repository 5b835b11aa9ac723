/** Where a claim stands. */
export const STAGES = [
  'submitted',
  'under review',
  'pending approval',
  'approved',
  'offer sent',
  'offer accepted',
  'offer rejected',
  'paid',
  'denied',
  'withdrawn',
] as const;
export type Stage = (typeof STAGES)[number];

/** What the timeline of a claim names: its stages, and what happens without a stage of its own. */
export const TIMELINE_NAMES = [...STAGES, 'part paid', 'payment reversed', 'reopened'] as const;
export type TimelineName = (typeof TIMELINE_NAMES)[number];

/** Why a policy does not book a payment: codes of refusals. */
export const PAYMENT_REFUSALS = ['amount_too_high', 'incident_no_longer_covered'] as const;

export const CLAIM_STATUSES = [
  'pending',
  'approved',
  'offer_sent',
  'offer_accepted',
  'paid',
  'denied',
  'withdrawn',
] as const;
export type ClaimStatus = (typeof CLAIM_STATUSES)[number];

const STATUS_OF: Record<Stage, ClaimStatus> = {
  submitted: 'pending',
  'under review': 'pending',
  'pending approval': 'pending',
  approved: 'approved',
  'offer sent': 'offer_sent',
  'offer accepted': 'offer_accepted',
  'offer rejected': 'approved',
  paid: 'paid',
  denied: 'denied',
  withdrawn: 'withdrawn',
};

/** Returns the status that the API shows for a stage. */
export function statusOf(stage: Stage): ClaimStatus {
  return STATUS_OF[stage];
}

/** Returns whether a claim of this stage is over until it is reopened. */
export function isClosed(stage: Stage): boolean {
  return stage === 'paid' || stage === 'denied' || stage === 'withdrawn';
}

/** Returns whether a claim of this stage has an approval. */
export function isApproved(stage: Stage): boolean {
  return ['approved', 'offer sent', 'offer accepted', 'offer rejected'].includes(stage);
}

/** What a command does to the stage of a claim, by the name that the timeline gives it. */
export type Move = Exclude<TimelineName, 'submitted' | 'part paid' | 'payment reversed'>;

/** The moves that each stage allows. */
export const MOVES: Record<Stage, readonly Move[]> = {
  submitted: ['under review', 'denied', 'withdrawn'],
  'under review': ['pending approval', 'denied', 'withdrawn'],
  'pending approval': ['approved', 'denied', 'withdrawn'],
  approved: ['paid', 'offer sent', 'denied', 'withdrawn'],
  'offer sent': ['offer accepted', 'offer rejected', 'denied', 'withdrawn'],
  'offer accepted': ['paid', 'denied', 'withdrawn'],
  'offer rejected': ['offer sent', 'denied', 'withdrawn'],
  paid: ['reopened'],
  denied: ['reopened'],
  withdrawn: ['reopened'],
};
