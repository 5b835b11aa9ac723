import { describe, expect, test } from '@jest/globals';
import {
  claimImported,
  claimReviewStarted,
  claimSettled,
  sampleId,
  MERCHANT_ID,
  toRecorded,
} from '../../test/support/sample-events.ts';
import { type ClaimDocument, claims } from './claims.ts';

const foldEvents = (...events: ReturnType<typeof toRecorded>) =>
  events.reduce<ClaimDocument | undefined>((document, event) => claims.fold(document, event), undefined);

describe('claims', () => {
  test('lists filing and settlement in the timeline', () => {
    const document = foldEvents(...toRecorded(claimImported(1, 1, 1), claimSettled(1, 1, 1)));
    expect(document?.view).toMatchObject({
      claim_status: 'paid',
      claim_amount: '50.00',
      policy: sampleId('policy', 1),
      merchant_short_code: 'ABA-0001',
      environment_id: 1,
      test_mode: false,
      time_zone: 'UTC',
    });
    expect(document?.view.claim_status_timeline.map(({ name }) => name)).toEqual(['submitted', 'paid']);
  });

  test('store the payment of a paid claim, with the claimed amount where no other is known', () => {
    const [filed, paid] = toRecorded(claimImported(1, 1, 1), claimSettled(1, 1, 1));
    expect(foldEvents(filed!)?.extra.payment).toBeNull();
    expect(foldEvents(filed!, paid!)?.extra.payment).toEqual({
      event_id: paid?.id,
      amount: '50.00',
      date: '2025-04-01',
    });
  });

  test('stores notes', () => {
    const document = foldEvents(...toRecorded(claimImported(1, 1, 1), claimReviewStarted(1, 1, 1)));
    expect(document?.view).toMatchObject({ claim_status: 'pending', notes: 'looked at' });
  });

  test('are found by merchant and mode, status, environment and reference', () => {
    const document = foldEvents(...toRecorded(claimImported(2, 3, 4)));
    expect(document && claims.indexes(document)).toEqual({
      owner: `${MERCHANT_ID}-live`,
      owner_status: `${MERCHANT_ID}-live pending`,
      environment: 1,
      open_customer: sampleId('customer', 2),
      reference: 'clm-4',
      policy: sampleId('policy', 3),
      customer: sampleId('customer', 2),
    });
    const settled = foldEvents(...toRecorded(claimImported(2, 3, 4), claimSettled(2, 3, 4)));
    expect(settled?.extra.date_resolved).toBe('2025-04-01');
    expect(settled && claims.indexes(settled)).toMatchObject({
      owner_status: `${MERCHANT_ID}-live paid`,
      customer: sampleId('customer', 2),
      open_customer: null,
    });
  });

  test('reject a move before the filing', () => {
    const [, move] = toRecorded(claimImported(1, 1, 1), claimReviewStarted(1, 1, 1));
    expect(() => move && claims.fold(undefined, move)).toThrow('ClaimReviewStarted.v1 came before what it changes');
  });
});
