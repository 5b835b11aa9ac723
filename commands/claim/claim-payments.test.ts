import { describe, test } from '@jest/globals';
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
  payment,
  policyEndedBefore,
  policyEndedEvents,
  policyEvents,
  policyWith,
  reversed,
  started,
  TODAY,
} from '#test/support/claim-histories.ts';
import { given, type GivenEvent } from '#test/support/given.ts';
import type { PendingPayment } from '#domain/claim/claim.ts';
import { policy, policyIds, type PolicyState } from '#domain/policy/policy.ts';
import { sampleId } from '#test/support/sample-events.ts';
import { payClaim, reversePayment } from './claim-payments.ts';
import { decideBooking, finishClaimPayment, paymentBooked } from './finish-payment.ts';

const COVERED = policyWith([coverage('Theft')]);
const APPROVED = [filed(), ...MOVES_TO['pending approval'], approved('100.00')];
const pay = (history: readonly GivenEvent[], command: object = {}) =>
  given(...history).when(payClaim, {
    now: NOW,
    today: TODAY,
    policyState: COVERED,
    paymentId: sampleId('payment', 2),
    ...command,
  });

describe('A payment', () => {
  test('is by default the rest, and the claim is paid with it', () => {
    pay(APPROVED).then(started(2, '100.00', { isFinal: true }));
    pay([...APPROVED, paid(1, '40.00')]).then(started(2, '60.00', { isFinal: true }));
    pay([...APPROVED, paid(1, '40.00'), reversed(1, '40.00', 'approved')]).then(
      started(2, '100.00', { isFinal: true }),
    );
  });

  test('can be a part; what is paid in all is at most the accepted offer, else what is approved', () => {
    pay(APPROVED, { paid_amount: '40' }).then(started(2, '40.00'));
    pay(APPROVED, { paid_amount: '40', final: true }).then(started(2, '40.00', { isFinal: true }));
    pay([...APPROVED, paid(1, '40.00')], { paid_amount: '60.01' }).thenRefused('amount_too_high', {
      fields: [{ field: 'paid_amount', message: 'must be at most 60.00, what is left to pay' }],
      members: { limit: '60.00' },
    });
    const offered = [...APPROVED, claimEvent('ClaimOfferSent', { offerAmount: '70.00' }), EVENT_TO['offer accepted']];
    pay(offered).then(started(2, '70.00', { isFinal: true }));
    pay(offered, { paid_amount: '70.01' }).thenRefused('amount_too_high', { members: { limit: '70.00' } });
  });

  test('of an import without an approved amount is at most the claimed amount in all', () => {
    const none = { approvedAmount: null, offerAmount: null, payment: null };
    const open = [filed(), claimEvent('ClaimSettlementImported', { stage: 'approved', ...none })];
    pay(open).then(started(2, '100.00', { isFinal: true }));
    pay([...open, paid(1, '40.00')], { paid_amount: '60.01' }).thenRefused('amount_too_high');
  });

  test('of 0.00 closes a claim of which something was paid, without an entry', () => {
    const closing = paid(1, '0.00', { payment: null, isFinal: true, outstanding: '0.00' });
    pay([...APPROVED, paid(1, '40.00')], { paid_amount: '0', final: true }).then(closing);
    pay([...APPROVED, paid(1, '40.00')], { paid_amount: '0' }).thenRefused('invalid_request');
    pay(APPROVED, { paid_amount: '0', final: true }).thenRefused('invalid_request');
    const taken = [...APPROVED, paid(1, '40.00'), reversed(1, '40.00', 'approved')];
    pay(taken, { paid_amount: '0', final: true }).thenRefused('invalid_request');
  });

  test('is dated from the approval or the accepted offer to today', () => {
    const earlier = [...MOVES_TO['pending approval'], approved('100.00', { effectiveAt: '2026-02-20' })];
    const on = (paid_on: string, ...more: readonly GivenEvent[]) => pay([filed(), ...earlier, ...more], { paid_on });
    on('2026-02-20').then(
      started(2, '100.00', { payment: { ...payment(2, '100.00'), paidOn: '2026-02-20' }, isFinal: true }),
    );
    on('2026-02-19').thenRefused('invalid_request');
    on('2026-03-03').thenRefused('invalid_request');
    on('2026-02-21', EVENT_TO['offer sent'], EVENT_TO['offer accepted']).thenRefused('invalid_request');
  });

  test('records its reference, and the coverage and day for which the policy books it', () => {
    const unnamed = [filed({}, null), ...MOVES_TO['pending approval'], approved('100.00', { coverage: null })];
    pay(unnamed, { reference: 'TR-1' }).then(
      started(2, '100.00', {
        payment: { ...payment(2, '100.00'), reference: 'TR-1' },
        coverageName: null,
        isFinal: true,
      }),
    );
  });

  test('is refused where the limit of the coverage would be passed, counting every payment', () => {
    const limited = (...payments: object[]) => ({
      policyState: policyWith([coverage('Theft', '100.00')], ...payments),
    });
    pay(APPROVED, limited({ amount: '60.00' })).thenRefused('amount_too_high', {
      fields: [{ field: 'paid_amount', message: 'must be at most 40.00, what is left of the limit of the coverage' }],
      members: { limit: '40.00' },
    });
    pay([...APPROVED, paid(1, '40.00')], limited({ claimId: sampleId('claim', 1), amount: '40.00' })).then(
      started(2, '60.00', { isFinal: true }),
    );
  });

  test('is refused where the incident is no longer covered', () => {
    for (const policyState of [policyEndedBefore([coverage('Theft')]), policyWith([coverage('Fire')])])
      pay(APPROVED, { policyState }).thenRefused('incident_no_longer_covered');
  });
});

