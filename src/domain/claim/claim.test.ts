import { describe, expect, test } from '@jest/globals';
import { CLAIM_STATUSES, MOVES, STAGES, type Stage, statusOf } from './stages.ts';
import type { ClaimEvent, ClaimMove } from './claim-events.ts';
import { type ClaimState, claim, stageAfter } from './claim.ts';
import type { ClaimResource } from '../../../projections/claims/claim-resource.ts';
import { claimResourceOf } from '../../../projections/resources.ts';
import { resolutionDay } from './claim.ts';
import type { RecordedEvent } from '../../event-sourcing/event.ts';
import { derivedId } from '../../event-sourcing/identifiers.ts';

const ids = {
  claimId: derivedId('claim'),
  merchantId: derivedId('merchant'),
  environmentId: 1,
  testMode: false,
  customerId: derivedId('customer'),
  policyId: derivedId('policy'),
};
const FILING = {
  merchantShortCode: 'ABA-0001',
  reference: 'CLAIM-20260301-0001',
  filedOn: '2026-03-01',
  claimant: { name: 'Ada Obi', email: 'ada@customers.example', phone: null },
  claimType: 'theft',
  incidentDate: '2026-02-01',
  amount: null,
  insurer: 'Assurance',
  product: { name: 'Private Motor', type: 'Auto' },
  timeZone: 'UTC',
};

/** Events of a stream with only the fields that folds read. */
function eventOf(type: ClaimEvent['type'], data: object = {}, recordedAt = '2026-03-05T08:09:10.011Z') {
  const effectiveAt = recordedAt.slice(0, 10);
  const stream = `claim-${ids.claimId}`;
  return {
    type,
    data: { effectiveAt, ...ids, ...data },
    stream,
    metadata: { recordedAt },
  } as RecordedEvent<ClaimMove>;
}
const SUBMITTED = eventOf('ClaimSubmitted', {
  ...FILING,
  documents: [
    { name: 'report', evidenceType: 'PDF', sha256: 'a'.repeat(64), bytes: 3, uploadedAt: '2026-03-05T08:09:10.000Z' },
  ],
});
const IMPORTED = eventOf('ClaimImported', { ...FILING, amount: '104.00', effectiveAt: '2026-03-01' });
const settlementImported = (stage: 'paid' | 'denied') =>
  eventOf('ClaimSettlementImported', {
    stage,
    ...{ approvedAmount: null, offerAmount: null, paidAmount: null },
    effectiveAt: '2026-03-03',
  });

/** One event for each stage. */
const EVENT_TO: Record<Stage, RecordedEvent<ClaimMove>> = {
  submitted: SUBMITTED,
  'under review': eventOf('ClaimReviewStarted', { note: 'first' }),
  'pending approval': eventOf('ClaimSentForApproval', { note: null }),
  approved: eventOf('ClaimApproved', { approvedAmount: '90.00' }),
  'offer sent': eventOf('ClaimOfferSent', { offerAmount: '90.00' }),
  'offer accepted': eventOf('ClaimOfferAccepted'),
  'offer rejected': eventOf('ClaimOfferRejected', { reason: 'too low' }),
  paid: eventOf('ClaimPaid', { paidAmount: null }, '2026-04-01T00:00:00.000Z'),
  denied: eventOf('ClaimDenied', { reason: 'second' }, '2026-04-02T23:59:59.999Z'),
};

const state = (...events: readonly RecordedEvent<ClaimEvent>[]): ClaimState =>
  events.reduce<ClaimState | undefined>(claim.evolve, undefined) as ClaimState;
const view = (...events: readonly RecordedEvent<ClaimEvent>[]): ClaimResource => claimResourceOf(events);

describe('The stages of a claim', () => {
  test.each(STAGES)('%s follows from its event', (stage) => {
    const event = EVENT_TO[stage];
    expect(stageAfter(event)).toBe(stage);
    const after = stage === 'submitted' ? state(event) : state(SUBMITTED, event);
    expect(after).toMatchObject({ stage, status: stage === 'paid' || stage === 'denied' ? 'resolved' : 'open' });
  });

  test('map to every status of the API', () => {
    expect([...new Set(STAGES.map(statusOf))]).toEqual([...CLAIM_STATUSES]);
  });

  test('allow only the documented moves', () => {
    const allowed = STAGES.flatMap((from) => MOVES[from].map((to) => `${from} → ${to}`));
    expect(allowed.sort()).toEqual(
      [
        'submitted → under review',
        'under review → pending approval',
        'pending approval → approved',
        'approved → paid',
        'approved → offer sent',
        'offer sent → offer accepted',
        'offer accepted → paid',
        'submitted → denied',
        'under review → denied',
        'pending approval → denied',
        'offer sent → denied',
        'offer sent → offer rejected',
        'offer rejected → offer sent',
        'offer rejected → denied',
      ].sort(),
    );
  });

  test('are final or lead to a final stage', () => {
    const ends = (stage: Stage): boolean =>
      stage === 'paid' || stage === 'denied' ? MOVES[stage].length === 0 : MOVES[stage].some(ends);
    expect(STAGES.every(ends)).toBe(true);
  });
});

