import { z } from 'zod';
import { refusalsOf } from '#domain/refusals.ts';
import type { Instant } from '#event-sourcing/time.ts';
import { defineQuery, type QueryContext } from './query.ts';

const position = z.string().regex(/^\d+$/);
const count = z.int().nonnegative();

const logReport = z.strictObject({
  events: count.meta({ description: 'Events of the log that were read' }),
  up_to: position.nullable().meta({ description: 'Position of the last of them' }),
  faults: count.meta({
    description: 'Faults of the event log and of the file of the records. Above 0, nothing was compared',
  }),
  first_faults: z
    .array(
      z.strictObject({
        what: z.enum(['file', 'missing', 'unreadable', 'unknown_type', 'repeated_id', 'misplaced']),
        reason: z.string(),
        position: position.nullable().meta({ description: 'Of the event, or of the first one that is missing' }),
        event_id: z.string().nullable().meta({ description: 'Null where the fault concerns no event that is there' }),
        stream: z.string().nullable(),
        revision: z.int().nullable(),
      }),
    )
    .meta({
      description: 'The first 1,000 unknown types, and the first 1,000 of the other kinds, which alone mean damage',
    }),
});
export type LogReport = z.infer<typeof logReport>;
export type LogFault = LogReport['first_faults'][number];

const documentsReport = z.strictObject({
  up_to: position.nullable().meta({
    description: 'Position up to which the log was folded; null where the read models reflect no position',
  }),
  compared: count.meta({ description: 'Stored documents' }),
  moved_on: count.meta({ description: 'Documents that changed meanwhile and were compared up to their newest event' }),
  differing: count,
  missing: count.meta({ description: 'Documents that are not stored' }),
  surplus: count.meta({ description: 'Documents that no event creates' }),
  differences: z
    .array(
      z.strictObject({
        collection: z.string(),
        key: z.string(),
        what: z.enum(['differing', 'missing', 'surplus']),
        pointers: z.array(z.string()).meta({
          description: 'JSON Pointers of the first differences, from the stored document: `/body/…`, `/revision`',
        }),
      }),
    )
    .meta({ description: 'The first 1,000 of them' }),
  parked: count.meta({ description: 'Documents that are parked: they equal their fold, but show an old state' }),
  parked_documents: z
    .array(
      z.strictObject({
        collection: z.string(),
        key: z.string(),
        reason: z.string(),
        event_id: z.string(),
        event_type: z.string(),
        position,
      }),
    )
    .meta({ description: 'The first 1,000 parked documents' }),
});
export type DocumentsReport = z.infer<typeof documentsReport>;

const contentsReport = z.strictObject({
  compared: count.meta({ description: 'Contents of claim documents' }),
  differences: z.array(z.strictObject({ claim: z.string(), sha256: z.string(), what: z.enum(['missing', 'altered']) })),
});
export type ContentsReport = z.infer<typeof contentsReport>;

const verificationReport = z
  .strictObject({
    log: logReport,
    read_models: documentsReport
      .extend({ contents: contentsReport })
      .nullable()
      .meta({ description: 'Null where the log has a fault: nothing is compared with a damaged log' }),
  })
  .meta({ id: 'VerificationReport' });
export type VerificationReport = z.infer<typeof verificationReport>;

const verificationProgress = z.strictObject({
  step: z.enum(['log', 'fold', 'compare']),
  count: count.meta({ description: 'Events read or folded, or documents compared' }),
  share: z.number().min(0).max(1).meta({ description: 'Share of the step' }),
  position: position.meta({ description: 'Position up to which the log is read or folded' }),
  head: position.meta({ description: 'Position up to which the log will be read or folded' }),
});
export type VerificationProgress = z.infer<typeof verificationProgress>;

export const verificationSchema = z
  .strictObject({
    verification_id: z.uuid(),
    state: z.enum(['running', 'completed', 'failed']),
    reason: z.string().nullable().meta({ description: 'Why the verification failed; else null' }),
    requested_at: z.string(),
    updated_at: z.string(),
    ended_at: z.string().nullable(),
    progress: verificationProgress.nullable().meta({ description: 'Null unless the verification is running' }),
    report: verificationReport.nullable().meta({ description: 'Null unless the verification is completed' }),
  })
  .meta({ id: 'Verification' });
export type Verification = z.infer<typeof verificationSchema>;

/** A verification in a list, which has no report. */
const verificationItemSchema = verificationSchema
  .omit({ report: true })
  .extend({
    findings: count.nullable().meta({
      description: 'Faults, differences and parked documents together; null unless the verification is completed',
    }),
  })
  .meta({ id: 'VerificationItem' });

