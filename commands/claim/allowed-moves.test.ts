import { describe, expect, test } from '@jest/globals';
import type { ZodObject } from 'zod';
import { type ClaimSender, allowedCommands } from '#domain/claim/claim-commands.ts';
import { claim, claimStream, type ClaimState } from '#domain/claim/claim.ts';
import type { ClaimEvent } from '#domain/claim/claim-events.ts';
import { policyStream } from '#domain/policy/policy.ts';
import { Refusal } from '#domain/refusals.ts';
import { STAGES } from '#domain/claim/stages.ts';
import { ROLES } from '#domain/values/rights.ts';
import { foldState } from '#event-sourcing/aggregate.ts';
import type { RecordedEvent } from '#event-sourcing/event.ts';
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
  policyEvents,
  reversed,
} from '#test/support/claim-histories.ts';
import { CommandHarness } from '#test/support/command-harness.ts';
import { given, type GivenEvent } from '#test/support/given.ts';
import { sampleId } from '#test/support/sample-events.ts';
import { COMMANDS } from '../registry.ts';

const CLAIM = sampleId('claim', 1);
const partPaid = [filed(), ...MOVES_TO.approved, paid(1, '40.00')];
const reopened = claimEvent('ClaimReopened', { reason: 'more' });
const imported = (amounts: object) =>
  claimEvent('ClaimSettlementImported', {
    stage: 'approved',
    approvedAmount: null,
    offerAmount: null,
    payment: null,
    ...amounts,
  });

/** Claims at each stage, and those whose payments or unknown amounts decide. */
const CLAIMS: Readonly<Record<string, readonly GivenEvent[]>> = {
  ...Object.fromEntries(STAGES.map((stage) => [stage, [filed(), ...MOVES_TO[stage]]])),
  'paid in part': partPaid,
  'paid in part, and given back': [...partPaid, reversed(1, '40.00', 'approved')],
  'paid, and reopened': [filed(), ...MOVES_TO.paid, reopened],
  'paid, reopened, and pending approval': [filed(), ...MOVES_TO.paid, reopened, EVENT_TO['pending approval']],
  'without an amount and a coverage': [filed({ amount: null }, null), ...MOVES_TO['pending approval']],
  'imported as approved without an amount': [filed({ amount: null }), imported({})],
  'imported as approved for 0.00': [filed({ amount: '0.00' }), imported({ approvedAmount: '0.00' })],
};

/** Values that a claim takes, where the table asks for a field. */
const VALUES: Readonly<Record<string, unknown>> = {
  assignee: null,
  reason: 'as agreed',
  text: 'called',
  approved_amount: '100.00',
  coverage_name: 'Theft',
  payment_id: payment(1, '40.00').paymentId,
  documents: [{ document_name: 'invoice.txt', evidence_type: null, blob: 'SW52b2ljZSAwODE1' }],
};
/** What a revision needs besides its reason: any change. */
const CHANGE = { ReviseClaim: { incident_description: 'at night' } };

const ofClaims = COMMANDS.filter(({ input }) => Object.hasOwn((input as ZodObject).shape, 'claim_id'));
const reader = (role: ClaimSender['role']): ClaimSender => ({ role, access: 'full', authority: null });

describe.each(Object.entries(CLAIMS))('A claim that is %s', (_, events) => {
  test('takes the commands that it allows, with the fields that they need, and no other command', async () => {
    const harness = new CommandHarness();
    harness.now = NOW;
    const paidOnce = { claimId: CLAIM, paymentId: payment(1, '40.00').paymentId, amount: '40.00' };
    await harness.given(policyStream(sampleId('policy', 1)), ...policyEvents([coverage('Theft', '500.00')], paidOnce));
    await harness.given(claimStream(CLAIM), ...events);
    const state = foldState(
      claim,
      (await harness.events(claimStream(CLAIM))) as RecordedEvent<ClaimEvent>[],
    ) as ClaimState;
    for (const role of ROLES) {
      const allowed = new Map<string, readonly string[]>(
        allowedCommands(state, reader(role)).map(({ name, fields }) => [name, fields]),
      );
      const taken = new Set<string>();
      for (const command of ofClaims.filter(({ roles }) => roles.includes(role as never))) {
        // A command that is not allowed gets all the values that it knows.
        const { shape } = command.input as ZodObject;
        const fields = allowed.get(command.name) ?? Object.keys(VALUES).filter((field) => Object.hasOwn(shape, field));
        const values = Object.fromEntries(fields.map((field) => [field, VALUES[field]]));
        const input = { claim_id: CLAIM, ...values, ...CHANGE[command.name as keyof typeof CHANGE] };
        const refusal = await harness.run(command, input, { isPreview: true }).catch((error: unknown) => error);
        if (refusal instanceof Refusal) continue;
        if (refusal instanceof Error) throw refusal;
        taken.add(command.name);
      }
      expect([role, [...taken].toSorted()]).toEqual([role, [...allowed.keys()].toSorted()]);
    }
  });
});

describe('What a claim allows', () => {
  const state = (...events: readonly GivenEvent[]) => given(...events).foldedBy(claim) as ClaimState;
  const names = (events: readonly GivenEvent[], rights: Partial<ClaimSender> = {}) =>
    allowedCommands(state(...events), { ...reader('claims'), ...rights }).map(({ name }) => name);
  const authority = { currency: 'NGN', approveUpTo: '30.00', payUpTo: '0.00', reserveUpTo: null };
  const pending = [filed(), ...MOVES_TO['pending approval']];

  test('is nothing to a reader who changes nothing, and while a payment is in flight', () => {
    const inFlight = claimEvent('ClaimPaymentStarted', {
      payment: payment(1, '40.00'),
      coverageName: 'Theft',
      incidentDate: INCIDENT,
      isFinal: false,
    });
    expect(names(pending, { access: 'read' })).toEqual([]);
    expect(names(pending, { role: 'auditor' })).toEqual([]);
    expect(names([...partPaid, inFlight])).toEqual([]);
  });

  test('leaves out what the authority allows for no amount', () => {
    const { currency } = state(filed());
    expect(names(pending, { authority: { ...authority, currency } })).toContain('ApproveClaim');
    expect(names(pending, { authority: { ...authority, currency: 'XTS' } })).not.toContain('ApproveClaim');
    const again = [filed(), ...MOVES_TO.approved, paid(1, '40.00', { isFinal: true }), reopened];
    expect(names([...again, EVENT_TO['pending approval']], { authority: { ...authority, currency } })).not.toContain(
      'ApproveClaim',
    );
    const payable = [...pending, approved('100.00')];
    expect(names(payable, { authority: { ...authority, currency } })).not.toContain('PayClaim');
    expect(names(partPaid, { authority: { ...authority, currency } })).toContain('PayClaim');
  });
});
