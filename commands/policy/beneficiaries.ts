import { z } from 'zod';
import type { Beneficiary } from '../../src/domain/policy/policy-events.ts';
import { canonicalMoney, formatMoney, moneyInput, parseMoney } from '../../src/domain/values/money.ts';
import { line } from '../shared/fields.ts';

const MAX_BENEFICIARIES = 100;
/** 100.00 %. */
const WHOLE = 100_00n;

const NOT_A_SHARE = 'must be a percentage above 0.00 and at most 100.00';

const share = moneyInput
  .refine((text) => sharePoints(text) !== undefined, NOT_A_SHARE)
  .meta({ description: 'Percentage of what is paid; all beneficiaries have one, or none', examples: ['50.00'] });

/** Returns a share in hundredths of a percent; undefined for a text that is none. */
function sharePoints(text: string): bigint | undefined {
  if (!/^\d{1,3}(\.\d{1,2})?$/.test(text)) return undefined;
  const points = parseMoney(text);
  return points > 0n && points <= WHOLE ? points : undefined;
}

/** The beneficiaries of a policy, as a request names them. */
export const beneficiariesInput = z
  .array(
    z.strictObject({
      beneficiary_name: line(255),
      relationship: line(255).nullable().optional(),
      share_percent: share.nullable().optional(),
    }),
  )
  .max(MAX_BENEFICIARIES, `must have at most ${MAX_BENEFICIARIES} beneficiaries`)
  .superRefine((beneficiaries, context) => {
    const shares = beneficiaries.map(({ share_percent: text }) => text ?? undefined);
    const given = shares.filter((text) => text !== undefined);
    if (given.length === 0) return;
    for (const [index, text] of shares.entries())
      if (text === undefined)
        context.addIssue({
          code: 'custom',
          path: [index, 'share_percent'],
          message: 'must be given: another beneficiary has a share',
        });
    const points = given.map(sharePoints);
    if (given.length < shares.length || points.includes(undefined)) return;
    const sum = points.reduce<bigint>((total, each) => total + (each ?? 0n), 0n);
    if (sum !== WHOLE)
      context.addIssue({ code: 'custom', message: `must have shares that add up to 100.00, not ${formatMoney(sum)}` });
  });

/** Returns the beneficiaries that events record. @param idAt returns the id of the n-th */
export function beneficiariesOf(
  beneficiaries: z.output<typeof beneficiariesInput>,
  idAt: (index: number) => string,
): Beneficiary[] {
  return beneficiaries.map(({ beneficiary_name: name, relationship = null, share_percent: text }, index) => ({
    beneficiaryId: idAt(index),
    name,
    relationship,
    sharePercent: typeof text === 'string' ? canonicalMoney(text) : null,
  }));
}
