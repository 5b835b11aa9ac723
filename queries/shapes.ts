import { z } from 'zod';
import { CLAIM_STATUSES, STAGES } from '../src/domain/claim/stages.ts';
import { PRODUCT_TYPES } from '../src/domain/product/product.ts';
import { day } from '../src/event-sourcing/time.ts';

// Shapes of answers that several queries share.

export const uuid = z.uuid();
export const moment = z.iso.datetime();
export const money = z
  .string()
  .regex(/^-?\d{1,8}(\.\d{1,2})?$/)
  .meta({ description: 'Decimal string, at most 8 integer and 2 decimal digits' });
/** A sum of amounts. */
export const sum = z
  .string()
  .regex(/^-?\d{1,18}\.\d{2}$/)
  .meta({ description: 'Decimal string with 2 decimal digits; a sum may have more than 8 integer digits' });
/** A path parameter that is the UUID of a resource. */
export const uuidText = z.string().meta({ format: 'uuid' });

/** Path parameters of a merchant. */
export const merchantPath = z.strictObject({
  short_code: z.string().meta({ description: "The merchant's short code" }),
});
/** Path parameters of an environment. */
export const environmentPath = z.strictObject({
  id: z.string().meta({ description: 'The number of the environment', type: 'integer' }),
});
/** Path parameters of a policy. */
export const policyPath = z.strictObject({
  policy_id: z.string().meta({ description: 'The policy id, or the policy number' }),
});
/** Path parameters of a customer. */
export const customerPath = z.strictObject({ id: uuidText });
/** Path parameters of a claim. */
export const claimPath = z.strictObject({
  id: z.string().meta({ description: 'The claim id, or the reference number' }),
});
/** The parameter that distinguishes policies or claims of several merchants with the same number. */
export const environmentChoice = {
  environment_id: z
    .string()
    .regex(/^[1-9]\d{0,14}$/, 'must be the number of an environment')
    .transform(Number)
    .optional()
    .meta({
      description:
        'Only what belongs to this environment: distinguishes policy numbers and claim references that several merchants use',
    }),
};
/** A query parameter that is a product type. */
export const productTypeChoice = z.enum(PRODUCT_TYPES, `must be one of: ${PRODUCT_TYPES.join(', ')}`).optional();
/** A query parameter that is the UUID of a resource. */
export const idFilter = z.uuid('must be a UUID').toLowerCase().optional();

export const POLICY_STATUSES = ['accepted', 'cancelled', 'active'] as const;

export const policyShape = z
  .strictObject({
    policy_id: uuid,
    policy_number: z.string().meta({ description: "The insurer's reference" }),
    effective_from: day.meta({ description: 'First day of the term of the day, or of the last that has begun' }),
    effective_through: day.meta({ description: 'Last day of it' }),
    premium: money.meta({ description: 'What that term costs' }),
    policy_holder: z.strictObject({
      customer_id: uuid,
      customer_name: z.string(),
      customer_email: z.string(),
      customer_phone: z.string().nullable(),
    }),
    merchant: z.string().meta({ description: 'Name of the merchant that sold it' }),
    provider: z.strictObject({ provider_id: uuid, provider_name: z.string(), email: z.string().nullable() }),
    coverage: z.string().meta({ description: 'Names of the coverages' }),
    policy_type: z.string().meta({ description: 'The product type' }),
    renewable: z.boolean(),
    renewal_date: moment
      .nullable()
      .meta({ description: 'The first moment after the last day; null when not renewable' }),
    inspection_required: z.boolean(),
    cerfication_required: z.boolean().meta({ description: 'Spelt so in the contract' }),
    status: z.enum(POLICY_STATUSES),
    cancellation_initiator: z.string().nullable().meta({ description: "The merchant's name, `admin`, or `import`" }),
    cancellation_reason: z.string().nullable(),
    cancellation_date: moment.nullable(),
    beneficiaries: z.array(z.strictObject({ beneficiary_id: uuid, beneficiary_name: z.string() })),
  })
  .meta({ id: 'Policy' });

export const customerClaimShape = z
  .strictObject({
    claim_id: uuid,
    policy_id: uuid,
    claim_status: z.enum(CLAIM_STATUSES),
    claim_amount: money.nullable(),
    date_filed: day,
    date_resolved: day.nullable().meta({ description: 'The day on which it was paid or denied' }),
  })
  .meta({ id: 'ClaimSummary' });

const policySummaryShape = z
  .strictObject({
    policy_id: uuid,
    policy_type: z.string(),
    status: z.string(),
    start_date: day.meta({ description: 'First day of the term that the policy shows today' }),
    end_date: day,
    premium_amount: money,
  })
  .meta({ id: 'PolicySummary' });

const newest = (what: string) => ({ description: `${what}: the newest 100, oldest first` });
const count = z.int().min(0);
const link = z.string().meta({ format: 'uri-reference' });

