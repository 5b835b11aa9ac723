import { z } from 'zod';
import type { Beneficiary } from '#domain/policy/policy-events.ts';
import { canonicalMoney, formatMoney, parseMoney, shareInput } from '#domain/values/money.ts';
import { line } from '../shared/fields.ts';

const MAX_BENEFICIARIES = 100;
/** Of the names and relationships of all: every change is an event with all of them. */
const MAX_CHARACTERS = 20_000;
/** 100.00 % in hundredths of a percent. */
const HUNDRED_PERCENT = 100_00n;

/** The beneficiaries of a policy, as a request names them. */
export const beneficiariesInput = z
  .array(
    z.strictObject({
      beneficiary_name: line(255),
      relationship: line(255).nullable().optional(),
      share_percent: shareInput
        .nullable()
        .optional()
        .meta({ description: 'Percentage of what is paid; all beneficiaries have one, or none' }),
    }),
  )
  .max(MAX_BENEFICIARIES, `must have at most ${MAX_BENEFICIARIES} beneficiaries`)
  .refine(
    (beneficiaries) =>
      beneficiaries.reduce((sum, one) => sum + one.beneficiary_name.length + (one.relationship?.length ?? 0), 0) <=
      MAX_CHARACTERS,
    `must have names and relationships of at most ${MAX_CHARACTERS} characters in all`,
  )
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
    if (given.length < shares.length || !given.every((text) => shareInput.safeParse(text).success)) return;
    const sum = given.reduce((total, text) => total + parseMoney(text), 0n);
    if (sum !== HUNDRED_PERCENT)
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
