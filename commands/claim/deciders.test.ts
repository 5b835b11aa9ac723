import { describe, test } from '@jest/globals';
import { type Move, MOVES, STAGES, type Stage } from '#domain/claim/stages.ts';
import {
  approved,
  claimEvent,
  coverage,
  EVENT_TO,
  filed,
  INCIDENT,
  MOVES_TO,
  NOW,
  paid,
  policyEndedBefore,
  policyWith,
  reversed,
  started,
  THEFT,
  TODAY,
} from '#test/support/claim-histories.ts';
import { given, type GivenEvent } from '#test/support/given.ts';
import { sampleId } from '#test/support/sample-events.ts';
import {
  acceptClaimOffer,
  approveClaim,
  denyClaim,
  rejectClaimOffer,
  reopenClaim,
  reviewClaim,
  sendClaimForApproval,
  sendClaimOffer,
  withdrawClaim,
} from './claim-moves.ts';
import { payClaim } from './claim-payments.ts';
import { addClaimNote, reviseClaim } from './revise-claim.ts';

const LIMITED = policyWith([coverage('Theft', '100.00')]);
const base = { now: NOW, today: TODAY, policyState: LIMITED };
const pending = (...filing: Parameters<typeof filed>) => [filed(...filing), ...MOVES_TO['pending approval']];
/** Approved for 100.00, of which 40.00 was paid. */
const partPaid = [filed(), ...MOVES_TO.approved, paid(1, '40.00')];
const REOPENED = claimEvent('ClaimReopened', { reason: 'more' });
/** Paid with 40.00, reopened, and pending approval again. */
const pendingAgain = [
  filed(),
  ...MOVES_TO.approved,
  paid(1, '40.00', { isFinal: true }),
  REOPENED,
  EVENT_TO['pending approval'],
];

const COMMAND_OF: Readonly<Record<Move, string>> = {
  'under review': reviewClaim.name,
  'pending approval': sendClaimForApproval.name,
  approved: approveClaim.name,
  'offer sent': sendClaimOffer.name,
  'offer accepted': acceptClaimOffer.name,
  'offer rejected': rejectClaimOffer.name,
  paid: payClaim.name,
  denied: denyClaim.name,
  withdrawn: withdrawClaim.name,
  reopened: reopenClaim.name,
};

describe.each(STAGES)('A claim that is %s', (from) => {
  const claim = given(filed(), ...MOVES_TO[from]);
  const decide: Record<Exclude<Stage, 'submitted'>, () => ReturnType<typeof claim.when>> = {
    'under review': () => claim.when(reviewClaim, base),
    'pending approval': () => claim.when(sendClaimForApproval, base),
    approved: () => claim.when(approveClaim, base),
    'offer sent': () => claim.when(sendClaimOffer, base),
    'offer accepted': () => claim.when(acceptClaimOffer, base),
    'offer rejected': () => claim.when(rejectClaimOffer, { ...base, reason: 'too low' }),
    paid: () => claim.when(payClaim, { ...base, paymentId: sampleId('payment', 1) }),
    denied: () => claim.when(denyClaim, { ...base, reason: 'no cover' }),
    withdrawn: () => claim.when(withdrawClaim, { ...base, reason: 'filed twice' }),
  };
  const moves = MOVES[from];
  const refusal = { members: { allowed: moves.map((move) => COMMAND_OF[move]) } };

  test.each(STAGES.filter((stage) => stage !== 'submitted'))('becomes %s only if the table allows it', (to) => {
    const event = to === 'paid' ? started(1, '100.00', { isFinal: true }) : EVENT_TO[to];
    if (moves.includes(to)) decide[to]().then(event);
    else decide[to]().thenRefused('claim_move_not_allowed', refusal);
  });

  test('is reopened only when it is closed', () => {
    const decided = claim.when(reopenClaim, { ...base, reason: 'more' });
    if (moves.includes('reopened')) decided.then(REOPENED);
    else decided.thenRefused('claim_move_not_allowed', refusal);
  });
});

