import { z } from 'zod';
import { money } from '../values/money.ts';
import type { Beneficiary } from './policy-events.ts';
import type { Coverage } from './term.ts';

/** A coverage of a policy, as responses show it. */
export const coverageSchema = z
  .strictObject({
    coverage_name: z.string(),
    coverage_type: z.string().nullable(),
    coverage_limit: money.nullable(),
    deductible: money.nullable().meta({ description: 'Kept by the claimant, per claim' }),
    covered_items: z.unknown().optional().meta({ description: 'As they were sent with a change' }),
  })
  .meta({ id: 'Coverage' });

/** A beneficiary of a policy, as responses show it. */
export const beneficiarySchema = z
  .strictObject({
    beneficiary_id: z.uuid(),
    beneficiary_name: z.string(),
    relationship: z.string().nullable(),
    share_percent: z.string().nullable().meta({ description: 'Decimal string; all beneficiaries have one, or none' }),
  })
  .meta({ id: 'Beneficiary' });

/** Returns coverages as responses show them. */
export function coverageResourcesOf(coverages: readonly Coverage[]): readonly z.infer<typeof coverageSchema>[] {
  return coverages.map(({ name, type, limit, deductible, coveredItems }) => ({
    coverage_name: name,
    coverage_type: type,
    coverage_limit: limit,
    deductible,
    ...(coveredItems === undefined ? {} : { covered_items: JSON.parse(coveredItems) as unknown }),
  }));
}

/** Returns the beneficiaries of a policy as responses show them. */
export function beneficiaryResourcesOf(
  beneficiaries: readonly Beneficiary[],
): readonly z.infer<typeof beneficiarySchema>[] {
  return beneficiaries.map(({ beneficiaryId, name, relationship, sharePercent }) => ({
    beneficiary_id: beneficiaryId,
    beneficiary_name: name,
    relationship,
    share_percent: sharePercent,
  }));
}
