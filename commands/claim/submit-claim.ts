import { z } from 'zod';
import { type ClaimEvent, ClaimSubmitted, type UploadedDocument } from '#domain/claim/claim-events.ts';
import { claim, claimStream, type ClaimIds, claimTags } from '#domain/claim/claim.ts';
import { type Day, day } from '#event-sourcing/time.ts';
import type { NewEvent } from '#event-sourcing/event.ts';
import { canonicalMoney, moneyNotNegativeInput } from '#domain/values/money.ts';
import { todayOf } from '#domain/policy/cover.ts';
import type { Contract, PolicyState } from '#domain/policy/policy.ts';
import { merchantScope } from '#domain/reservations.ts';
import type { Decision, InputReservation, Writes } from '#event-sourcing/executor/command.ts';
import { defineCommand } from '../command.ts';
import { recordDueChanges } from '../policy/due-changes.ts';
import { checkPolicyReference, findPolicy, findPolicyErrors, policyReference } from '../policy/find-policy.ts';
import { withCrossFieldCheck } from '../shared/checks.ts';
import { emailAddress } from '#domain/values/email.ts';
import { line, lineOrEmpty, text } from '../shared/fields.ts';
import { documentsInput, saveUploadedDocuments } from './uploaded-documents.ts';
import {
  claimReferenceReservation,
  coverageOf,
  coverOfFiling,
  coverOfFilingErrors,
  filingDetails,
  newClaimIds,
} from './filing.ts';

/** The body of `POST /api/v1/claims`. */
const submitClaimInput = withCrossFieldCheck(
  z.strictObject({
    ...policyReference,
    claim_details: z.strictObject({
      claim_type: line(100),
      incident_date: day,
      incident_description: text(5000).optional(),
      claim_amount: moneyNotNegativeInput.optional(),
      coverage_name: line(255).optional().meta({ description: 'Of a coverage on the day of the incident' }),
    }),
    claimant_metadata: z
      .strictObject({
        first_name: line(100),
        last_name: lineOrEmpty(100).optional().meta({ description: 'Left out or empty for a name of one word' }),
        birth_date: day,
        email: emailAddress,
        phone_number: line(20).optional(),
        relationship: line(100).optional(),
      })
      .optional(),
    documents: documentsInput.optional(),
  }),
  checkPolicyReference,
);

type ClaimSubmission = z.output<typeof submitClaimInput>;

interface SubmissionCommand {
  readonly policy: PolicyState;
  readonly submission: ClaimSubmission;
  readonly ids: ClaimIds;
  readonly reference: string;
  readonly documents: readonly UploadedDocument[];
  readonly today: Day;
}

/** @throws {Refusal} when the incident is not covered, or the day has no coverage of the name */
function decideSubmission(
  _state: undefined,
  { policy, submission, ids, reference, documents, today }: SubmissionCommand,
): readonly NewEvent<ClaimEvent>[] {
  const { claim_details: details, claimant_metadata: claimant } = submission;
  const cover = coverOfFiling(policy, details.incident_date, today, 'claim_details.incident_date');
  const data = {
    ...ids,
    ...filingDetails(policy),
    effectiveAt: today,
    reference,
    filedOn: today,
    details: {
      claimType: details.claim_type,
      incidentDate: details.incident_date,
      incidentDescription: details.incident_description ?? null,
      amount: details.claim_amount === undefined ? null : canonicalMoney(details.claim_amount),
    },
    coverage: coverageOf(cover, details.coverage_name, 'claim_details.coverage_name'),
    claimantMetadata: claimant === undefined ? null : definedMembers(claimant),
    documents: [...documents],
  };
  return [{ type: ClaimSubmitted.type, data }];
}

function definedMembers(fields: Readonly<Record<string, string | undefined>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(fields).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}

/** Returns `CLAIM-<short code>-YYYYMMDD-NNNN`, in test mode `TCLAIM-…`, so that no two merchants or modes share one. */
export function claimReference(
  { contract, testMode }: Pick<PolicyState, 'testMode'> & { readonly contract: Pick<Contract, 'merchantShortCode'> },
  today: Day,
  number: number,
): string {
  const prefix = testMode ? 'TCLAIM' : 'CLAIM';
  return `${prefix}-${contract.merchantShortCode}-${today.replaceAll('-', '')}-${String(number).padStart(4, '0')}`;
}

