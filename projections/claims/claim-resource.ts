import { z } from 'zod';
import type { ClaimState, NoteAuthor } from '#domain/claim/claim.ts';
import { allowedCommands, type ClaimCommandName, type ClaimSender } from '#domain/claim/claim-commands.ts';
import type { UploadedDocument } from '#domain/claim/claim-events.ts';
import { outstandingOf, paidOf, textOf } from '#domain/claim/settlement.ts';
import { CLAIM_STATUSES, statusOf, TIMELINE_NAMES } from '#domain/claim/stages.ts';
import { localTime, startOfDay } from '#domain/values/dates.ts';
import { day, instant } from '#event-sourcing/time.ts';
import { money, sum } from '#domain/values/money.ts';
import type { ResourceOf } from '../schema.ts';

/** A claim with the contents of its documents. */
export const claimSchema = z
  .strictObject({
    claim_id: z.uuid(),
    claim_reference_number: z.string(),
    claim_status: z.enum(CLAIM_STATUSES),
    claim_date: day.meta({ description: 'The day it was filed' }),
    claim_details: z
      .strictObject({
        claim_type: z.string(),
        incident_date: day,
        incident_description: z.string().nullable(),
        claim_amount: money.nullable(),
        coverage_name: z.string().nullable().meta({ description: 'Null until it is known' }),
      })
      .meta({ description: 'What is claimed, as filed or last revised' }),
    claimant: z
      .strictObject({
        customer_id: z.uuid(),
        customer_name: z.string(),
        customer_email: z.string(),
        customer_phone: z.string().nullable(),
      })
      .meta({ description: 'The holder of the policy, as recorded there' }),
    claimant_metadata: z
      .record(z.string(), z.string())
      .nullable()
      .meta({ description: 'As filed: the claimant, where it is not the holder' }),
    claim_amount: money.nullable(),
    currency: z.string(),
    settlement: z
      .strictObject({
        approved_amount: money.nullable().meta({ description: 'In all, after the deductible' }),
        offer_amount: money.nullable().meta({ description: 'The open or accepted offer' }),
        paid_amount: sum.nullable().meta({ description: 'Payments that were not reversed; null before the first' }),
        outstanding: sum
          .nullable()
          .meta({ description: 'What is left to pay; null without an approval, 0.00 when closed' }),
        limit: money
          .nullable()
          .meta({ description: 'Of the coverage, for all claims of one term together; null: none' }),
        deductible: money.nullable().meta({ description: 'Of the coverage, for each claim' }),
      })
      .meta({ description: 'Amounts; null where not known' }),
    payments: z.array(
      z.strictObject({
        payment_id: z.uuid(),
        amount: money,
        paid_on: day,
        reference: z.string().nullable(),
        reversed_on: day.nullable().meta({ description: 'From this day on it counts nowhere' }),
      }),
    ),
    date_resolved: day.nullable().meta({ description: 'Day of the last payment, of the denial or of the withdrawal' }),
    insurer: z.string(),
    product: z.strictObject({ name: z.string(), product_type: z.string() }),
    policy: z.uuid().meta({ description: 'The policy id' }),
    policy_number: z.string(),
    merchant_short_code: z.string(),
    environment_id: z.int(),
    test_mode: z.boolean(),
    time_zone: z.string().meta({ description: 'IANA time zone in which its days are counted; that of the policy' }),
    claim_status_timeline: z.array(
      z.strictObject({
        time_stamp: z.string().regex(/^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}$/),
        name: z.enum(TIMELINE_NAMES),
      }),
    ),
    timeline_utc: z.array(z.strictObject({ at: instant, name: z.enum(TIMELINE_NAMES) })),
    assignee: z
      .strictObject({
        id: z.string().meta({ description: 'Of the person or the key, as AssignClaim takes it' }),
        label: z
          .string()
          .nullable()
          .meta({ description: 'Name of the person as it is now, or the label of the key; null where not known' }),
      })
      .nullable()
      .meta({ description: 'Who works it; null to merchants' }),
    notes: z
      .string()
      .nullable()
      .meta({ description: 'Notes and reasons of the platform and the merchant, one a line; both read them' }),
    note_entries: z.array(
      z.strictObject({
        at: instant,
        by: z.string().meta({
          description:
            'Name of the person as it is now, else the label of the key, else the role. A merchant reads the role alone of who is not of a merchant',
        }),
        text: z.string(),
      }),
    ),
    documents: z.array(
      z.strictObject({
        document_name: z.string(),
        evidence_type: z.string().nullable(),
        content_type: z.string().meta({ description: 'By the first bytes' }),
        size: z.int().meta({ description: 'Bytes' }),
        sha256: z.string().meta({ description: 'SHA-256 of the content, by which it is downloaded' }),
        blob: z.base64().nullable().optional().meta({
          description:
            'The content; left out with `include_blobs=false`, and by commands without `include_blobs=true`; null only in the response of a command, where the stored one is damaged',
        }),
        uploaded_at: instant,
      }),
    ),
    allowed_moves: z
      .array(
        z.strictObject({
          command: z.string(),
          public_path: z.string().nullable().meta({ description: 'Where a merchant sends it; null for other readers' }),
          fields: z.array(z.string()).meta({ description: 'What must be given besides the id of the claim' }),
        }),
      )
      .meta({
        description:
          'The commands that the claim takes from the reader now; none in views of the past and in results of commands. Amounts, limits and cover are judged when a command is sent',
      }),
  })
  .meta({ id: 'Claim' });