test('A note or a reason is recorded', () => {
  given(filed())
    .when(reviewClaim, { ...base, note: 'first' })
    .then(claimEvent('ClaimReviewStarted', { note: 'first' }));
  given(filed(), ...MOVES_TO['under review'])
    .when(sendClaimForApproval, { ...base, note: 'fine' })
    .then(claimEvent('ClaimSentForApproval', { note: 'fine' }));
  given(...pending())
    .when(addClaimNote, { ...base, text: 'called' })
    .then(claimEvent('ClaimNoteAdded', { text: 'called' }));
});

describe('The notes of a claim', () => {
  const noted = (text: string) => claimEvent('ClaimNoteAdded', { text });
  const refused = (message: string) => ({ fields: [{ field: 'text', message }] });

  test('are at most 1,000', () => {
    const note = { ...base, text: 'called' };
    given(filed(), ...Array.from({ length: 999 }, () => noted('a')))
      .when(addClaimNote, note)
      .then(noted('called'));
    given(filed(), ...Array.from({ length: 1_000 }, () => noted('a')))
      .when(addClaimNote, note)
      .thenRefused('invalid_request', refused('the claim must have at most 1000 notes'));
  });

  test('have at most 100,000 characters in all', () => {
    const claim = given(filed(), ...Array.from({ length: 50 }, () => noted('a'.repeat(1_999))));
    claim.when(addClaimNote, { ...base, text: 'a'.repeat(50) }).then(noted('a'.repeat(50)));
    const message = 'the notes of the claim must have at most 100000 characters in all';
    claim.when(addClaimNote, { ...base, text: 'a'.repeat(51) }).thenRefused('invalid_request', refused(message));
  });
});

describe('A claim of which something was paid', () => {
  test.each([
    ['denied', denyClaim],
    ['withdrawn', withdrawClaim],
    ['offer sent', sendClaimOffer],
  ] as const)('cannot become %s', (_to, command) => {
    const input = { ...base, reason: 'fraud' };
    given(...partPaid)
      .when(command, input)
      .thenRefused('claim_move_not_allowed', { members: { allowed: ['PayClaim'] } });
  });

  test('can be denied or withdrawn once its payments are reversed', () => {
    const all = given(...partPaid, reversed(1, '40.00', 'approved'));
    all.when(denyClaim, { ...base, reason: 'no cover' }).then(EVENT_TO.denied);
    all.when(withdrawClaim, { ...base, reason: 'filed twice' }).then(EVENT_TO.withdrawn);
  });
});

