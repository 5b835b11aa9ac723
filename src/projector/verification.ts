import type { Verification, VerificationProgress } from './verify.ts';
import type { ContentVerification } from './verify-contents.ts';
import type { LogVerification } from './verify-log.ts';

/** Result of `surety verify`. */
export interface VerificationReport {
  readonly log: LogVerification;
  /** Undefined where the log has a fault: nothing is compared with a damaged log. */
  readonly readModels: ReadModelsVerification | undefined;
}

export interface ReadModelsVerification {
  readonly documents: Verification;
  readonly contents: ContentVerification;
}

/** Returns the number of everything that an operator must look at. */
export function countFindings({ log, readModels }: VerificationReport): number {
  if (readModels === undefined) return log.faults;
  const { documents, contents } = readModels;
  const { differing, missing, surplus, parked } = documents;
  return log.faults + differing + missing + surplus + parked + contents.differences.length;
}

/**
 * Verifies the log and the read models beside the service that writes them.
 * @throws {Refusal} `verification_running`
 * @throws {StoreUnavailable}
 */
export type RunVerification = (
  signal: AbortSignal,
  onProgress: (progress: VerificationProgress) => void,
) => Promise<VerificationReport>;