const customerDetails = {
  customer_id: uuid,
  full_name: z.string(),
  customer_email: z.string(),
  customer_phone: z.string().nullable(),
  date_of_birth: day.nullable(),
  address: z.string().nullable(),
};
export const customerDetailsShape = z.strictObject(customerDetails);

const customerLinks = z
  .strictObject({ policies: link, claims: link })
  .meta({ description: 'The lists of all its policies and all its claims, relative to this origin' });
export const customerItemShape = z
  .strictObject({ ...customerDetails, links: customerLinks })
  .meta({ id: 'CustomerItem' });

export const customerShape = z
  .strictObject({
    ...customerDetails,
    purchased_policies: z.array(policySummaryShape).max(100).meta(newest('All policies')),
    purchased_policies_count: count,
    active_policies: z
      .array(policySummaryShape)
      .max(100)
      .meta(newest('Policies in force today, in the zone of each, and not cancelled')),
    active_policies_count: count,
    active_claims: z.array(customerClaimShape).max(100).meta(newest('Claims neither paid nor denied')),
    active_claims_count: count,
    links: customerLinks,
  })
  .meta({ id: 'Customer' });

export const claimShape = z
  .strictObject({
    claim_id: uuid,
    claim_reference_number: z.string(),
    claim_status: z.enum(CLAIM_STATUSES),
    claim_date: day.meta({ description: 'The day it was filed' }),
    claimant: z.strictObject({
      customer_id: uuid,
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
    policy: uuid.meta({ description: 'The policy id' }),
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
        blob: z
          .base64()
          .nullable()
          .meta({ description: 'The content; null only in the answer of a command, where the stored one is damaged' }),
        uploaded_at: moment,
      }),
    ),
  })
  .meta({ id: 'Claim' });

export const claimItemShape = claimShape.omit({ documents: true }).meta({ id: 'ClaimItem' });

export const merchantShape = z
  .strictObject({
    id: z.int(),
    created_at: moment,
    updated_at: moment,
    name: z.string().max(255),
    tenant_id: uuid.nullable(),
    is_trashed: z.boolean(),
    trashed_at: moment.nullable(),
    restored_at: moment.nullable(),
    short_code: z.string().max(10).nullable(),
    business_email: z.string().max(254).nullable(),
    support_email: z.string().max(254).nullable(),
    is_active: z.boolean().meta({ description: 'Whether its e-mail is verified' }),
    tax_identification_number: z.string().max(40).nullable(),
    registration_number: z.string().max(40).nullable(),
    address: z.string().nullable(),
    kyc_verified: z.boolean().meta({ description: 'Whether the platform has checked it' }),
    user: uuid.nullable(),
  })
  .meta({ id: 'Merchant' });

export const providerShape = z
  .strictObject({
    id: uuid,
    name: z.string(),
    address: z.string().nullable(),
    phone_number: z.string().nullable(),
    is_confirmed: z.boolean().meta({
      description:
        'Whether every merchant sees it; false: only the merchant that registered it, until it is confirmed, or whose import did',
    }),
    withdrawn_at: moment.nullable().meta({ description: 'Only platform keys find a withdrawn provider' }),
  })
  .meta({ id: 'Provider' });

const productFacts = {
  id: uuid,
  created_at: moment,
  updated_at: moment,
  is_trashed: z.boolean(),
  trashed_at: moment.nullable(),
  restored_at: moment.nullable(),
  name: z.string().max(255),
  description: z.string(),
  product_type: z.enum(PRODUCT_TYPES),
  is_live: z.boolean(),
};

export const productItemShape = z
  .strictObject({
    ...productFacts,
    coverage_details: z.string().nullable(),
    provider: uuid,
  })
  .meta({ id: 'ProductItem' });

export const productShape = z
  .strictObject({
    ...productFacts,
    coverages: z.array(
      z.strictObject({
        coverage_id: z.string(),
        coverage_name: z.string(),
        coverage_description: z.string().nullable(),
        coverage_type: z.string().nullable(),
        coverage_limit: money.nullable(),
      }),
    ),
    provider: z.strictObject({ provider_id: uuid, provider_name: z.string().nullable(), email: z.string().nullable() }),
    base_premium: money.meta({ description: 'Where prices start from, for 365 days' }),
    origin_product_id: z.int().nullable(),
    product_plan: z.string().max(255).nullable(),
    pricing: z.strictObject({ amount: money, tax: money, surcharges: money, total_price: money }),
  })
  .meta({ id: 'Product' });

export const environmentShape = z
  .strictObject({
    environment_name: z.string(),
    test_mode: z.boolean(),
    client_id: z.string(),
    time_zone: z
      .string()
      .meta({ description: 'IANA time zone: days of its policies and claims are days of this zone' }),
  })
  .meta({ id: 'Environment' });

export const environmentItemShape = z
  .strictObject({ environment_id: z.int(), ...environmentShape.shape })
  .meta({ id: 'EnvironmentItem' });