export const claimItemSchema = claimSchema.omit({ documents: true }).meta({ id: 'ClaimItem' });

type ClaimWithContents = ResourceOf<typeof claimSchema>;

/** A document of a claim without its content, which is in records under `sha256`. */
export type UploadedDocumentItem = Omit<ClaimWithContents['documents'][number], 'blob'>;

/** The resource of a claim without the contents of its documents. */
export interface ClaimResource extends Omit<ClaimWithContents, 'documents'> {
  readonly documents: readonly UploadedDocumentItem[];
}

/**
 * Makes the resource of a claim, which allows no reader anything: `allowedMovesOf`.
 * @param authorOf returns how the author of a note is shown; default: by the role alone
 * @param assigneeOf returns the label of who works it
 */
export function claimResourceOf(
  claim: ClaimState,
  authorOf: (author: NoteAuthor) => string = ({ role }) => role,
  assigneeOf: (id: string) => string | null = () => null,
): ClaimResource {
  const { details, claimant, coverage, payments, assignee, timeZone } = claim;
  return {
    claim_id: claim.claimId,
    claim_reference_number: claim.reference,
    claim_status: statusOf(claim.stage),
    claim_date: claim.filedOn,
    claim_details: {
      claim_type: details.claimType,
      incident_date: details.incidentDate,
      incident_description: details.incidentDescription,
      claim_amount: details.amount,
      coverage_name: coverage?.name ?? null,
    },
    claimant: {
      customer_id: claim.customerId,
      customer_name: claimant.name,
      customer_email: claimant.email,
      customer_phone: claimant.phone,
    },
    claimant_metadata: claim.claimantMetadata,
    claim_amount: details.amount,
    currency: claim.currency,
    settlement: {
      approved_amount: claim.approvedAmount,
      offer_amount: claim.offerAmount,
      paid_amount: payments.length === 0 ? null : textOf(paidOf(claim)),
      outstanding: textOf(outstandingOf(claim)),
      limit: coverage?.limit ?? null,
      deductible: coverage?.deductible ?? null,
    },
    payments: payments.map(({ paymentId, amount, paidOn, reference, reversedOn }) => ({
      payment_id: paymentId,
      amount,
      paid_on: paidOn,
      reference,
      reversed_on: reversedOn,
    })),
    date_resolved: claim.resolvedOn,
    insurer: claim.insurer.name,
    product: { name: claim.product.name, product_type: claim.product.type },
    policy: claim.policyId,
    policy_number: claim.policyNumber,
    merchant_short_code: claim.merchantShortCode,
    environment_id: claim.environmentId,
    test_mode: claim.testMode,
    time_zone: timeZone,
    claim_status_timeline: claim.timeline.map(({ at, day: onDay, name }) => ({
      time_stamp: at === null ? `${onDay} 00:00:00` : localTime(at, timeZone),
      name,
    })),
    timeline_utc: claim.timeline.map(({ at, day: onDay, name }) => ({ at: at ?? startOfDay(onDay, timeZone), name })),
    assignee: assignee === null ? null : { id: assignee, label: assigneeOf(assignee) },
    notes: claim.notes,
    note_entries: claim.noteEntries.map(({ at, by, text }) => ({ at, by: authorOf(by), text })),
    documents: claim.documents.map(uploadedDocumentItem),
    allowed_moves: [],
  };
}

/** Ends of the paths at which merchants send commands on a claim. */
const MERCHANT_PATHS: { readonly [Name in ClaimCommandName]?: string } = {
  AcceptClaimOffer: 'offer/accept',
  RejectClaimOffer: 'offer/reject',
  WithdrawClaim: 'withdraw',
  AddClaimDocuments: 'documents',
  AddClaimNote: 'notes',
};

/** Returns what a reader may do with a claim as it is now. @param basePath path below which the service is reached */
export function allowedMovesOf(
  claim: ClaimState,
  reader: ClaimSender,
  basePath: string,
): ClaimResource['allowed_moves'] {
  return allowedCommands(claim, reader).map(({ name, fields }) => {
    const path = reader.role === 'merchant' ? MERCHANT_PATHS[name] : undefined;
    const public_path = path === undefined ? null : `${basePath}/api/v1/claims/${claim.claimId}/${path}/`;
    return { command: name, public_path, fields: [...fields] };
  });
}

function uploadedDocumentItem(document: UploadedDocument): UploadedDocumentItem {
  const { name, evidenceType, contentType, bytes, sha256, uploadedAt } = document;
  return {
    document_name: name,
    evidence_type: evidenceType,
    content_type: contentType,
    size: bytes,
    sha256,
    uploaded_at: uploadedAt,
  };
}
