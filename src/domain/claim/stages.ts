/** The stages of a claim, as its timeline names them. */
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
] as const;
export type Stage = (typeof STAGES)[number];

export const CLAIM_STATUSES = ['pending', 'approved', 'offer_sent', 'offer_accepted', 'paid', 'denied'] as const;
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
};

/** Returns the status that the API shows for a stage. */
export function statusOf(stage: Stage): ClaimStatus {
  return STATUS_OF[stage];
}

/** The allowed moves from each stage. */
export const MOVES: Record<Stage, readonly Stage[]> = {
  submitted: ['under review', 'denied'],
  'under review': ['pending approval', 'denied'],
  'pending approval': ['approved', 'denied'],
  approved: ['paid', 'offer sent'],
  'offer sent': ['offer accepted', 'offer rejected', 'denied'],
  'offer accepted': ['paid'],
  'offer rejected': ['offer sent', 'denied'],
  paid: [],
  denied: [],
};
