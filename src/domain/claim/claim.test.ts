import { describe, expect, test } from '@jest/globals';
import { claimResourceOf } from '#projections/claims/claim-resource.ts';
import {
  approved,
  claimEvent,
  EVENT_TO,
  filed,
  MOVES_TO,
  paid,
  payment,
  reversed,
  started,
  THEFT,
  TODAY,
} from '#test/support/claim-histories.ts';
import { given, type GivenEvent } from '#test/support/given.ts';
import { sampleId } from '#test/support/sample-events.ts';
import { claim, type ClaimState } from './claim.ts';
import { openAmountOf } from './settlement.ts';
import { CLAIM_STATUSES, MOVES, STAGES, statusOf } from './stages.ts';
import { formatMoney } from '../values/money.ts';

const state = (...events: readonly GivenEvent[]) => given(...events).foldedBy(claim) as ClaimState;
const view = (...events: readonly GivenEvent[]) => claimResourceOf(state(...events));
const names = (...events: readonly GivenEvent[]) => state(...events).timeline.map(({ name }) => name);
const REOPENED = claimEvent('ClaimReopened', { reason: 'more' });
const APPROVED = [filed(), ...MOVES_TO['pending approval'], approved('90.00')];
/** `given` records every event at this time. */
const AT = '2026-03-01T10:00:00.000Z';

describe('The stages of a claim', () => {
  test.each(STAGES)('%s follows from its events, and its timeline ends with it', (stage) => {
    const history = [filed(), ...MOVES_TO[stage]];
    expect(state(...history).stage).toBe(stage);
    expect(names(...history).at(-1)).toBe(stage);
    const isClosed = ['paid', 'denied', 'withdrawn'].includes(stage);
    expect(state(...history).resolvedOn).toBe(isClosed ? TODAY : null);
  });

  test('map to every status of the API', () => {
    expect([...new Set(STAGES.map(statusOf))]).toEqual([...CLAIM_STATUSES]);
  });

  test('allow only the documented moves', () => {
    const open = [
      'submitted → under review',
      'under review → pending approval',
      'pending approval → approved',
      'approved → paid',
      'approved → offer sent',
      'offer sent → offer accepted',
      'offer sent → offer rejected',
      'offer rejected → offer sent',
      'offer accepted → paid',
    ];
    const everywhere = STAGES.filter((stage) => !['paid', 'denied', 'withdrawn'].includes(stage)).flatMap((stage) => [
      `${stage} → denied`,
      `${stage} → withdrawn`,
    ]);
    const closed = ['paid → reopened', 'denied → reopened', 'withdrawn → reopened'];
    const allowed = STAGES.flatMap((from) => MOVES[from].map((to) => `${from} → ${to}`));
    expect(allowed.sort()).toEqual([...open, ...everywhere, ...closed].sort());
  });
});

