import { beforeEach, describe, expect, test } from '@jest/globals';
import { claim, claimIds, type ClaimIds, claimStream } from '#domain/claim/claim.ts';
import { stateOf } from '#event-sourcing/aggregate.ts';
import { derivedId } from '#event-sourcing/identifiers.ts';
import { givenMerchants, importPolicy, OTHER_MERCHANT } from '#test/support/imports.ts';
import { CommandHarness, invalidFields, LIVE, MERCHANT, TEST } from '#test/support/command-harness.ts';
import type { AnyCommand } from '#event-sourcing/executor/command.ts';
import {
  acceptClaimOffer,
  approveClaim,
  denyClaim,
  rejectClaimOffer,
  reviewClaim,
  sendClaimForApproval,
  reopenClaim,
  sendClaimOffer,
  withdrawClaim,
} from './claim-moves.ts';
import { payClaim, reversePayment } from './claim-payments.ts';
import { setAutoRenew } from '../policy/set-auto-renew.ts';
import { addClaimNote, reviseClaim } from './revise-claim.ts';
import { submitClaim } from './submit-claim.ts';
import { claimResourceOf } from '#projections/resources.ts';
import type { ClaimEvent } from '#domain/claim/claim-events.ts';
import type { RecordedEvent } from '#event-sourcing/event.ts';

let harness: CommandHarness;
let claimId: string;
let policyId: string;

beforeEach(async () => {
  harness = new CommandHarness();
  await givenMerchants(harness);
  ({ policyId } = await importPolicy(harness));
  const claim_details = { claim_type: 'theft', incident_date: '2026-02-01', claim_amount: '100.00' };
  claimId = (await harness.run(submitClaim, { policy_id: policyId, claim_details })).result.claim_id as string;
});

const move = async (command: AnyCommand, input: object = {}) =>
  await harness.run(command, { claim_id: claimId, ...input });
const resource = async () =>
  claimResourceOf(
    stateOf(claim, (await harness.events(claimStream(claimId))) as RecordedEvent<ClaimEvent>[]),
    ({ label, role }) => label ?? role,
  );

describe('A claim that moves', () => {
  test('shows notes and the reason in their order', async () => {
    await move(reviewClaim, { note: ' Looks right. ' });
    await move(sendClaimForApproval);
    expect((await resource()).notes).toBe('Looks right.');
    await move(denyClaim, { reason: 'Not covered.' });
    expect((await resource()).notes).toBe('Looks right.\nNot covered.');
  });

  test('has the day of its time zone on which the move was decided', async () => {
    const [filed] = await harness.events(claimStream(claimId));
    const inLagos = derivedId('claim', 'lagos');
    await harness.given(claimStream(inLagos), {
      type: 'ClaimSubmitted',
      data: { ...(filed?.data as object), claimId: inLagos, timeZone: 'Africa/Lagos' },
    });
    harness.now = '2026-03-01T23:30:00.000Z';
    const { events } = await harness.run(denyClaim, { claim_id: inLagos, reason: 'no cover' });
    expect(events[0]?.data).toMatchObject({ effectiveAt: '2026-03-02' });
  });
});

describe('A merchant', () => {
  test('withdraws a claim, and adds notes under the label of its key', async () => {
    const { claim_reference_number: claim_id } = await resource();
    const sent = { environment: LIVE, actor: { ...MERCHANT, label: 'till' } };
    await harness.run(addClaimNote, { claim_id, text: ' Called. ' }, sent);
    await harness.run(addClaimNote, { claim_id, text: 'Again.' }, { environment: LIVE, actor: MERCHANT });
    const { result } = await harness.run(withdrawClaim, { claim_id, reason: 'Filed twice.' }, sent);
    expect(result).toEqual({ claim_status: 'withdrawn' });
    const { notes, note_entries, date_resolved } = await resource();
    expect({ notes, date_resolved }).toEqual({ notes: 'Called.\nAgain.\nFiled twice.', date_resolved: '2026-03-01' });
    expect(note_entries.map(({ by, text }) => [by, text])).toEqual([
      ['till', 'Called.'],
      ['merchant', 'Again.'],
    ]);
  });
});

describe('A revision', () => {
  test('changes something', async () => {
    const refusal = await harness.expectRefusal(reviseClaim, { claim_id: claimId, reason: 'typo' });
    expect(refusal.code).toBe('invalid_request');
  });

  test('finds an incident in a renewal that was due, as a filing does', async () => {
    await harness.run(setAutoRenew, { policy_id: policyId, auto_renew: true });
    harness.now = '2027-03-01T12:00:00.000Z';
    const { events } = await move(reviseClaim, { incident_date: '2027-02-28', reason: 'typo' });
    expect(events[0]?.data).toMatchObject({ details: { incidentDate: '2027-02-28' } });
  });
});