describe('A reversal', () => {
  const reverse = (history: readonly GivenEvent[], payment_id: string) =>
    given(...history).when(reversePayment, { today: TODAY, payment_id, reason: 'twice' });
  const one = sampleId('payment', 1);

  test('begins with a payment of the claim that was not reversed', () => {
    const partPaid = [...APPROVED, paid(1, '40.00')];
    reverse(partPaid, one).then(claimEvent('ClaimPaymentReversalStarted', { paymentId: one, reason: 'twice' }));
    reverse(partPaid, sampleId('payment', 2)).thenRefused('invalid_request');
    reverse([...partPaid, reversed(1, '40.00', 'approved')], one).thenRefused('payment_already_reversed');
  });
});

describe('What has started on a claim ends', () => {
  const finish = (history: readonly GivenEvent[], refused?: object) =>
    given(...history).when(finishClaimPayment, { today: '2026-03-09', refused } as never);
  const reversing = (history: readonly GivenEvent[]) =>
    finish([
      ...history,
      claimEvent('ClaimPaymentReversalStarted', { paymentId: sampleId('payment', 1), reason: 'twice' }),
    ]);
  const taken = (stage: string, outstanding: string, amount = '40.00') =>
    claimEvent('ClaimPaymentReversed', {
      paymentId: sampleId('payment', 1),
      amount,
      reason: 'twice',
      stage,
      outstanding,
    });

  test('a payment as paid, with what is left', () => {
    finish([...APPROVED, started(2, '40.00')]).then(paid(2, '40.00', { outstanding: '60.00' }));
    finish([...APPROVED, started(2, '40.00', { isFinal: true })]).then(paid(2, '40.00', { isFinal: true }));
    finish([...APPROVED, paid(1, '40.00'), started(2, '60.00', { isFinal: true })]).then(
      paid(2, '60.00', { isFinal: true }),
    );
  });

  test('a payment as rejected, where the policy refused it', () => {
    const refused = { reason: 'amount_too_high', limitLeft: '10.00' };
    const rejected = { paymentId: sampleId('payment', 2), ...refused, effectiveAt: '2026-03-09' };
    finish([...APPROVED, started(2, '40.00')], refused).then(claimEvent('ClaimPaymentRejected', rejected));
  });

  test('a reversal on the day on which it was decided; a paid claim is open again', () => {
    const closed = paid(1, '40.00', { isFinal: true });
    reversing([...APPROVED, closed]).then(taken('approved', '100.00'));
    const offered = [...MOVES_TO['offer accepted'].slice(0, 2), approved('100.00'), EVENT_TO['offer sent']];
    reversing([filed(), ...offered, EVENT_TO['offer accepted'], closed]).then(taken('offer accepted', '100.00'));
  });

  test('a reversal, with the claim where it was, if it was not paid', () => {
    reversing([...APPROVED, paid(1, '40.00'), paid(2, '10.00')]).then(taken('approved', '90.00'));
    const reopened = claimEvent('ClaimReopened', { reason: 'more' });
    const closed = paid(1, '40.00', { isFinal: true });
    reversing([...APPROVED, closed, reopened]).then(taken('under review', '0.00'));
  });

  test('once', () => finish([...APPROVED, paid(2, '40.00')]).thenNothing());
});

