import { describe, expect, test } from '@jest/globals';
import {
  claimImported,
  claimPaid,
  claimPaymentStarted,
  claimReviewStarted,
  claimSettled,
  sampleId,
  MERCHANT_ID,
  toRecorded,
} from '#test/support/sample-events.ts';
import { claimResourceOf } from './claim-resource.ts';
import { type ClaimDocument, claims } from './claims.ts';

const foldEvents = (...events: ReturnType<typeof toRecorded>) =>
  events.reduce<ClaimDocument | undefined>((document, event) => claims.fold(document, event), undefined);

const resourceOf = (document: ClaimDocument | undefined) => document && claimResourceOf(document.claim);

describe('claims', () => {
  test('lists filing and settlement in the timeline', () => {
    const document = foldEvents(...toRecorded(claimImported(1, 1, 1), claimSettled(1, 1, 1)));
    expect(resourceOf(document)).toMatchObject({
      claim_status: 'paid',
      claim_amount: '50.00',
      policy: sampleId('policy', 1),
      merchant_short_code: 'ABA-0001',
      environment_id: 1,
      test_mode: false,
      time_zone: 'UTC',
    });
    expect(resourceOf(document)?.claim_status_timeline.map(({ name }) => name)).toEqual(['submitted', 'paid']);
  });

  test('show what was paid', () => {
    const document = foldEvents(...toRecorded(claimImported(1, 1, 1), claimSettled(1, 1, 1)));
    expect(resourceOf(document)).toMatchObject({
      date_resolved: '2025-04-01',
      settlement: { paid_amount: '50.00', outstanding: '0.00' },
      payments: [
        {
          payment_id: sampleId('payment', 1),
          amount: '50.00',
          paid_on: '2025-04-01',
          reference: null,
          reversed_on: null,
        },
      ],
    });
  });

  test('are found by the start of a payment until it ends', () => {
    const events = toRecorded(
      claimImported(1, 1, 1),
      claimReviewStarted(1, 1, 1),
      claimPaymentStarted(1, 1, 1),
      claimPaid(1, 1, 1),
    );
    const since = (count: number) => claims.indexes(foldEvents(...events.slice(0, count))!).pending_since;
    expect([1, 2, 3, 4].map(since)).toEqual([null, null, events[2]?.metadata.recordedAt, null]);
  });

  test('stores notes', () => {
    const document = foldEvents(...toRecorded(claimImported(1, 1, 1), claimReviewStarted(1, 1, 1)));
    expect(resourceOf(document)).toMatchObject({ claim_status: 'pending', notes: 'looked at' });
  });

  test('are found by merchant and mode, stage, environment and reference', () => {
    const document = foldEvents(...toRecorded(claimImported(2, 3, 4)));
    const filed = document?.claim.filedOn;
    expect(document && claims.indexes(document)).toEqual({
      owner: `${MERCHANT_ID}-live`,
      owner_stage: `${MERCHANT_ID}-live submitted ${filed}`,
      insurer: `${sampleId('provider', 1)} live`,
      insurer_stage: `${sampleId('provider', 1)} live submitted ${filed}`,
      mode_stage: `live submitted ${filed}`,
      assignee_stage: null,
      environment: 1,
      open_customer: sampleId('customer', 2),
      reference: 'clm-4',
      policy: sampleId('policy', 3),
      customer: sampleId('customer', 2),
      pending_since: null,
    });
    const settled = foldEvents(...toRecorded(claimImported(2, 3, 4), claimSettled(2, 3, 4)));
    expect(settled && claims.indexes(settled)).toMatchObject({
      owner_stage: `${MERCHANT_ID}-live paid ${filed}`,
      customer: sampleId('customer', 2),
      open_customer: null,
      mode_stage: `live paid ${filed}`,
    });
  });

  test('reject a move before the filing', () => {
    const [, move] = toRecorded(claimImported(1, 1, 1), claimReviewStarted(1, 1, 1));
    expect(() => move && claims.fold(undefined, move)).toThrow('ClaimReviewStarted.v1 came before what it changes');
  });
});
