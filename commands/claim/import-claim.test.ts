import { beforeEach, describe, expect, test } from '@jest/globals';
import { claimResourceOf } from '#projections/resources.ts';
import { claim, claimStream } from '#domain/claim/claim.ts';
import { stateOf } from '#event-sourcing/aggregate.ts';
import type { ClaimEvent } from '#domain/claim/claim-events.ts';
import type { RecordedEvent } from '#event-sourcing/event.ts';
import type { AnyCommand } from '#event-sourcing/executor/command.ts';
import { givenMerchants, importPolicy, OTHER_MERCHANT } from '#test/support/imports.ts';
import { CommandHarness, invalidFields, TEST } from '#test/support/command-harness.ts';
import { policyStream } from '#domain/policy/policy.ts';
import { cancelPolicy } from '../policy/cancel-policy.ts';
import { setAutoRenew } from '../policy/set-auto-renew.ts';
import { rejectClaimOffer, reviewClaim, sendClaimOffer } from './claim-moves.ts';
import { payClaim } from './claim-payments.ts';
import { importClaim } from './import-claim.ts';

let harness: CommandHarness;
let policyId: string;

beforeEach(async () => {
  harness = new CommandHarness();
  await givenMerchants(harness);
  ({ policyId } = await importPolicy(harness));
});

const claimRow = (changes: Readonly<Record<string, string>> = {}): Record<string, string> => ({
  claim_reference_number: 'REF-1',
  policy_number: 'POL-1',
  claim_type: 'windscreen',
  incident_date: '2026-01-10',
  filed_on: '2026-01-11',
  claim_amount: '104',
  claim_status: 'paid',
  ...changes,
});

describe('A claim of an imported policy', () => {
  test('is recorded with its settlement in one append', async () => {
    const { events, result, created } = await harness.run(importClaim, claimRow({ resolved_on: '2026-02-01' }));
    expect(created).toBe(true);
    const ids = {
      claimId: result.claim_id,
      merchantId: expect.any(String),
      environmentId: 1,
      testMode: false,
      customerId: expect.any(String),
      policyId,
      currency: 'EUR',
    };
    expect(events.map(({ type, data, revision }) => ({ type, data, revision }))).toEqual([
      {
        type: 'ClaimImported',
        revision: 0,
        data: {
          ...ids,
          merchantShortCode: 'ACM-0001',
          effectiveAt: '2026-01-11',
          reference: 'REF-1',
          filedOn: '2026-01-11',
          claimant: { name: 'Ada Obi', email: 'ada@customers.example', phone: null },
          policyNumber: 'POL-1',
          details: {
            claimType: 'windscreen',
            incidentDate: '2026-01-10',
            incidentDescription: null,
            amount: '104.00',
          },
          coverage: null,
          insurer: { id: expect.any(String), name: 'Assurance' },
          product: { name: 'Private Motor', type: 'Auto' },
          timeZone: 'UTC',
        },
      },
      {
        type: 'ClaimSettlementImported',
        revision: 1,
        data: {
          ...ids,
          effectiveAt: '2026-02-01',
          stage: 'paid',
          approvedAmount: null,
          offerAmount: null,
          payment: { paymentId: expect.any(String), amount: '104.00', paidOn: '2026-02-01', reference: null },
        },
      },
    ]);
  });

  test.each([{}, { resolved_on: '' }])('is resolved on its filing day by default', async (changes) => {
    const { events } = await harness.run(importClaim, claimRow({ claim_status: 'denied', ...changes }));
    expect(events[1]?.data).toMatchObject({ stage: 'denied', effectiveAt: '2026-01-11' });
  });

  test('returns the same result for the same row, even after a cancellation', async () => {
    const first = await harness.run(importClaim, claimRow());
    await harness.run(cancelPolicy, { policy_id: policyId, cancellation_reason: 'sold' });
    const before = await harness.log();
    const again = await harness.run(importClaim, claimRow({ resolved_on: '' }));
    expect(again).toMatchObject({ replayed: true, result: first.result });
    expect(await harness.log()).toEqual(before);
  });

  test('is rejected when its reference is taken, also in another case, which may be that of another claim', async () => {
    await harness.run(importClaim, claimRow());
    const before = await harness.log();
    const refused = async (changes: object) =>
      await harness.expectRefusal(importClaim, { ...claimRow({ claim_amount: '5' }), ...changes });
    expect(await refused({})).toMatchObject({ code: 'claim_reference_taken' });
    expect(await refused({ claim_reference_number: 'ref-1' })).toMatchObject({
      code: 'number_differs_by_case',
      fields: [{ field: 'claim_reference_number', message: 'differs from the known REF-1 by case alone' }],
    });
    expect(await harness.log()).toEqual(before);
  });

  test('finds its policy by its number without case', async () => {
    const { events } = await harness.run(importClaim, claimRow({ policy_number: 'pol-1' }));
    expect(events[0]?.data).toMatchObject({ policyId });
  });

  test('reports the incident first when the reference is taken too', async () => {
    await harness.run(importClaim, claimRow());
    const refusal = await harness.expectRefusal(importClaim, claimRow({ incident_date: '2025-12-31' }));
    expect(refusal).toMatchObject({ code: 'incident_outside_every_term' });
    expect(invalidFields(refusal)).toEqual(['incident_date']);
  });

  test('leaves its reference free when it is rejected', async () => {
    await harness.expectRefusal(importClaim, claimRow({ incident_date: '2025-12-31' }));
    expect((await harness.run(importClaim, claimRow())).replayed).toBe(false);
  });

  test('does not share its reference with another merchant or mode', async () => {
    await harness.run(importClaim, claimRow());
    for (const environment of [TEST, OTHER_MERCHANT]) {
      expect((await harness.expectRefusal(importClaim, claimRow(), { environment })).code).toBe('policy_not_found');
      await importPolicy(harness, {}, { environment });
      expect((await harness.run(importClaim, claimRow(), { environment })).replayed).toBe(false);
    }
  });
});

