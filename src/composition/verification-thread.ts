import type { Position } from '../event-store/event-store.ts';
import type { RunVerification, VerificationReport } from '../projector/verification.ts';
import type { VerificationProgress } from '../projector/verify.ts';
import type { StoreLocations } from './store-locations.ts';
import { workerFile, WorkerThread } from './worker-thread.ts';

/** What the worker is given. */
export interface VerificationTask {
  readonly stores: StoreLocations;
  /** Position that all read models reflect; undefined when it is not known. */
  readonly reached: Position | undefined;
}

/** Verifies the read models in a worker thread with connections of its own to the stores. One verification runs at a time. */
export class VerificationThread {
  readonly #thread: WorkerThread<VerificationTask, VerificationReport, VerificationProgress>;
  readonly run: RunVerification;

  /** @param reached returns the position that all read models reflect */
  constructor(
    stores: StoreLocations,
    reached: () => Position | undefined,
    file: URL = workerFile('verification-worker', import.meta.url),
  ) {
    const detail = 'Another verification is running; only one runs at a time';
    const running = { code: 'verification_running', detail } as const;
    this.#thread = new WorkerThread({ file, subject: 'the verification', running });
    this.run = async (signal, onProgress) => await this.#thread.run({ stores, reached: reached() }, signal, onProgress);
  }

  /** Stops the verification in progress, and refuses further ones. */
  async stop(): Promise<void> {
    await this.#thread.stop();
  }
}
