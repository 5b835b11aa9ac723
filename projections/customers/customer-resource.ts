import { z } from 'zod';
import { CLAIM_STATUSES, statusOf } from '#domain/claim/stages.ts';
import { day } from '#event-sourcing/time.ts';
import type { ClaimDocument } from '../claims/claims.ts';
import { coverStateSchema, inForceSchema, type PolicyView } from '../policies/policy-resource.ts';
import { money } from '#domain/values/money.ts';
import type { ResourceOf } from '../schema.ts';

export const claimSummarySchema = z
  .strictObject({
    claim_id: z.uuid(),
    claim_reference_number: z.string(),
    policy_id: z.uuid(),
    policy_number: z.string(),
    claim_status: z.enum(CLAIM_STATUSES),
    claim_amount: money.nullable(),
    currency: z.string(),
    date_filed: day,
    date_resolved: day.nullable().meta({ description: 'The day on which it was paid, denied or withdrawn' }),
  })
  .meta({ id: 'ClaimSummary' });

const policySummarySchema = z
  .strictObject({
    policy_id: z.uuid(),
    policy_type: z.string(),
    status: z.string(),
    in_force: inForceSchema,
    cover: coverStateSchema,
    start_date: day.meta({ description: 'First day of the term that the policy shows today' }),
    end_date: day,
    premium_amount: money,
  })
  .meta({ id: 'PolicySummary' });

const newest = (what: string) => ({ description: `${what}: the newest 100, oldest first` });
const count = z.int().min(0);
const link = z.string().meta({ format: 'uri-reference' });

const detailFields = {
  customer_id: z.uuid(),
  customer_reference: z.string().nullable().meta({ description: "The merchant's number of the customer" }),
  full_name: z.string(),
  customer_email: z.string(),
  customer_phone: z.string().nullable(),
  date_of_birth: day.nullable(),
  address: z.string().nullable(),
  merchant_short_code: z.string(),
  test_mode: z.boolean(),
};
export const customerDetailsSchema = z.strictObject(detailFields);

const customerLinksSchema = z
  .strictObject({ policies: link, claims: link, transactions: link })
  .meta({ description: 'The lists of all its policies, claims and transactions, relative to this origin' });
export const customerItemSchema = z
  .strictObject({ ...detailFields, links: customerLinksSchema })
  .meta({ id: 'CustomerItem' });

export const customerSchema = z
  .strictObject({
    ...detailFields,
    purchased_policies: z.array(policySummarySchema).max(100).meta(newest('All policies')),
    purchased_policies_count: count,
    active_policies: z
      .array(policySummarySchema)
      .max(100)
      .meta(newest('Policies in force today, in the zone of each, and not cancelled')),
    active_policies_count: count,
    active_claims: z.array(claimSummarySchema).max(100).meta(newest('Claims neither paid, denied nor withdrawn')),
    active_claims_count: count,
    links: customerLinksSchema,
  })
  .meta({ id: 'Customer' });

export type CustomerResource = ResourceOf<typeof customerDetailsSchema>;
export type PolicySummary = ResourceOf<typeof policySummarySchema>;
export type ClaimSummary = ResourceOf<typeof claimSummarySchema>;

/**
 * Returns the paths of all policies, claims and transactions of a customer.
 * @param basePath path below which the service is reached
 */
export function customerLinks({ customer_id }: Pick<CustomerResource, 'customer_id'>, basePath: string) {
  const path = `${basePath}/api/v1/customers/${customer_id}`;
  return { policies: `${path}/policies/`, claims: `${path}/claims/`, transactions: `${path}/transactions/` };
}

export function policySummary(resource: PolicyView): PolicySummary {
  const { policy_id, policy_type, status, in_force, cover, effective_from, effective_through, premium } = resource;
  return {
    policy_id,
    policy_type,
    status,
    in_force,
    cover,
    start_date: effective_from,
    end_date: effective_through,
    premium_amount: premium,
  };
}

export function claimSummary({ claim }: ClaimDocument): ClaimSummary {
  return {
    claim_id: claim.claimId,
    claim_reference_number: claim.reference,
    policy_id: claim.policyId,
    policy_number: claim.policyNumber,
    claim_status: statusOf(claim.stage),
    claim_amount: claim.details.amount,
    currency: claim.currency,
    date_filed: claim.filedOn,
    date_resolved: claim.resolvedOn,
  };
}
