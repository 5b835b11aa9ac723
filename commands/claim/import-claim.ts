import { z } from 'zod';
import { idOf } from '#event-sourcing/aggregate.ts';
import { ClaimImported, type ClaimEvent, ClaimSettlementImported, type Payment } from '#domain/claim/claim-events.ts';
import { CLAIM_STATUSES, type ClaimStatus } from '#domain/claim/stages.ts';
import { claim, claimStream, type ClaimIds, claimTags } from '#domain/claim/claim.ts';
import { type Day, day } from '#event-sourcing/time.ts';
import type { NewEvent } from '#event-sourcing/event.ts';
import { canonicalMoney, moneyNotNegativeInput } from '#domain/values/money.ts';
import type { IncidentCover } from '#domain/policy/claim-payments.ts';
import { type PolicyState, policy, policyTags } from '#domain/policy/policy.ts';
import { refusalsOf } from '#domain/refusals.ts';
import { todayOf } from '#domain/policy/cover.ts';
import { targetOf } from '#domain/reservations.ts';
import type { Decision } from '#event-sourcing/executor/command.ts';
import { type CommandContext, defineCommand } from '../command.ts';
import { recordDueChanges } from '../policy/due-changes.ts';
import { checkSameNumber, checkSameNumberErrors, policyNumberReservation } from '../policy/find-policy.ts';
import { checkNotInFuture, identityOfRow, isFilled, optionalAmount, optionalDay } from '../policy/import-row.ts';
import { withCrossFieldCheck, isBefore } from '../shared/checks.ts';
import { line, pathName } from '../shared/fields.ts';
import { type ExistingStream, requireExisting } from '../shared/require-existing.ts';
import { claimReferenceReservation, requireCover, coverageOf, filingDetails, newClaimIds } from './filing.ts';
import { noLongerCoveredErrors, paymentBooked } from './finish-payment.ts';

const refuse = refusalsOf('policy_not_found', 'claim_reference_taken', 'incident_outside_every_term');

/**
 * Statuses in which a claim cannot have the column. A denied claim may have been approved: its offer was not accepted.
 */
const CONTRADICTED_BY: Readonly<Record<string, readonly ClaimStatus[]>> = {
  approved_amount: ['pending'],
  paid_amount: CLAIM_STATUSES.filter((status) => status !== 'paid'),
  resolved_on: CLAIM_STATUSES.filter((status) => !['paid', 'denied', 'withdrawn'].includes(status)),
};

/** One row of a claims file. */
export const importClaimInput = withCrossFieldCheck(
  z.strictObject({
    claim_reference_number: pathName(100),
    policy_number: line(255),
    claim_type: line(100),
    incident_date: day,
    filed_on: day,
    claim_amount: moneyNotNegativeInput,
    claim_status: z.enum(CLAIM_STATUSES),
    approved_amount: optionalAmount,
    paid_amount: optionalAmount,
    resolved_on: optionalDay,
  }),
  (row, addIssue) => {
    const { incident_date: incident, filed_on: filed, resolved_on: resolved, claim_status: status } = row;
    if (isBefore(filed, incident)) addIssue(['filed_on'], 'must not be before incident_date');
    if (isBefore(resolved, filed)) addIssue(['resolved_on'], 'must not be before filed_on');
    for (const [column, contradicted] of Object.entries(CONTRADICTED_BY)) {
      if (isFilled(row[column]) && contradicted.some((each) => each === status))
        addIssue([column], `contradicts the status "${String(status)}"`);
    }
  },
);

type ClaimRow = z.output<typeof importClaimInput>;

interface ClaimImport {
  readonly policy: PolicyState;
  /** Id of the payment, if the claim is paid. */
  readonly paymentId: string;
  readonly row: ClaimRow;
  readonly ids: ClaimIds;
}

/** Imports a claim: its filing and how far it has come. @throws {Refusal} when the incident is outside every term */
function decideClaimImport(
  _state: undefined,
  { policy: policyState, row, ids, paymentId }: ClaimImport,
): readonly NewEvent<ClaimEvent>[] {
  const cover = importedCover(policyState, row);
  const filing = {
    ...ids,
    ...filingDetails(policyState),
    reference: row.claim_reference_number,
    filedOn: row.filed_on,
    details: {
      claimType: row.claim_type,
      incidentDate: row.incident_date,
      incidentDescription: null,
      amount: canonicalMoney(row.claim_amount),
    },
    coverage: coverageOf(cover, undefined, 'coverage_name'),
    effectiveAt: row.filed_on,
  };
  return [{ type: ClaimImported.type, data: filing }, ...settlementEvents(row, ids, paymentId)];
}

/** @throws {Refusal} when the incident is outside every term */
function importedCover(policyState: PolicyState, { incident_date: incidentDate }: ClaimRow): IncidentCover {
  return requireCover(policyState, incidentDate, 'incident_date', (detail, fields) =>
    refuse('incident_outside_every_term', detail, { fields }),
  );
}

/**
 * Returns what a paid row paid: `paid_amount`, else `approved_amount`, else `claim_amount`; null for another row, and
 * for 0.00.
 */
