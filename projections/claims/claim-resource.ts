import { z } from 'zod';
import { CLAIM_STATUSES, STAGES } from '../../src/domain/claim/stages.ts';
import { day, instant } from '../../src/event-sourcing/time.ts';
import { money, type ResourceOf } from '../schema.ts';

/** A claim with the contents of its documents. */
export const claimSchema = z
  .strictObject({
    claim_id: z.uuid(),
    claim_reference_number: z.string(),
    claim_status: z.enum(CLAIM_STATUSES),
    claim_date: day.meta({ description: 'The day it was filed' }),
    claimant: z.strictObject({
      customer_id: z.uuid(),
      customer_name: z.string(),
      customer_email: z.string(),
      customer_phone: z.string().nullable(),
    }),
    claim_amount: money.nullable(),
    settlement: z
      .strictObject({
        approved_amount: money.nullable(),
        offer_amount: money.nullable().meta({ description: 'The open or accepted offer' }),
        paid_amount: money.nullable(),
      })
      .meta({ description: 'Amounts of the back office; null where not known' }),
    insurer: z.string(),
    product: z.strictObject({ name: z.string(), product_type: z.string() }),
    policy: z.uuid().meta({ description: 'The policy id' }),
    merchant_short_code: z.string(),
    environment_id: z.int(),
    test_mode: z.boolean(),
    time_zone: z.string().meta({ description: 'IANA time zone in which its days are counted; that of the policy' }),
    claim_status_timeline: z.array(
      z.strictObject({
        time_stamp: z.string().regex(/^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}$/),
        name: z.enum(STAGES),
      }),
    ),
    notes: z
      .string()
      .nullable()
      .meta({ description: 'Notes of the moves and the reasons of rejected offers and of a denial, one a line' }),
    documents: z.array(
      z.strictObject({
        document_name: z.string(),
        evidence_type: z.string().nullable(),
        sha256: z.string().meta({ description: 'SHA-256 of the content, by which it is downloaded' }),
        blob: z.base64().nullable().meta({
          description: 'The content; null only in the response of a command, where the stored one is damaged',
        }),
        uploaded_at: instant,
      }),
    ),
  })
  .meta({ id: 'Claim' });

export const claimItemSchema = claimSchema.omit({ documents: true }).meta({ id: 'ClaimItem' });

type ClaimWithContents = ResourceOf<typeof claimSchema>;

/** A document of a claim without its content, which is in records under `sha256`. */
export type DocumentEntry = Omit<ClaimWithContents['documents'][number], 'blob'>;

/** The resource of a claim without the contents of its documents. */
export interface ClaimResource extends Omit<ClaimWithContents, 'documents'> {
  readonly documents: readonly DocumentEntry[];
}
