import { expect, test } from '@jest/globals';
import { claimImported, claimReviewStarted, claimSettled, toRecorded } from '../test/support/sample-events.ts';
import type { ClaimEvent } from '../src/domain/claim/claim-events.ts';
import type { RecordedEvent } from '../src/event-sourcing/event.ts';
import { type AsOfState, documentAsOf, foldAsOf } from './as-of.ts';
import { type ClaimDocument, foldClaim } from './claims/claims.ts';

test.each([
  ['2025-03-01', undefined],
  ['2025-03-02', ['submitted']],
  ['2025-03-31', ['submitted']],
  ['2025-04-01', ['submitted', 'paid']],
  // The order is that of the log, whatever the business days.
  ['2026-03-01', ['submitted', 'under review', 'paid']],
])('a claim as of %s is folded from its filing and the events of that day and earlier ones', (day, names) => {
  const filed = claimImported(1, 1, 1);
  const samples = [
    { ...filed, data: { effectiveAt: '2025-03-02', ...filed.data } },
    claimReviewStarted(1, 1, 1),
    claimSettled(1, 1, 1),
  ];
  const events = toRecorded(...samples) as readonly RecordedEvent<ClaimEvent>[];
  const state = events.reduce<AsOfState<ClaimDocument> | undefined>(
    (folded, event) => foldAsOf(foldClaim, folded, event, day),
    undefined,
  );
  expect(documentAsOf(state)?.view.claim_status_timeline.map(({ name }) => name)).toEqual(names);
});