describe('a submitted claim', () => {
  test('has every field of the resource', () => {
    expect(view(SUBMITTED)).toEqual({
      claim_id: ids.claimId,
      claim_reference_number: 'CLAIM-20260301-0001',
      claim_status: 'pending',
      claim_date: '2026-03-01',
      claimant: {
        customer_id: ids.customerId,
        customer_name: 'Ada Obi',
        customer_email: 'ada@customers.example',
        customer_phone: null,
      },
      claim_amount: null,
      settlement: { approved_amount: null, offer_amount: null, paid_amount: null },
      insurer: 'Assurance',
      product: { name: 'Private Motor', product_type: 'Auto' },
      policy: ids.policyId,
      merchant_short_code: 'ABA-0001',
      environment_id: 1,
      test_mode: false,
      time_zone: 'UTC',
      claim_status_timeline: [{ time_stamp: '2026-03-05 08:09:10', name: 'submitted' }],
      notes: null,
      documents: [
        {
          document_name: 'report',
          evidence_type: 'PDF',
          sha256: 'a'.repeat(64),
          uploaded_at: '2026-03-05T08:09:10.000Z',
        },
      ],
    });
  });

  test('has a timeline in the local time of its zone', () => {
    const inLagos = eventOf(
      'ClaimSubmitted',
      { ...SUBMITTED.data, timeZone: 'Africa/Lagos' },
      '2026-03-05T23:30:00.000Z',
    );
    const moved = eventOf('ClaimReviewStarted', { note: null }, '2026-03-06T08:00:00.000Z');
    expect(view(inLagos, moved).claim_status_timeline).toEqual([
      { time_stamp: '2026-03-06 00:30:00', name: 'submitted' },
      { time_stamp: '2026-03-06 09:00:00', name: 'under review' },
    ]);
    expect(state(inLagos, moved).timeZone).toBe('Africa/Lagos');
  });

  test('adds moves to timeline and notes', () => {
    const resource = view(SUBMITTED, EVENT_TO['under review'], EVENT_TO['pending approval'], EVENT_TO.denied);
    expect(resource.claim_status).toBe('denied');
    expect(resource.notes).toBe('first\nsecond');
    expect(resource.claim_status_timeline.map(({ name }) => name)).toEqual([
      'submitted',
      'under review',
      'pending approval',
      'denied',
    ]);
  });

  test('keeps stage and timeline when documents are added', () => {
    const before = view(SUBMITTED, EVENT_TO['under review']);
    const sha256 = 'b'.repeat(64);
    const added = eventOf('ClaimDocumentsAdded', {
      documents: [{ name: 'x', evidenceType: 'y', sha256, bytes: 4, uploadedAt: '2026-03-06T08:09:10.000Z' }],
    });
    const after = view(SUBMITTED, EVENT_TO['under review'], added);
    expect(after).toEqual({
      ...before,
      documents: [
        ...before.documents,
        { document_name: 'x', evidence_type: 'y', sha256, uploaded_at: '2026-03-06T08:09:10.000Z' },
      ],
    });
    expect(state(SUBMITTED, EVENT_TO['under review'], added)).toMatchObject({
      stage: 'under review',
      documents: { count: 2, bytes: 7 },
    });
  });

  test('is resolved on the day of the final move', () => {
    expect(resolutionDay(SUBMITTED)).toBeNull();
    expect(resolutionDay(EVENT_TO.approved)).toBeNull();
    expect(resolutionDay(EVENT_TO.paid)).toBe('2026-04-01');
    expect(resolutionDay(EVENT_TO.denied)).toBe('2026-04-02');
  });
});

describe('an imported claim', () => {
  test.each(['paid', 'denied'] as const)('that was %s has business days in its timeline', (status) => {
    const resource = view(IMPORTED, settlementImported(status));
    expect(resource).toMatchObject({ claim_status: status, claim_amount: '104.00', documents: [], notes: null });
    expect(resource.claim_status_timeline).toEqual([
      { time_stamp: '2026-03-01 00:00:00', name: 'submitted' },
      { time_stamp: '2026-03-03 00:00:00', name: status },
    ]);
    expect(resolutionDay(settlementImported(status))).toBe('2026-03-03');
    expect(state(IMPORTED, settlementImported(status))).toMatchObject({ status: 'resolved', stage: status });
  });
});

describe('an imported claim in another time zone', () => {
  test('has business days in its timeline', () => {
    const inNewYork = eventOf('ClaimImported', { ...IMPORTED.data, timeZone: 'America/New_York' });
    const times = view(inNewYork, settlementImported('paid')).claim_status_timeline.map(({ time_stamp }) => time_stamp);
    expect(times).toEqual(['2026-03-01 00:00:00', '2026-03-03 00:00:00']);
  });
});

describe('a stream without a filing', () => {
  test.each(STAGES.filter((stage) => stage !== 'submitted'))('cannot move to %s', (stage) => {
    expect(() => state(EVENT_TO[stage])).toThrow('before the claim exists');
    expect(() => view(EVENT_TO[stage])).toThrow('came before what it changes');
  });
});