function paymentOf(row: ClaimRow, paymentId: string): Payment | null {
  if (row.claim_status !== 'paid') return null;
  const amount = amountOf(row.paid_amount) ?? amountOf(row.approved_amount) ?? canonicalMoney(row.claim_amount);
  return amount === '0.00' ? null : { paymentId, amount, paidOn: resolutionDay(row), reference: null };
}

function resolutionDay({ resolved_on: resolved, filed_on: filed }: ClaimRow): Day {
  return isFilled(resolved) ? resolved : filed;
}

/** A pending claim goes on from its filing. */
function settlementEvents(row: ClaimRow, ids: ClaimIds, paymentId: string): readonly NewEvent<ClaimEvent>[] {
  if (row.claim_status === 'pending') return [];
  const hasOffer = row.claim_status === 'offer_sent' || row.claim_status === 'offer_accepted';
  const approvedAmount = amountOf(row.approved_amount);
  const data = {
    ...ids,
    stage: STAGE_OF[row.claim_status],
    approvedAmount,
    offerAmount: hasOffer ? (approvedAmount ?? canonicalMoney(row.claim_amount)) : null,
    payment: paymentOf(row, paymentId),
    effectiveAt: resolutionDay(row),
  };
  return [{ type: ClaimSettlementImported.type, data }];
}

const STAGE_OF = {
  approved: 'approved',
  offer_sent: 'offer sent',
  offer_accepted: 'offer accepted',
  paid: 'paid',
  denied: 'denied',
  withdrawn: 'withdrawn',
} as const;

function amountOf(cell: string | undefined): string | null {
  return isFilled(cell) ? canonicalMoney(cell) : null;
}

/** Returns the policy with its due changes recorded. @throws {Refusal} */
async function policyOfNumber(context: CommandContext, policyNumber: string): Promise<ExistingStream<PolicyState>> {
  const detail = 'There is no policy of this number';
  const reserved = await context.findReservation(policyNumberReservation(context.environment, policyNumber));
  const loaded = reserved && (await context.load(policy, targetOf(reserved)));
  if (loaded === undefined) throw refuse('policy_not_found', detail);
  const found = requireExisting(loaded, () => refuse('policy_not_found', detail));
  return await recordDueChanges(context, found, false);
}

/**
 * Returns how the policy books what an imported claim was paid; undefined where it was paid nothing, or where this is
 * booked already.
 */
function bookingOf(
  target: ExistingStream<PolicyState>,
  [filing, settlement]: readonly NewEvent<ClaimEvent>[],
): Decision['preceding'] {
  if (filing?.type !== 'ClaimImported' || settlement?.type !== 'ClaimSettlementImported') return undefined;
  const { claimId, coverage, details } = filing.data;
  const { payment } = settlement.data;
  const { state } = target;
  if (payment === null || state.payments.some(({ paymentId }) => paymentId === payment.paymentId)) return undefined;
  const incident = { coverageName: coverage?.name ?? null, incidentDate: details.incidentDate };
  return { target, events: [paymentBooked(state, { claimId, payment, ...incident })], tags: policyTags(state) };
}

export const importClaim = defineCommand({
  name: 'ImportClaim',
  summary: 'Imports one claim of another book; sending the same row again changes nothing.',
  description:
    'Imports one claim from another system, open or settled. An open claim goes on from its status by the ordinary commands. Repeating a row changes nothing.',
  input: importClaimInput,
  example: {
    claim_reference_number: 'OLD-0007',
    policy_number: 'BAO-MOTOR-0002',
    claim_type: 'Collision',
    incident_date: '2026-02-03',
    filed_on: '2026-02-04',
    claim_amount: '80000.00',
    claim_status: 'paid',
    resolved_on: '2026-02-20',
  },
  response: z.strictObject({ claim_id: z.uuid() }),
  errors: [...refuse.codes, ...checkSameNumberErrors, ...noLongerCoveredErrors],
  roles: ['admin'],
  inEnvironment: true,
  creates: true,
  identity: identityOfRow,
  aggregate: claim,
  decide: decideClaimImport,
  handle: async (row, context) => {
    const stream = claimStream(context.derive('claim'));
    // First: a repeat must record nothing for the policy.
    await context.loadTarget(claim, stream);
    const loaded = await policyOfNumber(context, row.policy_number);
    const { state: policyState } = loaded;
    const { filed_on, resolved_on } = row;
    checkNotInFuture({ filed_on, resolved_on }, todayOf(policyState, context.now));
    const ids = newClaimIds(policyState, idOf(stream), context.environment.environmentId);
    const tags = claimTags(ids);
    const paymentId = context.derive('payment');
    const events = decideClaimImport(undefined, { policy: policyState, row, ids, paymentId });
    const booking = bookingOf(loaded, events);
    const decision = { target: stream, events, tags, ...(booking === undefined ? {} : { preceding: booking }) };
    const reservation = {
      ...claimReferenceReservation(context.environment, row.claim_reference_number),
      target: stream,
      tags,
    };
    const writes = context.commit({ ...decision, reservations: [reservation] });
    const reserved = await writes.reserve(reservation);
    if (reserved.kind === 'taken') {
      checkSameNumber(reserved.by, 'claim_reference_number', row.claim_reference_number);
      throw refuse('claim_reference_taken', 'Another claim of this merchant has this reference');
    }
    return decision;
  },
  result: ({ events }) => ({ claim_id: events.at(-1)?.data.claimId }),
});