describe('An approval', () => {
  const approve = (history: readonly GivenEvent[], command: object = {}) =>
    given(...history).when(approveClaim, { ...base, ...command });
  const under = (limit: string | null, deductible: string | null, ...payments: object[]) => ({
    policyState: policyWith([coverage('Theft', limit, deductible)], ...payments),
  });
  const tooHigh = (limit: string, why: string) => ({
    fields: [{ field: 'approved_amount', message: `must be at most ${limit}, ${why}` }],
    members: { limit },
  });

  test.each([
    ['the claimed amount less the deductible', under(null, '25.50'), '74.50'],
    ['what is left of the limit of the coverage', under('100.00', null, { amount: '60.00' }), '40.00'],
    ['the claimed amount less the deductible', under('100.00', '70.00', { amount: '60.00' }), '30.00'],
  ])('is by default and at most %s: %#', (why, command, bound) => {
    const [{ limit, deductible }] = [command.policyState.terms[0]!.periods[0]!.coverages[0]!];
    const event = (amount: string) => approved(amount, { coverage: { name: 'Theft', limit, deductible } });
    approve(pending(), command).then(event(bound));
    approve(pending(), { ...command, approved_amount: bound }).then(event(bound));
    approve(pending(), { ...command, approved_amount: '5.5' }).then(event('5.50'));
    const more = `${bound.slice(0, -1)}1`;
    approve(pending(), { ...command, approved_amount: more }).thenRefused('amount_too_high', tooHigh(bound, why));
  });

  test('counts payments of other claims, of the same term and coverage', () => {
    const bounded = (...payments: object[]) => approve(pending(), under('100.00', null, ...payments));
    bounded({ claimId: sampleId('claim', 1) }).then(approved('100.00'));
    bounded({ termId: sampleId('term', 9) }).then(approved('100.00'));
    bounded({ coverageName: 'Fire' }).then(approved('100.00'));
    bounded({ coverageName: 'THEFT' }, { incidentDate: '2026-12-31' }).then(approved('80.00'));
  });

  test('is refused where nothing may be approved, and of 0.00', () => {
    const spent = under('100.00', null, { amount: '100.00' });
    approve(pending(), spent).thenRefused(
      ...(['amount_too_high', tooHigh('0.00', 'what is left of the limit of the coverage')] as const),
    );
    approve(pending(), under(null, '100.00')).thenRefused('amount_too_high', { members: { limit: '0.00' } });
    approve(pending(), { approved_amount: '0.00' }).thenRefused('invalid_request');
  });

  test('must be given where no amount was claimed, also where there is a limit', () => {
    const unclaimed = pending({ amount: null });
    const fields = [{ field: 'approved_amount', message: 'must be given: no amount was claimed' }];
    approve(unclaimed).thenRefused('invalid_request', { fields });
    approve(unclaimed, { approved_amount: '100.01' }).thenRefused('amount_too_high', { members: { limit: '100.00' } });
    const event = approved('99999999.99', { coverage: { ...THEFT, limit: null } });
    approve(unclaimed, { ...under(null, null), approved_amount: '99999999.99' }).then(event);
  });

  test('names the coverage where the day has several, and one has a limit or a deductible', () => {
    const unknown = pending({}, null);
    const several = (...coverages: Parameters<typeof policyWith>[0]) => ({ policyState: policyWith(coverages) });
    for (const fire of [coverage('Fire', '1.00'), coverage('Fire', null, '1.00')]) {
      approve(unknown, several(coverage('Theft', '100.00'), fire)).thenRefused('invalid_request');
      approve(unknown, { ...several(coverage('Theft', '100.00'), fire), coverage_name: 'THEFT' }).then(
        approved('100.00'),
      );
    }
    approve(unknown, several(coverage('Theft'), coverage('Fire'))).then(approved('100.00', { coverage: null }));
    approve(unknown, { ...several(coverage('Theft'), coverage('Fire')), coverage_name: 'Hail' }).thenRefused(
      'invalid_request',
    );
  });

  test('judges cover again', () => {
    const ended = { policyState: policyEndedBefore([coverage('Theft', '100.00')]) };
    approve(pending(), ended).thenRefused('incident_no_longer_covered');
    approve(pending(), { ...ended, coverage_name: 'Theft' }).thenRefused('incident_no_longer_covered');
    const removed = { policyState: policyWith([coverage('Fire')]) };
    approve(pending(), removed).thenRefused('incident_no_longer_covered');
  });

  test('after a reopening is not below what was paid; equal to it, the claim is paid at once', () => {
    approve(pendingAgain, { approved_amount: '39.99' }).thenRefused('invalid_request');
    approve(pendingAgain, { approved_amount: '40.00' }).then(approved('40.00', { isPaid: true }));
    approve(pendingAgain, { approved_amount: '40.01' }).then(approved('40.01'));
    const two = { policyState: policyWith([coverage('Theft', '100.00'), coverage('Fire')]) };
    approve(pendingAgain, { ...two, coverage_name: 'Fire' }).thenRefused('invalid_request');
    approve(pendingAgain, { ...two, coverage_name: 'theft' }).then(approved('100.00'));
  });
});

describe('An offer', () => {
  test.each([
    ['the approved amount', '80.00', [...pending(), approved('80.00')]],
    ['of an import without one the claimed amount', '100.00', [filed(), imported('approved')]],
  ])('is by default and at most %s', (_what, limit, history) => {
    const offer = (command: object = {}) => given(...history).when(sendClaimOffer, { ...base, ...command });
    offer().then(claimEvent('ClaimOfferSent', { offerAmount: limit }));
    offer({ offer_amount: limit }).then(claimEvent('ClaimOfferSent', { offerAmount: limit }));
    offer({ offer_amount: '5.5' }).then(claimEvent('ClaimOfferSent', { offerAmount: '5.50' }));
    offer({ offer_amount: `${limit.slice(0, -1)}1` }).thenRefused('amount_too_high', { members: { limit } });
    offer({ offer_amount: '0.00' }).thenRefused('invalid_request');
  });
});

