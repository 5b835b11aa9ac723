import { z } from 'zod';
import type { VerificationReport } from '../../projector/verification.ts';
import type { VerificationProgress } from '../../projector/verify.ts';
import type { LogFault } from '../../projector/verify-log.ts';

const position = z.string().regex(/^\d+$/);
const count = z.int().nonnegative();

const progressLine = z.strictObject({
  type: z.literal('progress'),
  step: z.enum(['log', 'fold', 'compare']),
  count: count.meta({ description: 'Events read or folded, or documents compared' }),
  share: z.number().min(0).max(1).meta({ description: 'Share of the step' }),
  position: position.meta({ description: 'Position up to which the log is read or folded' }),
  head: position.meta({ description: 'Position up to which the log will be read or folded' }),
});

const faultLine = z.strictObject({
  type: z.literal('fault'),
  what: z.enum(['file', 'missing', 'unreadable', 'unknown_type', 'repeated_id', 'misplaced']),
  reason: z.string(),
  position: position.nullable().meta({ description: 'Of the event, or of the first one that is missing' }),
  event_id: z.string().nullable(),
  stream: z.string().nullable(),
  revision: z.number().nullable(),
});

const parkedLine = z.strictObject({
  type: z.literal('parked'),
  collection: z.string(),
  key: z.string(),
  reason: z.string(),
  event_id: z.string(),
  event_type: z.string(),
  position,
});

const documentLine = z.strictObject({
  type: z.literal('document'),
  collection: z.string(),
  key: z.string(),
  what: z.enum(['differing', 'missing', 'surplus']),
  pointers: z.array(z.string()).meta({ description: 'JSON Pointers of the first differences' }),
});

const contentLine = z.strictObject({
  type: z.literal('content'),
  claim: z.string(),
  sha256: z.string(),
  what: z.enum(['missing', 'altered']),
});

const sumLine = z.strictObject({
  type: z.literal('sum'),
  events: count.meta({ description: 'Events of the log that were read' }),
  log_up_to: position.nullable().meta({ description: 'Position of the last of them' }),
  faults: count.meta({
    description: 'Faults of the event log and of the file of the records. Above 0, nothing was compared',
  }),
  up_to: position.nullable().meta({ description: 'Position up to which the log was folded' }),
  compared: count,
  moved_on: count.meta({ description: 'Documents that changed meanwhile and were compared up to their newest event' }),
  differing: count,
  missing: count,
  surplus: count,
  parked: count.meta({ description: 'Documents that are parked: they equal their fold, but show an old state' }),
  contents: count.meta({ description: 'Contents of claim documents that were compared' }),
});

const problemLine = z.strictObject({
  type: z.literal('problem'),
  code: z.string(),
  detail: z.string().meta({ description: 'Why the verification ended without a sum' }),
});

/** One line of the answer to a verification. */
export const verificationLine = z
  .discriminatedUnion('type', [progressLine, faultLine, documentLine, parkedLine, contentLine, sumLine, problemLine])
  .meta({ id: 'VerificationLine' });
export type VerificationLine = z.infer<typeof verificationLine>;

export function progressLineOf({ step, count, share, position, head }: VerificationProgress): VerificationLine {
  return { type: 'progress', step, count, share, position: position.toString(), head: head.toString() };
}

/** Sums of read models that were not compared. */
const NOT_COMPARED = {
  upTo: undefined,
  compared: 0,
  advancedCount: 0,
  differing: 0,
  missing: 0,
  surplus: 0,
  parked: 0,
  differences: [],
  parkedDocuments: [],
} as const;

/** Returns a line for each finding, then the sum. */
export function* linesOf({ log, readModels }: VerificationReport): Generator<VerificationLine> {
  for (const { what, reason, position, event } of log.named) {
    const { id = null, stream = null, revision = null } = event ?? {};
    yield { type: 'fault', what, reason, position: textOf(position), event_id: id, stream, revision };
  }
  const { documents, contents } = readModels ?? { documents: NOT_COMPARED, contents: undefined };
  const { upTo, compared, advancedCount, differing, missing, surplus, parked } = documents;
  for (const difference of documents.differences)
    yield { type: 'document', ...difference, pointers: [...difference.pointers] };
  for (const { collection, key, parked: at } of documents.parkedDocuments) {
    const { reason, eventId, eventType, position } = at;
    const event = { event_id: eventId, event_type: eventType, position: position.toString() };
    yield { type: 'parked', collection, key, reason, ...event };
  }
  for (const difference of contents?.differences ?? []) yield { type: 'content', ...difference };
  const { events, faults } = log;
  const sums = { compared, moved_on: advancedCount, differing, missing, surplus, parked };
  const logSums = { events, log_up_to: textOf(log.upTo), faults };
  yield { type: 'sum', ...logSums, up_to: textOf(upTo), ...sums, contents: contents?.compared ?? 0 };
}

/** Returns the report of the lines of an answer; undefined without a sum. */
export function reportOf(lines: readonly VerificationLine[]): VerificationReport | undefined {
  const sum = lines.find((line) => line.type === 'sum');
  if (sum === undefined) return undefined;
  const named = lines.flatMap((line) => (line.type === 'fault' ? [faultOf(line)] : []));
  const log = { events: sum.events, upTo: positionOf(sum.log_up_to), faults: sum.faults, named };
  if (sum.faults > 0) return { log, readModels: undefined };
  const { compared, moved_on, differing, missing, surplus, parked } = sum;
  const differences = lines.flatMap((line) => (line.type === 'document' ? [withoutType(line)] : []));
  const parkedDocuments = lines.flatMap((line) => (line.type === 'parked' ? [parkedOf(line)] : []));
  const counted = { compared, advancedCount: moved_on, differing, missing, surplus, parked };
  const readModels = {
    documents: { upTo: positionOf(sum.up_to), ...counted, differences, parkedDocuments },
    contents: {
      compared: sum.contents,
      differences: lines.flatMap((line) => (line.type === 'content' ? [withoutType(line)] : [])),
    },
  };
  return { log, readModels };
}

type Line<Type extends VerificationLine['type']> = Extract<VerificationLine, { type: Type }>;

function faultOf({ what, reason, position, event_id: id, stream, revision }: Line<'fault'>): LogFault {
  const event = id === null || stream === null || revision === null ? undefined : { id, stream, revision };
  return { what, reason, position: positionOf(position), event };
}

function parkedOf({ collection, key, reason, event_id: eventId, event_type: eventType, position }: Line<'parked'>) {
  return { collection, key, parked: { reason, eventId, eventType, position: BigInt(position) } };
}

function textOf(position: bigint | undefined): string | null {
  return position === undefined ? null : position.toString();
}

function positionOf(text: string | null): bigint | undefined {
  return text === null ? undefined : BigInt(text);
}

function withoutType<Line extends VerificationLine>({ type: _, ...members }: Line): Omit<Line, 'type'> {
  return members;
}
