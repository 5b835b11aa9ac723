import type { Verification, VerificationProgress } from './verify.ts';
import type { ContentVerification } from './verify-contents.ts';
import type { CountDifference } from './verify-counts.ts';

/** Result of `surety verify`. */
export interface VerificationReport {
  readonly documents: Verification;
  readonly counts: readonly CountDifference[];
  readonly contents: ContentVerification;
}

/** Returns the number of all differences. */
export function countDifferences({ documents, counts, contents }: VerificationReport): number {
  const { differing, missing, surplus } = documents;
  return differing + missing + surplus + counts.length + contents.differences.length;
}

/**
 * Verifies the read models beside the service that writes them.
 * @throws {Refusal} `verification_running`
 * @throws {StoreUnavailable}
 */
export type RunVerification = (
  signal: AbortSignal,
  onProgress: (progress: VerificationProgress) => void,
) => Promise<VerificationReport>;
