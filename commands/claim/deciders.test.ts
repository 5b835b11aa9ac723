import { describe, test } from '@jest/globals';
import { MOVES, STAGES, type Stage } from '../../src/domain/claim/stages.ts';
import { given, type GivenEvent } from '../../test/support/given.ts';
import { claimImported } from '../../test/support/sample-events.ts';
import {
  acceptClaimOffer,
  approveClaim,
  denyClaim,
  payClaim,
  rejectClaimOffer,
  reviewClaim,
  sendClaimForApproval,
  sendClaimOffer,
} from './claim-moves.ts';

const filed = (amount: string | null = '100.00'): GivenEvent => {
  const { type, data } = claimImported(1, 1, 1);
  return { type, data: { ...data, amount } };
};
const { claimId, merchantId, environmentId, testMode, customerId, policyId } = filed().data as Record<string, unknown>;
const event = (type: string, data: object = {}): GivenEvent => ({
  type,
  data: { claimId, merchantId, environmentId, testMode, customerId, policyId, effectiveAt: '2026-03-02', ...data },
});

/** The event of a move to each stage, with the claimed amount. */
const EVENT_TO: Record<Exclude<Stage, 'submitted'>, GivenEvent> = {
  'under review': event('ClaimReviewStarted', { note: null }),
  'pending approval': event('ClaimSentForApproval', { note: null }),
  approved: event('ClaimApproved', { approvedAmount: '100.00' }),
  'offer sent': event('ClaimOfferSent', { offerAmount: '100.00' }),
  'offer accepted': event('ClaimOfferAccepted'),
  'offer rejected': event('ClaimOfferRejected', { reason: 'too low' }),
  paid: event('ClaimPaid', { paidAmount: '100.00' }),
  denied: event('ClaimDenied', { reason: 'no cover' }),
};
const targets = STAGES.filter((stage) => stage !== 'submitted');
const through = (...stages: readonly (typeof targets)[number][]) => [filed(), ...stages.map((to) => EVENT_TO[to])];
const APPROVED = ['under review', 'pending approval', 'approved'] as const;

/** A history that leads to each stage. */
const HISTORY_OF: Record<Stage, readonly GivenEvent[]> = {
  submitted: [filed()],
  'under review': through('under review'),
  'pending approval': through('under review', 'pending approval'),
  approved: through(...APPROVED),
  'offer sent': through(...APPROVED, 'offer sent'),
  'offer accepted': through(...APPROVED, 'offer sent', 'offer accepted'),
  'offer rejected': through(...APPROVED, 'offer sent', 'offer rejected'),
  paid: through(...APPROVED, 'paid'),
  denied: through('denied'),
};

/** Runs the decider of a move to a stage, with the fields of its body. */
function move(to: (typeof targets)[number], history: readonly GivenEvent[], fields: object = {}) {
  const now = '2026-03-02T10:00:00.000Z';
  const claim = given(...history);
  const moves = {
    'under review': () => claim.when(reviewClaim, { now, ...fields }),
    'pending approval': () => claim.when(sendClaimForApproval, { now, ...fields }),
    approved: () => claim.when(approveClaim, { now, ...fields }),
    'offer sent': () => claim.when(sendClaimOffer, { now, ...fields }),
    'offer accepted': () => claim.when(acceptClaimOffer, { now, ...fields }),
    'offer rejected': () => claim.when(rejectClaimOffer, { now, reason: 'too low', ...fields }),
    paid: () => claim.when(payClaim, { now, ...fields }),
    denied: () => claim.when(denyClaim, { now, reason: 'no cover', ...fields }),
  };
  return moves[to]();
}

describe.each(STAGES)('A claim that is %s', (from) => {
  test.each(targets)('becomes %s only if the table of moves allows it', (to) => {
    const allowed = MOVES[from];
    if (allowed.includes(to)) move(to, HISTORY_OF[from]).then(EVENT_TO[to]);
    else move(to, HISTORY_OF[from]).thenRefused('claim_move_not_allowed', { members: { allowed } });
  });
});

test('A note or a reason is recorded', () => {
  move('under review', [filed()], { note: 'first' }).then(event('ClaimReviewStarted', { note: 'first' }));
  const reviewed = HISTORY_OF['under review'];
  move('pending approval', reviewed, { note: 'fine' }).then(event('ClaimSentForApproval', { note: 'fine' }));
  move('denied', reviewed, { reason: 'late' }).then(event('ClaimDenied', { reason: 'late' }));
});

describe('An amount', () => {
  const pending = HISTORY_OF['pending approval'];
  const approvedFor = (approvedAmount: string | null) => [...pending, event('ClaimApproved', { approvedAmount })];
  const offered = [...approvedFor('80.00'), event('ClaimOfferSent', { offerAmount: '70.00' })];

  test.each([
    ['approved', 'approved_amount', pending, '100.00', 'claimed amount', 'ClaimApproved', 'approvedAmount'],
    ['offer sent', 'offer_amount', approvedFor('80.00'), '80.00', 'approved amount', 'ClaimOfferSent', 'offerAmount'],
    ['offer sent', 'offer_amount', approvedFor(null), '100.00', 'claimed amount', 'ClaimOfferSent', 'offerAmount'],
    ['paid', 'paid_amount', approvedFor('80.00'), '80.00', 'approved amount', 'ClaimPaid', 'paidAmount'],
    [
      'paid',
      'paid_amount',
      [...offered, EVENT_TO['offer accepted']],
      '70.00',
      'accepted offer',
      'ClaimPaid',
      'paidAmount',
    ],
  ] as const)(
    'of a claim that becomes %s is at most what was decided before',
    (to, field, history, limit, name, type, member) => {
      const message = `must be at most ${limit}, the ${name}`;
      const tooHigh = `${limit.slice(0, -1)}1`;
      move(to, history, { [field]: tooHigh }).thenRefused('amount_too_high', {
        fields: [{ field, message }],
        members: { limit },
      });
      move(to, history).then(event(type, { [member]: limit }));
      move(to, history, { [field]: limit }).then(event(type, { [member]: limit }));
      move(to, history, { [field]: '5.5' }).then(event(type, { [member]: '5.50' }));
    },
  );

  test('is required where none was decided before, and then has no limit', () => {
    const [, ...moves] = pending;
    const unclaimed = [filed(null), ...moves];
    const fields = [
      { field: 'approved_amount', message: 'is required, because no earlier amount of the claim is known' },
    ];
    move('approved', unclaimed).thenRefused('invalid_request', { fields });
    const approved = event('ClaimApproved', { approvedAmount: '99999999.99' });
    move('approved', unclaimed, { approved_amount: '99999999.99' }).then(approved);
    // Approvals of the past may have no amount.
    const approvedForNone = [...unclaimed, event('ClaimApproved', { approvedAmount: null })];
    for (const to of ['paid', 'offer sent'] as const) move(to, approvedForNone).thenRefused('invalid_request');
  });
});