describe('A claim', () => {
  test('shows all that was filed', () => {
    const document = {
      name: 'report',
      evidenceType: null,
      contentType: 'application/pdf',
      sha256: 'a'.repeat(64),
      bytes: 3,
      uploadedAt: AT,
    };
    const { data } = filed({ incidentDescription: 'at night' });
    const claimantMetadata = { first_name: 'Ngozi' };
    const submitted = { type: 'ClaimSubmitted', data: { ...data, claimantMetadata, documents: [document] } };
    expect(view(submitted)).toEqual({
      claim_id: sampleId('claim', 1),
      claim_reference_number: 'CLM-1',
      claim_status: 'pending',
      claim_date: '2025-03-02',
      claim_details: {
        claim_type: 'theft',
        incident_date: '2026-02-01',
        incident_description: 'at night',
        claim_amount: '100.00',
        coverage_name: 'Theft',
      },
      claimant: {
        customer_id: sampleId('customer', 1),
        customer_name: 'Customer 1',
        customer_email: 'customer.1@example.com',
        customer_phone: null,
      },
      claimant_metadata: { first_name: 'Ngozi' },
      claim_amount: '100.00',
      currency: 'NGN',
      settlement: {
        approved_amount: null,
        offer_amount: null,
        paid_amount: null,
        outstanding: null,
        limit: '100.00',
        deductible: null,
      },
      payments: [],
      date_resolved: null,
      insurer: 'An insurer',
      product: { name: 'A product', product_type: 'Auto' },
      policy: sampleId('policy', 1),
      policy_number: 'POL-1',
      merchant_short_code: 'ABA-0001',
      environment_id: 1,
      test_mode: false,
      time_zone: 'UTC',
      claim_status_timeline: [{ time_stamp: '2026-03-01 10:00:00', name: 'submitted' }],
      timeline_utc: [{ at: AT, name: 'submitted' }],
      assignee: null,
      notes: null,
      note_entries: [],
      documents: [
        {
          document_name: 'report',
          evidence_type: null,
          content_type: 'application/pdf',
          size: 3,
          sha256: 'a'.repeat(64),
          uploaded_at: AT,
        },
      ],
      allowed_moves: [],
    });
  });

  test('has a timeline in the local time of its zone; that of an import has days', () => {
    const { data } = filed({}, null);
    const inLagos = { ...data, timeZone: 'Africa/Lagos', effectiveAt: '2025-03-02' };
    const submitted = { type: 'ClaimSubmitted', data: { ...inLagos, claimantMetadata: null, documents: [] } };
    expect(view(submitted).claim_status_timeline).toEqual([{ time_stamp: '2026-03-01 11:00:00', name: 'submitted' }]);
    const { claim_status_timeline, timeline_utc } = view({ type: 'ClaimImported', data: inLagos });
    expect(claim_status_timeline).toEqual([{ time_stamp: '2025-03-02 00:00:00', name: 'submitted' }]);
    expect(timeline_utc).toEqual([{ at: '2025-03-01T23:00:00.000Z', name: 'submitted' }]);
  });

  test('joins notes and reasons to one text; notes of people have their author', () => {
    const note = claimEvent('ClaimNoteAdded', { text: 'called' });
    const after = view(filed(), claimEvent('ClaimReviewStarted', { note: 'first' }), note, EVENT_TO.denied);
    expect(after.notes).toBe('first\ncalled\nno cover');
    expect(after.note_entries).toEqual([{ at: AT, by: 'system', text: 'called' }]);
  });

  test('shows what is left to pay, and each payment', () => {
    const settlements = (...events: readonly GivenEvent[]) => {
      const { settlement, claim_status } = view(...events);
      return [claim_status, settlement.paid_amount, settlement.outstanding].join(' ');
    };
    const offered = [...APPROVED, claimEvent('ClaimOfferSent', { offerAmount: '80.00' })];
    expect(settlements(filed())).toBe('pending  ');
    expect(settlements(...APPROVED)).toBe('approved  90.00');
    expect(settlements(...offered)).toBe('offer_sent  90.00');
    expect(settlements(...offered, EVENT_TO['offer accepted'])).toBe('offer_accepted  80.00');
    const part = [...APPROVED, started(1, '40.00'), paid(1, '40.00')];
    expect(settlements(...part)).toBe('approved 40.00 50.00');
    expect(names(...part).at(-1)).toBe('part paid');
    expect(settlements(...part, paid(2, '10.00', { isFinal: true }))).toBe('paid 50.00 0.00');
    const taken = [...part, reversed(1, '40.00', 'approved')];
    expect(settlements(...taken)).toBe('approved 0.00 90.00');
    expect(names(...taken).at(-1)).toBe('payment reversed');
    expect(view(...taken).payments).toEqual([
      {
        payment_id: sampleId('payment', 1),
        amount: '40.00',
        paid_on: TODAY,
        reference: null,
        reversed_on: TODAY,
      },
    ]);
  });

  test('is resolved on the day of its last payment that counts', () => {
    const on = (number: number, paidOn: string, changes: object = {}) =>
      paid(number, '10.00', { payment: { ...payment(number, '10.00'), paidOn }, effectiveAt: paidOn, ...changes });
    const two = [...APPROVED, on(1, '2026-03-08'), on(2, '2026-03-05', { isFinal: true })];
    expect(state(...two).resolvedOn).toBe('2026-03-08');
    const again = [...two, reversed(1, '10.00', 'approved')];
    expect(state(...again).resolvedOn).toBeNull();
    const closing = claimEvent('ClaimPaid', { payment: null, isFinal: true, outstanding: '0.00' });
    expect(state(...again, closing)).toMatchObject({ stage: 'paid', resolvedOn: '2026-03-05' });
  });

  test('loses approval and offer, and keeps its payments, when it is reopened or an approval is void', () => {
    const none = { approvedAmount: null, offerAmount: null, isOfferAccepted: false, stage: 'under review' };
    const closed = [...APPROVED, paid(1, '40.00', { isFinal: true })];
    expect(state(...closed, REOPENED)).toMatchObject({ ...none, resolvedOn: null, payments: [{ amount: '40.00' }] });
    expect(names(...closed, REOPENED).at(-1)).toBe('reopened');
    const revision = (isReviewedAgain: boolean) => {
      const details = { ...state(filed()).details, amount: '80.00' };
      return claimEvent('ClaimRevised', { details, coverage: THEFT, reason: 'typo', isReviewedAgain });
    };
    const offered = [filed(), ...MOVES_TO['offer accepted']];
    expect(state(...offered, revision(true))).toMatchObject({ ...none, details: { amount: '80.00' } });
    expect(state(filed(), revision(false))).toMatchObject({ stage: 'submitted', details: { amount: '80.00' } });
  });

  test('is paid at once by an approval of what was paid', () => {
    const again = [...APPROVED, paid(1, '40.00', { isFinal: true }), REOPENED, ...MOVES_TO['pending approval']];
    const history = [...again, approved('40.00', { isPaid: true })];
    expect(state(...history)).toMatchObject({ stage: 'paid', approvedAmount: '40.00', resolvedOn: TODAY });
    expect(names(...history).slice(-2)).toEqual(['approved', 'paid']);
  });

  test('takes only the end of what has started', () => {
    const pending = (...events: readonly GivenEvent[]) => state(...APPROVED, ...events).pending?.kind;
    const reversing = claimEvent('ClaimPaymentReversalStarted', { paymentId: sampleId('payment', 1), reason: 'twice' });
    const refused = { paymentId: sampleId('payment', 1), reason: 'amount_too_high', limitLeft: '0.00' };
    expect(pending()).toBeUndefined();
    expect(pending(started(1, '40.00'))).toBe('payment');
    expect(pending(started(1, '40.00'), claimEvent('ClaimPaymentRejected', refused))).toBeUndefined();
    expect(pending(paid(1, '40.00'), reversing)).toBe('reversal');
    expect(pending(paid(1, '40.00'), reversing, reversed(1, '40.00', 'approved'))).toBeUndefined();
  });

  test('does not begin with a move', () => {
    expect(() => state(EVENT_TO.approved)).toThrow('before the claim exists');
  });
});