describe('The policy', () => {
  const claimId = sampleId('claim', 1);
  const paymentId = sampleId('payment', 1);
  const facts = () => ({ ...policyIds(COVERED), claimId, paymentId, effectiveAt: TODAY });
  const bookings = {
    aggregate: policy,
    decide: (state: PolicyState | undefined, pending: PendingPayment) => {
      if (state === undefined) throw new Error('the policy exists');
      return decideBooking(state, { claimId, pending });
    },
  };
  const book = (
    history: readonly GivenEvent[],
    { amount = '40.00', coverageName = 'Theft' }: { amount?: string; coverageName?: string | null } = {},
  ) => {
    const payment = { paymentId, amount, paidOn: TODAY, reference: null };
    const pending = { kind: 'payment', payment, coverageName, incidentDate: INCIDENT, isFinal: false } as const;
    return given(...history).when(bookings, pending);
  };
  const booked = (changes: object = {}) => ({
    type: 'ClaimPaymentBooked',
    data: {
      ...facts(),
      termId: COVERED.terms[0]?.termId,
      coverageName: 'Theft',
      incidentDate: INCIDENT,
      amount: '40.00',
      ...changes,
    },
  });
  const refused = (reason: string, limitLeft: string | null) => ({
    type: 'ClaimPaymentRefused',
    data: { ...facts(), reason, limitLeft },
  });
  const limited = policyEvents([coverage('Theft', '100.00')], { amount: '60.00' });
  const ended = policyEndedEvents([coverage('Theft')]);

  test('books a payment up to the limit of the coverage', () => {
    book(limited).then(booked());
    book(limited, { coverageName: null, amount: '40.01' }).then(booked({ coverageName: null, amount: '40.01' }));
  });

  test('records that it refuses another, so that no later attempt books it', () => {
    book(limited, { amount: '40.01' }).then(refused('amount_too_high', '40.00'));
    book(ended).then(refused('incident_no_longer_covered', null));
  });

  test('books a payment of another book whatever the limit is', () => {
    const payment = { paymentId, amount: '40.01', paidOn: TODAY, reference: null };
    const imports = {
      aggregate: policy,
      decide: (state: PolicyState | undefined, incident: { readonly coverageName: string }) =>
        state === undefined ? [] : [paymentBooked(state, { claimId, payment, incidentDate: INCIDENT, ...incident })],
    };
    given(...limited)
      .when(imports, { coverageName: 'Theft' })
      .then(booked({ amount: '40.01' }));
    given(...ended)
      .when(imports, { coverageName: 'Theft' })
      .thenRefused('incident_no_longer_covered');
  });

  test('takes a booked payment off, once', () => {
    const reversal = { kind: 'reversal', paymentId, reason: 'twice', effectiveAt: TODAY } as const;
    const off = (history: readonly GivenEvent[]) => given(...history).when(bookings, reversal);
    off(policyEvents([coverage('Theft')], { paymentId })).then({
      type: 'ClaimPaymentUnbooked',
      data: { ...facts(), amount: '10.00' },
    });
    off(limited).thenNothing();
  });
});
