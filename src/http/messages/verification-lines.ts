import { z } from 'zod';
import type { VerificationReport } from '../../projector/verification.ts';
import type { VerificationProgress } from '../../projector/verify.ts';

const position = z.string().regex(/^\d+$/);
const count = z.int().nonnegative();

const progressLine = z.strictObject({
  type: z.literal('progress'),
  step: z.enum(['fold', 'compare']),
  count: count.meta({ description: 'Events folded, or documents compared' }),
  share: z.number().min(0).max(1).meta({ description: 'Share of the step' }),
  position: position.meta({ description: 'Position up to which the log is folded' }),
  head: position.meta({ description: 'Position up to which the log will be folded' }),
});

const documentLine = z.strictObject({
  type: z.literal('document'),
  collection: z.string(),
  key: z.string(),
  what: z.enum(['differing', 'missing', 'surplus']),
  pointers: z.array(z.string()).meta({ description: 'JSON Pointers of the first differences' }),
});

const countLine = z.strictObject({
  type: z.literal('count'),
  collection: z.string(),
  index: z.string(),
  value: z
    .union([z.string(), z.number(), z.boolean(), z.null()])
    .optional()
    .meta({ description: 'Absent: the sum over all values' }),
  stored: count,
  counted: count,
});

const contentLine = z.strictObject({
  type: z.literal('content'),
  claim: z.string(),
  sha256: z.string(),
  what: z.enum(['missing', 'altered']),
});

const sumLine = z.strictObject({
  type: z.literal('sum'),
  up_to: position.nullable().meta({ description: 'Position up to which the log was folded' }),
  compared: count,
  moved_on: count.meta({ description: 'Documents that changed meanwhile and were compared up to their newest event' }),
  differing: count,
  missing: count,
  surplus: count,
  contents: count.meta({ description: 'Contents of claim documents that were compared' }),
});

const problemLine = z.strictObject({
  type: z.literal('problem'),
  code: z.string(),
  detail: z.string().meta({ description: 'Why the verification ended without a sum' }),
});

/** One line of the answer to a verification. */
export const verificationLine = z
  .discriminatedUnion('type', [progressLine, documentLine, countLine, contentLine, sumLine, problemLine])
  .meta({ id: 'VerificationLine' });
export type VerificationLine = z.infer<typeof verificationLine>;

export function progressLineOf({ step, count, share, position, head }: VerificationProgress): VerificationLine {
  return { type: 'progress', step, count, share, position: position.toString(), head: head.toString() };
}

/** Returns a line for each difference, then the sum. */
export function* linesOf({ documents, counts, contents }: VerificationReport): Generator<VerificationLine> {
  const { upTo, compared, advancedCount, differing, missing, surplus, differences } = documents;
  for (const difference of differences) yield { type: 'document', ...difference, pointers: [...difference.pointers] };
  for (const difference of counts) yield { type: 'count', ...difference };
  for (const difference of contents.differences) yield { type: 'content', ...difference };
  const up_to = upTo === undefined ? null : upTo.toString();
  const sums = { compared, moved_on: advancedCount, differing, missing, surplus, contents: contents.compared };
  yield { type: 'sum', up_to, ...sums };
}

/** Returns the report of the lines of an answer; undefined without a sum. */
export function reportOf(lines: readonly VerificationLine[]): VerificationReport | undefined {
  const sum = lines.find((line) => line.type === 'sum');
  if (sum === undefined) return undefined;
  const { up_to, compared, moved_on, differing, missing, surplus } = sum;
  const upTo = up_to === null ? undefined : BigInt(up_to);
  const differences = lines.flatMap((line) => (line.type === 'document' ? [withoutType(line)] : []));
  return {
    documents: { upTo, compared, advancedCount: moved_on, differing, missing, surplus, differences },
    counts: lines.flatMap((line) => (line.type === 'count' ? [{ ...withoutType(line), value: line.value }] : [])),
    contents: {
      compared: sum.contents,
      differences: lines.flatMap((line) => (line.type === 'content' ? [withoutType(line)] : [])),
    },
  };
}

function withoutType<Line extends VerificationLine>({ type: _, ...members }: Line): Omit<Line, 'type'> {
  return members;
}