/** Reserves the reference with the next number of the day, or the first one after it that no imported claim has. */
async function reserveReference(
  writes: Writes,
  scope: string,
  today: Day,
  reservationOf: (number: number) => InputReservation,
): Promise<string> {
  const first = await writes.takeNumber(`claims-${scope}-${today}`);
  for (let number = first; ; number++) {
    const reservation = reservationOf(number);
    if ((await writes.reserve(reservation)).kind === 'ours') return reservation.value;
  }
}

/** Replaces the content of every document by its SHA-256 and size, because a reservation must stay small. */
function withoutContents(submission: ClaimSubmission, stored: readonly UploadedDocument[]): z.core.util.JSONType {
  const documents = submission.documents?.map(({ blob: _, ...document }, index) => ({
    ...document,
    sha256: stored[index]?.sha256,
    bytes: stored[index]?.bytes,
    content_type: stored[index]?.contentType,
  }));
  return { ...submission, ...(documents && { documents }) } as z.core.util.JSONType;
}

export const submitClaim = defineCommand({
  name: 'SubmitClaim',
  summary: 'Files a claim under a policy.',
  description: `Files a claim under a policy, named by \`policy_id\`, \`policy_number\` or both. The incident must be within one of its terms, not after its cancellation and not in the future.

The whole body has at most 10 MiB; because of base64, documents in JSON can have about 7.5 MiB in total. Only the single claim includes them. \`claim_reference_number\` contains a number that counts the claims of the
merchant on that day. A claim starts as \`pending\`; the platform then moves it: submitted → under review → pending approval → approved → paid, or approved → offer sent → offer accepted → paid, or offer sent → offer rejected → offer sent.
Until something is paid it can be denied or withdrawn; what is paid, denied or withdrawn can be reopened. \`coverage_name\` names a coverage of the day of the incident; left out, it is the only one, if there is one.`,
  input: submitClaimInput,
  example: {
    policy_number: 'BAO-MOTOR-0001',
    claim_details: {
      claim_type: 'Collision',
      incident_date: '2026-03-10',
      incident_description: 'Hit from behind at a traffic light on Marina Road.',
      claim_amount: '180000.00',
    },
    claimant_metadata: {
      first_name: 'Ada',
      last_name: 'Okafor',
      birth_date: '1990-04-12',
      email: 'ada.okafor@customers.example',
      phone_number: '+2348012345678',
      relationship: 'policy holder',
    },
    documents: [
      {
        document_name: 'police-report.txt',
        evidence_type: 'report',
        blob: 'UmVwb3J0IDQ3MTE6IHJlYXIgY29sbGlzaW9uLg==',
      },
    ],
  },
  resource: 'claimResourceOf',
  errors: [...findPolicyErrors, ...coverOfFilingErrors],
  roles: ['merchant', 'claims', 'admin'],
  inEnvironment: true,
  creates: true,
  aggregate: claim,
  decide: decideSubmission,
  handle: async (submission, context) => {
    const { state: policy } = await recordDueChanges(context, await findPolicy(context, submission), false);
    const today = todayOf(policy, context.now);
    const { incident_date, coverage_name } = submission.claim_details;
    const cover = coverOfFiling(policy, incident_date, today, 'claim_details.incident_date');
    coverageOf(cover, coverage_name, 'claim_details.coverage_name');
    const documents = await saveUploadedDocuments(submission.documents ?? [], context.now, context);
    const claimId = context.derive('claim');
    const stream = claimStream(claimId);
    const ids = newClaimIds(policy, claimId, context.environment.environmentId);
    const tags = claimTags(ids);
    const input = withoutContents(submission, documents);
    const reservationOf = (number: number): InputReservation => {
      const reservation = claimReferenceReservation(context.environment, claimReference(policy, today, number));
      return { ...reservation, target: stream, tags, input };
    };
    const decide = (reference: string): Decision => ({
      target: stream,
      events: decideSubmission(undefined, { policy, submission, ids, reference, documents, today }),
      tags,
    });
    const writes = context.commit({ ...decide(reservationOf(1).value), reservations: [reservationOf(1)] });
    return decide(await reserveReference(writes, merchantScope(context.environment), today, reservationOf));
  },
  result: ({ state }, { resources }) => ({ ...resources.claimResourceOf(state) }),
});