function imported(stage: Stage): GivenEvent {
  const none = { approvedAmount: null, offerAmount: null, payment: null };
  return claimEvent('ClaimSettlementImported', { stage, ...none });
}

describe('A revision', () => {
  const CLAIMED = { ...(filed().data as { details: object }).details };
  const revised = (details: object, changes: object = {}) =>
    claimEvent('ClaimRevised', {
      details: { ...CLAIMED, ...details },
      coverage: THEFT,
      reason: 'typo',
      isReviewedAgain: false,
      ...changes,
    });
  const revise = (history: readonly GivenEvent[], command: object) =>
    given(...history).when(reviseClaim, { ...base, reason: 'typo', ...command });

  test('changes what is given', () => {
    revise([filed()], { claim_amount: '80' }).then(revised({ amount: '80.00' }));
    revise([filed()], { incident_description: 'at night' }).then(revised({ incidentDescription: 'at night' }));
    revise([filed()], { incident_date: '2026-02-02' }).then(revised({ incidentDate: '2026-02-02' }));
  });

  test('voids an approval and an offer', () => {
    for (const stage of ['approved', 'offer sent', 'offer accepted', 'offer rejected'] as const)
      revise([filed(), ...MOVES_TO[stage]], { claim_amount: '80' }).then(
        revised({ amount: '80.00' }, { isReviewedAgain: true }),
      );
    revise(pending(), { claim_amount: '80' }).then(revised({ amount: '80.00' }));
  });

  test('is judged as a filing', () => {
    const two = { policyState: policyWith([coverage('Theft', '100.00'), coverage('Fire', null, '5.00')]) };
    revise([filed()], { ...two, coverage_name: 'fire' }).then(
      revised({}, { coverage: { name: 'Fire', limit: null, deductible: '5.00' } }),
    );
    revise([filed()], { coverage_name: 'Hail' }).thenRefused('invalid_request');
    revise([filed()], { ...two, policyState: policyWith([coverage('Fire')]), incident_date: '2026-02-02' }).thenRefused(
      'invalid_request',
    );
    revise([filed({}, null)], { incident_date: '2026-02-02' }).then(revised({ incidentDate: '2026-02-02' }));
    for (const incident_date of ['2025-12-31', '2026-03-03'])
      revise([filed()], { incident_date }).thenRefused('incident_not_covered');
  });

  test('after a payment is one of amount and description alone', () => {
    for (const command of [{ incident_date: INCIDENT }, { coverage_name: 'Theft' }])
      revise(partPaid, command).thenRefused('invalid_request');
    revise(partPaid, { claim_amount: '80', incident_description: 'at night' }).then(
      revised({ amount: '80.00', incidentDescription: 'at night' }, { isReviewedAgain: true }),
    );
    revise([...partPaid, reversed(1, '40.00', 'approved')], { incident_date: '2026-02-02' }).then(
      revised({ incidentDate: '2026-02-02' }, { isReviewedAgain: true }),
    );
  });

  test('needs a claim that is open', () => {
    for (const stage of ['paid', 'denied', 'withdrawn'] as const)
      revise([filed(), ...MOVES_TO[stage]], { claim_amount: '80' }).thenRefused('claim_move_not_allowed', {
        members: { allowed: ['ReopenClaim'] },
      });
  });
});

describe('An authority', () => {
  const authority = { currency: 'NGN', approveUpTo: '50.00', payUpTo: '60.00', reserveUpTo: null };

  test('bounds the approved amount of a claim in its currency', () => {
    const approve = (amount: string, more: object = {}) =>
      given(...pending()).when(approveClaim, { ...base, approved_amount: amount, authority, ...more });
    approve('50.00').then({ ...EVENT_TO.approved, data: { ...EVENT_TO.approved.data, approvedAmount: '50.00' } });
    approve('50.01').thenRefused('authority_exceeded');
    approve('50.01', { authority: { ...authority, approveUpTo: null } }).events();
    approve('1.00', { authority: { ...authority, currency: 'EUR' } }).thenRefused('authority_exceeded');
  });

  test('bounds the sum of the payments of a claim', () => {
    const pay = (amount: string) => given(...partPaid).when(payClaim, { ...base, paid_amount: amount, authority });
    pay('20.01').thenRefused('authority_exceeded');
    pay('20.00').events();
  });
});