describe('An open claim', () => {
  const view = async (id: unknown) => {
    const events = await harness.events(claimStream(String(id)));
    return claimResourceOf(stateOf(claim, events as RecordedEvent<ClaimEvent>[]));
  };
  const none = { approved_amount: null, offer_amount: null, paid_amount: null, outstanding: '104.00' };

  test.each([
    [{ claim_status: 'pending' }, { ...none, outstanding: null }],
    [{ claim_status: 'approved' }, none],
    [
      { claim_status: 'approved', approved_amount: '90' },
      { ...none, approved_amount: '90.00', outstanding: '90.00' },
    ],
    [{ claim_status: 'offer_sent' }, { ...none, offer_amount: '104.00' }],
    [
      { claim_status: 'offer_sent', approved_amount: '200' },
      { ...none, approved_amount: '200.00', offer_amount: '200.00', outstanding: '200.00' },
    ],
    [
      { claim_status: 'offer_accepted', approved_amount: '90' },
      { ...none, approved_amount: '90.00', offer_amount: '90.00', outstanding: '90.00' },
    ],
  ])('has its status from the day of its filing: %j', async (changes, settlement) => {
    const { result } = await harness.run(importClaim, claimRow(changes));
    const { claim_status } = changes;
    const stage = claim_status === 'pending' ? [] : [claim_status.replace('_', ' ')];
    expect(await view(result.claim_id)).toMatchObject({
      claim_status,
      settlement,
      claim_amount: '104.00',
      claim_date: '2026-01-11',
      claim_status_timeline: ['submitted', ...stage].map((name) => ({ name, time_stamp: '2026-01-11 00:00:00' })),
    });
  });

  test('goes on by the ordinary moves, with the amounts of its row', async () => {
    const next = async (status: string, command: AnyCommand, input: object = {}) => {
      const row = claimRow({ claim_reference_number: status, claim_status: status, approved_amount: '90' });
      if (status === 'pending') row.approved_amount = '';
      const claim_id = String((await harness.run(importClaim, row)).result.claim_id);
      await harness.run(command, { claim_id, ...input });
      return await view(claim_id);
    };
    expect((await next('pending', reviewClaim)).claim_status).toBe('pending');
    expect((await next('approved', sendClaimOffer)).settlement.offer_amount).toBe('90.00');
    expect((await next('offer_sent', rejectClaimOffer, { reason: 'too low' })).settlement.offer_amount).toBeNull();
    expect((await next('offer_accepted', payClaim)).settlement.paid_amount).toBe('90.00');
  });

  test.each([
    [{ claim_status: 'pending', approved_amount: '1' }, ['approved_amount']],
    [{ claim_status: 'pending', paid_amount: '1', resolved_on: '2026-02-01' }, ['paid_amount', 'resolved_on']],
    [{ claim_status: 'approved', resolved_on: '2026-02-01' }, ['resolved_on']],
    [{ claim_status: 'offer_sent', paid_amount: '1' }, ['paid_amount']],
    [{ claim_status: 'denied', paid_amount: '1' }, ['paid_amount']],
  ])('that contradicts itself is rejected: %j', async (changes, columns) => {
    const before = await harness.log();
    expect(invalidFields(await harness.expectRefusal(importClaim, claimRow(changes)))).toEqual(columns);
    expect(await harness.log()).toEqual(before);
  });
});

