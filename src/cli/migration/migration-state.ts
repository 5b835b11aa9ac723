import type { Records } from '#stores/records/records.ts';
import { OperatorError } from '#stores/shared/operator-error.ts';

export const MIGRATION = 'migration';

// Stored texts; they never change.
/** Announced; nothing was written to the target yet. */
const ANNOUNCED = 'beginning';
const IN_PROGRESS = 'under way';
const DONE = 'done';
/** Cancelled before anything was written. */
const CANCELLED = 'taken back';

/** How often a process on the servers reads the state. */
const POLL_MS = 1_000;
/** Every running process on the servers has read the state after this time, unless it is paused. */
export const NOTICED_WITHIN_MS = 3 * POLL_MS;

/** A migration to these servers is in progress, so no other process may write there. */
export class MigrationInProgress extends OperatorError {
  override readonly name = 'MigrationInProgress';
  constructor() {
    super('A migration to these servers has started and is not finished: run surety migrate again to continue.');
  }
}

/** A migration to these servers was finished; the folder may be older than the servers. */
export class MigrationDone extends Error {
  override readonly name = 'MigrationDone';
  constructor() {
    super(
      'A migration to these servers was finished before: start the services on them; or, for another move, empty the servers ' +
        '(the log, the database, the topics) and start with surety setup',
    );
  }
}

/** Every process calls this before it works on servers. @throws {MigrationInProgress} @throws {StoreUnavailable} */
export async function refuseWhileMigrating(records: Pick<Records, 'getValue'>): Promise<void> {
  if (isMigrating(await records.getValue(MIGRATION))) throw new MigrationInProgress();
}

/**
 * Resolves when a migration to the servers starts, or the signal aborts. Every process on the servers then ends, also those without a
 * lease (api and mailer), so that none works on an incomplete log.
 */
export async function untilMigration(
  records: Pick<Records, 'getValue'>,
  pause: (milliseconds: number, signal: AbortSignal) => Promise<void>,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    // The health check of the records reports an outage.
    if (isMigrating(await records.getValue(MIGRATION).catch(() => undefined))) return;
    await pause(POLL_MS, signal);
  }
}

function isMigrating(state: string | undefined): boolean {
  return state === ANNOUNCED || state === IN_PROGRESS;
}

/** @throws {MigrationDone} @throws {StoreUnavailable} */
export async function refuseAfterMigration(records: Pick<Records, 'getValue'>): Promise<void> {
  if ((await records.getValue(MIGRATION)) === DONE) throw new MigrationDone();
}

/** Makes every process on the servers end, and refuses new ones. */
export async function announceMigration(records: Pick<Records, 'getValue' | 'setValue'>): Promise<void> {
  // An earlier run may have written to the target already.
  if ((await records.getValue(MIGRATION)) !== IN_PROGRESS) await records.setValue(MIGRATION, ANNOUNCED);
}

/** Call it before the first write to the target. */
export async function startMigration(records: Pick<Records, 'setValue'>): Promise<void> {
  await records.setValue(MIGRATION, IN_PROGRESS);
}

/** Releases the servers, unless a run of a migration has written to them. */
export async function cancelMigration(records: Pick<Records, 'getValue' | 'setValue'>): Promise<void> {
  if ((await records.getValue(MIGRATION)) === ANNOUNCED) await records.setValue(MIGRATION, CANCELLED);
}

export async function finishMigration(records: Pick<Records, 'setValue'>): Promise<void> {
  await records.setValue(MIGRATION, DONE);
}