describe('What an open claim may still cost', () => {
  test.each([
    ['the claimed amount', [filed()], '100.00'],
    ['0.00 where none was claimed', [filed({ amount: null })], '0.00'],
    ['the approved amount', APPROVED, '90.00'],
    ['the accepted offer, not one that is only sent', [...APPROVED, EVENT_TO['offer sent']], '90.00'],
    ['that, less what was paid', [...APPROVED, paid(1, '40.00')], '50.00'],
    [
      'the claimed amount again, less what was paid',
      [...APPROVED, paid(1, '40.00', { isFinal: true }), REOPENED],
      '60.00',
    ],
    ['nothing once it is paid', [...APPROVED, paid(1, '40.00', { isFinal: true })], '0.00'],
    ['nothing once it is denied', [filed(), EVENT_TO.denied], '0.00'],
    ['nothing once it is withdrawn', [filed(), EVENT_TO.withdrawn], '0.00'],
  ])('is %s', (_what, history, expected) => {
    expect(formatMoney(openAmountOf(state(...history), null))).toBe(expected);
  });

  test.each([
    ['the claimed amount less the deductible', '10.00', null, '90.00'],
    ['what is left of the limit', '10.00', 4_000n, '40.00'],
    ['nothing where the deductible is larger', '100.01', null, '0.00'],
    ['nothing where the limit is used up', null, -1n, '0.00'],
  ])('is %s before the approval', (_what, deductible, limitLeft, expected) => {
    const claim = { ...state(filed()), coverage: { name: 'Fire', limit: null, deductible } };
    expect(formatMoney(openAmountOf(claim, limitLeft))).toBe(expected);
  });
});