describe('A settled claim', () => {
  test.each([
    [{ claim_status: 'paid', approved_amount: '50', paid_amount: '60' }, ['50.00', '60.00']],
    [{ claim_status: 'paid', approved_amount: '50' }, ['50.00', '50.00']],
    [{ claim_status: 'paid' }, [null, '104.00']],
    [{ claim_status: 'paid', paid_amount: '0' }, [null, undefined]],
    [{ claim_status: 'denied', approved_amount: '50' }, ['50.00', undefined]],
  ])('has the amounts of its row, which are not compared: %j', async (changes, [approvedAmount, paid]) => {
    const { events } = await harness.run(importClaim, claimRow(changes));
    const payment = paid === undefined ? null : { amount: paid };
    expect(events[1]?.data).toMatchObject({ approvedAmount, offerAmount: null, payment });
    const booked = (await harness.events(policyStream(policyId))).filter(({ type }) => type === 'ClaimPaymentBooked');
    expect(booked.map(({ data }) => data)).toEqual(payment === null ? [] : [expect.objectContaining(payment)]);
  });
});

describe('An invalid row', () => {
  test('names every invalid field', async () => {
    const row = claimRow({
      claim_reference_number: ' ',
      incident_date: '2026-01-32',
      claim_amount: '1,50',
      claim_status: 'open',
      approved_amount: '-1',
      paid_amount: 'all',
      resolved_on: 'never',
      colour: 'red',
    });
    expect(invalidFields(await harness.expectRefusal(importClaim, row)).sort()).toEqual([
      'approved_amount',
      'claim_amount',
      'claim_reference_number',
      'claim_status',
      'colour',
      'incident_date',
      'paid_amount',
      'resolved_on',
    ]);
  });

  test('names days in the wrong order', async () => {
    const row = claimRow({ filed_on: '2026-01-09', resolved_on: '2026-01-08' });
    expect(invalidFields(await harness.expectRefusal(importClaim, row)).sort()).toEqual(['filed_on', 'resolved_on']);
  });
});

test('a claim in a term that is due is imported before the scheduler runs', async () => {
  await harness.run(setAutoRenew, { policy_id: policyId, auto_renew: true });
  harness.now = '2027-01-05T00:00:00.000Z';
  const row = claimRow({ incident_date: '2027-01-02', filed_on: '2027-01-03' });
  expect((await harness.run(importClaim, row)).created).toBe(true);
  const commands = (await harness.events(policyStream(policyId))).map(({ metadata }) => metadata.command.name);
  expect(commands.slice(-2)).toEqual(['RenewDuePolicy', 'ImportClaim']);
});

test('names the days of a claim that lie in the future', async () => {
  const row = claimRow({ incident_date: '2026-03-01', filed_on: '2026-03-02', resolved_on: '2026-03-03' });
  const before = await harness.log();
  expect(invalidFields(await harness.expectRefusal(importClaim, row))).toEqual(['filed_on', 'resolved_on']);
  expect(await harness.log()).toEqual(before);
});