describe('An offer that a merchant answers', () => {
  beforeEach(async () => {
    for (const command of [reviewClaim, sendClaimForApproval, approveClaim, sendClaimOffer]) await move(command);
  });

  test('is accepted by the id or the reference of the claim', async () => {
    const { claim_reference_number } = await resource();
    const { events } = await harness.run(
      acceptClaimOffer,
      { claim_id: claim_reference_number.toLowerCase() },
      { environment: LIVE, actor: MERCHANT },
    );
    expect(events[0]).toMatchObject({ type: 'ClaimOfferAccepted', stream: claimStream(claimId) });
  });

  test('is rejected with a reason that joins the notes', async () => {
    const sent = { claim_id: claimId.toUpperCase(), reason: ' Too low. ' };
    const { result } = await harness.run(rejectClaimOffer, sent, { environment: LIVE, actor: MERCHANT });
    expect(result).toEqual({ claim_status: 'approved' });
    expect((await resource()).notes).toBe('Too low.');
  });

  test.each([
    ['another merchant', OTHER_MERCHANT],
    ['the other mode', TEST],
  ])('is not found by %s', async (_who, environment) => {
    const { claim_reference_number } = await resource();
    for (const key of [claimId, claim_reference_number, 'CLAIM-ACM-0001-20260301-9999']) {
      const refusal = await harness.expectRefusal(acceptClaimOffer, { claim_id: key }, { environment });
      expect(refusal.code).toBe('claim_not_found');
    }
  });

  test('is not found by its reference outside an environment', async () => {
    const { claim_reference_number } = await resource();
    const refusal = await harness.expectRefusal(acceptClaimOffer, { claim_id: claim_reference_number });
    expect(refusal.code).toBe('claim_not_found');
  });
});

describe('A claim with 3 MiB of reasons', () => {
  /** Three bytes a character. */
  const reason = '\uac00'.repeat(2_000);

  beforeEach(async () => {
    const [{ data } = { data: {} }] = await harness.events(claimStream(claimId));
    const ids = { ...claimIds(data as ClaimIds), effectiveAt: '2026-03-01' };
    await harness.given(claimStream(claimId), { type: 'ClaimWithdrawn', data: { ...ids, reason } });
    for (let megabyte = 0; megabyte < 4; megabyte += 1)
      await harness.given(
        claimStream(claimId),
        ...Array.from({ length: 132 }, () => ({ type: 'ClaimReopened', data: { ...ids, reason } })),
      );
    await move(sendClaimForApproval);
    await move(approveClaim);
  });

  test('takes nothing that it could take again and again', async () => {
    const allowed = ['PayClaim', 'DenyClaim', 'WithdrawClaim'];
    const repeated = [
      [sendClaimOffer, {}],
      [reviseClaim, { claim_amount: '99.00', reason }],
      [payClaim, { paid_amount: '1.00' }],
    ] as const;
    for (const [command, input] of repeated)
      expect(await harness.expectRefusal(command as AnyCommand, { claim_id: claimId, ...input })).toMatchObject({
        code: 'claim_move_not_allowed',
        members: { allowed },
      });
    await move(denyClaim, { reason });
    expect(await harness.expectRefusal(reopenClaim, { claim_id: claimId, reason })).toMatchObject({
      code: 'claim_move_not_allowed',
      members: { allowed: [] },
    });
  });

  test('is paid in full, and keeps its payment', async () => {
    await move(addClaimNote, { text: reason });
    const { result } = await move(payClaim, { paid_amount: '1.00', final: true });
    expect(result).toMatchObject({ claim_status: 'paid' });
    const input = { claim_id: claimId, payment_id: result.payment_id, reason };
    expect((await harness.expectRefusal(reversePayment, input)).code).toBe('claim_move_not_allowed');
  });
});

describe('An invalid body', () => {
  test.each([
    [reviewClaim, { note: '', more: 1 }, ['claim_id', 'more', 'note']],
    [sendClaimForApproval, { note: 1 }, ['claim_id', 'note']],
    [approveClaim, { approved_amount: 1.005 }, ['approved_amount', 'claim_id']],
    [sendClaimOffer, { offer_amount: '1.001' }, ['claim_id', 'offer_amount']],
    [acceptClaimOffer, { note: 'yes' }, ['claim_id', 'note']],
    [rejectClaimOffer, { note: 'no' }, ['claim_id', 'note', 'reason']],
    [payClaim, { paid_amount: '-1', paid_on: '1 May', final: 'yes' }, ['claim_id', 'final', 'paid_amount', 'paid_on']],
    [reversePayment, { payment_id: 1 }, ['claim_id', 'payment_id', 'reason']],
    [withdrawClaim, { reason: '' }, ['claim_id', 'reason']],
    [reopenClaim, {}, ['claim_id', 'reason']],
    [reviseClaim, { claim_amount: '-1' }, ['claim_amount', 'claim_id', 'reason']],
    [addClaimNote, { text: '' }, ['claim_id', 'text']],
    [denyClaim, {}, ['claim_id', 'reason']],
  ] as const)('names every invalid field', async (command, body, fields) => {
    expect(invalidFields(await harness.expectRefusal(command as AnyCommand, body)).sort()).toEqual([...fields]);
  });
});