/** Returns how many faults, differences and parked documents a report has. */
export function countFindings({ log, read_models }: VerificationReport): number {
  if (read_models === null) return log.faults;
  const { differing, missing, surplus, parked, contents } = read_models;
  return log.faults + differing + missing + surplus + parked + contents.differences.length;
}

/** Name of the newest verification in the records, where each process finds it. */
export const VERIFICATION = 'verification';
/** The process that executes a verification updates it about once a second. */
const SILENT_FOR_MS = 60_000;
/** The most verifications that the list shows; the records keep as many besides the newest. */
const MAX_LISTED = 20;

/** A verification as the records have it. */
export interface StoredVerification {
  /** Counts the verifications of the installation. */
  readonly number: number;
  readonly verification: Verification;
}

/**
 * Returns the name in the records to which a verification moves when the next one starts; it replaces one that is no
 * longer listed.
 */
export function earlierName({ number }: Pick<StoredVerification, 'number'>): string {
  return `${VERIFICATION} ${number % MAX_LISTED}`;
}

/** Returns whether a value in the records is a verification. */
export function isVerification(name: string): boolean {
  return name === VERIFICATION || name.startsWith(`${VERIFICATION} `);
}

/** Returns the verification of a value in the records. Without updates it has ended with its process. */
export function storedVerification(value: string, now: Instant): StoredVerification {
  const { number, verification } = JSON.parse(value) as StoredVerification;
  const { state, updated_at } = verification;
  if (state !== 'running' || Date.parse(now) - Date.parse(updated_at) <= SILENT_FOR_MS) return { number, verification };
  const reason = 'The process that executed it ended before the result';
  return { number, verification: { ...verification, state: 'failed', reason, ended_at: updated_at, progress: null } };
}

type ReadContext = Pick<QueryContext, 'records' | 'now'>;

/** Names of the verifications in the records, that of the newest first. */
const NAMES = [VERIFICATION, ...Array.from({ length: MAX_LISTED }, (_, number) => earlierName({ number }))];

async function readVerification({ records, now }: ReadContext, name: string): Promise<StoredVerification | undefined> {
  const value = await records.getValue(name);
  return value === undefined ? undefined : storedVerification(value, now);
}

/** Returns the last verifications, newest first. */
async function lastVerifications(context: ReadContext): Promise<readonly Verification[]> {
  const values = await Promise.all(NAMES.map(async (name) => await readVerification(context, name)));
  const stored = values.filter((value) => value !== undefined);
  // The newest is there twice while the next one starts.
  const byNumber = new Map(stored.map(({ number, verification }) => [number, verification]));
  return [...byNumber]
    .toSorted(([a], [b]) => b - a)
    .slice(0, MAX_LISTED)
    .map(([, verification]) => verification);
}

export const listVerifications = defineQuery({
  name: 'ListVerifications',
  summary: 'Lists the last 20 verifications, newest first, without their reports.',
  description:
    'The last 20 verifications, newest first. `findings` is 0 where a completed one has found nothing; the single verification has the report.',
  errors: [],
  roles: ['admin', 'auditor'],
  readsOnlyLog: true,
  response: z.strictObject({ results: z.array(verificationItemSchema) }),
  async respond(_input, context) {
    const results = (await lastVerifications(context)).map(({ report, ...item }) => ({
      ...item,
      findings: report && countFindings(report),
    }));
    return { kind: 'resource', body: JSON.stringify({ results }), etag: undefined };
  },
});

const refuse = refusalsOf('verification_not_found');

export const getVerification = defineQuery({
  name: 'GetVerification',
  summary: 'Returns one of the last 20 verifications with its progress, then its report.',
  description: `One of the last 20 verifications. \`failed\`: a store did not answer, the service was stopped, or its process has been silent for a minute. A completed one has found nothing if
the numbers \`faults\`, \`differing\`, \`missing\`, \`surplus\` and \`parked\` are 0, and the \`differences\` of \`contents\` are empty.`,
  errors: refuse.codes,
  roles: ['admin', 'auditor'],
  pathParameters: z.strictObject({ verification_id: z.string() }),
  readsOnlyLog: true,
  response: verificationSchema,
  async respond({ path: { verification_id } }, context) {
    // A client that polls asks for the newest one, whose report is then the only one that is read.
    const newest = (await readVerification(context, VERIFICATION))?.verification;
    const isWanted = (one: Verification): boolean => one.verification_id === verification_id;
    const verification =
      newest !== undefined && isWanted(newest) ? newest : (await lastVerifications(context)).find(isWanted);
    if (verification === undefined) throw refuse('verification_not_found');
    return { kind: 'resource', body: JSON.stringify(verification), etag: undefined };
  },
});
