import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from 'pino';
import {
  earlierName,
  storedVerification,
  type StoredVerification,
  type Verification,
  VERIFICATION,
  type VerificationProgress,
  type VerificationReport,
} from '#queries/verifications.ts';
import { Refusal } from '#domain/refusals.ts';
import type { Instant } from '#event-sourcing/time.ts';
import type { Records } from '#stores/records/records.ts';
import { SafeError } from '#stores/shared/errors.ts';
import type { StoreLocations } from '../config/store-locations.ts';
import { workerFile, WorkerThread } from './worker-thread.ts';

export interface VerificationTask {
  readonly locations: StoreLocations;
}

export interface VerificationsOptions {
  readonly locations: StoreLocations;
  readonly records: Pick<Records, 'getRevised' | 'setValue' | 'replaceValue'>;
  readonly now: () => Instant;
  readonly randomId: () => string;
  readonly log: Pick<Logger, 'warn'>;
}

const UPDATE_INTERVAL_MS = 1_000;

/**
 * Verifies the log and the read models in a worker thread with connections of its own to the stores. One verification
 * runs at a time. The last ones are values in the records, so that every process shows them.
 */
export class Verifications {
  readonly #options: VerificationsOptions;
  readonly #thread = new WorkerThread<VerificationTask, VerificationReport, VerificationProgress>({
    file: workerFile('verification-worker', import.meta.url),
    subject: 'the verification',
    running: { code: 'verification_running', detail: 'Another verification is running; only one runs at a time' },
  });
  #running: Promise<void> = Promise.resolve();

  constructor(options: VerificationsOptions) {
    this.#options = options;
  }

  /** Starts a verification. @throws {Refusal} `verification_running` @throws {StoreUnavailable} */
  async start(): Promise<Verification> {
    const { records, now, randomId } = this.#options;
    const stored = await records.getRevised(VERIFICATION);
    const at = now();
    const newest = stored === undefined ? undefined : storedVerification(stored.value, at);
    if (newest?.verification.state === 'running') {
      const members = { verification_id: newest.verification.verification_id };
      throw new Refusal('verification_running', 'Another verification is running; only one runs at a time', {
        members,
      });
    }
    const times = { requested_at: at, updated_at: at, ended_at: null };
    const nothing = { reason: null, progress: null, report: null };
    const verification: Verification = { verification_id: randomId(), state: 'running', ...times, ...nothing };
    const started: StoredVerification = { number: (newest?.number ?? -1) + 1, verification };
    if (newest !== undefined) await records.setValue(earlierName(newest), JSON.stringify(newest));
    // Another process may have started one meanwhile.
    if (!(await records.replaceValue(VERIFICATION, stored?.revision, JSON.stringify(started))))
      return await this.start();
    this.#running = this.#execute(started);
    return verification;
  }

  async stop(): Promise<void> {
    await this.#thread.stop();
    await this.#running;
  }

  async #execute({ number, verification }: StoredVerification): Promise<void> {
    const { locations, records, now, log } = this.#options;
    let progress: VerificationProgress | null = null;
    const update = async (changes: Partial<Verification>): Promise<void> => {
      const value = JSON.stringify({ number, verification: { ...verification, updated_at: now(), ...changes } });
      await records.setValue(VERIFICATION, value).catch((err: unknown) => {
        log.warn({ err }, 'The state of the verification was not stored');
      });
    };
    const ended = this.#thread
      .run({ locations }, undefined, (latest) => (progress = latest))
      .then<Partial<Verification>, Partial<Verification>>(
        (report) => ({ state: 'completed', report }),
        (err: unknown) => {
          log.warn({ err }, 'The verification failed');
          return { state: 'failed', reason: reasonOf(err) };
        },
      );
    for (;;) {
      const end = await Promise.race([ended, pause(UPDATE_INTERVAL_MS, undefined, { ref: false })]);
      if (end !== undefined) return await update({ ...end, ended_at: now() });
      await update({ progress });
    }
  }
}

function reasonOf(error: unknown): string {
  const isSafe = error instanceof Refusal || error instanceof SafeError;
  return isSafe ? error.message : 'An unexpected error occurred in Surety; its log has the cause';
}
