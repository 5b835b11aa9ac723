import type { Records } from '../records/records.ts';
import { OperatorError } from '../operator-error.ts';

/** Names the value in the records of the target that holds the state of a migration. */
export const MIGRATION = 'migration';

/** Nothing was written to the target yet. */
const BEGINNING = 'beginning';
const UNDER_WAY = 'under way';
const DONE = 'done';
/** Nothing was written, and nothing will be. */
const TAKEN_BACK = 'taken back';

/** How often a process that works on servers looks whether a migration to them begins. */
const LOOK_EVERY_MS = 1_000;
/** Every process that works on the servers has seen the mark so long after it was set, unless it is paused. */
export const NOTICED_WITHIN_MS = 3 * LOOK_EVERY_MS;

/** Something is being moved to these servers: until that is done, nothing may be written there by anybody else. */
export class MigrationUnderWay extends OperatorError {
  override readonly name = 'MigrationUnderWay';
  constructor() {
    super('A migration to these servers has started and is not finished: run surety migrate again to continue.');
  }
}

/** These servers have been migrated to; the folder may be behind them by now. */
export class MigrationDone extends Error {
  override readonly name = 'MigrationDone';
  constructor() {
    super(
      'A migration to these servers was finished before: start the services on them; or, for another move, empty the servers ' +
        '(the log, the database, the topics) and begin with surety setup',
    );
  }
}

/** What every process asks before it works on the servers. @throws {MigrationUnderWay} @throws {StoreUnavailable} */
export async function refuseWhileMigrating(records: Pick<Records, 'getValue'>): Promise<void> {
  const mark = await records.getValue(MIGRATION);
  if (mark === BEGINNING || mark === UNDER_WAY) throw new MigrationUnderWay();
}

/**
 * Resolves as soon as a migration to the servers begins: every process that serves there then ends. Resolves as well when the signal
 * aborts. It is how processes without a lease, of the roles api and mailer, are kept from working on half a log.
 */
export async function untilMigration(
  records: Pick<Records, 'getValue'>,
  pause: (milliseconds: number, signal: AbortSignal) => Promise<void>,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    // Records that do not answer are reported by their own check.
    const mark = await records.getValue(MIGRATION).catch(() => undefined);
    if (mark === BEGINNING || mark === UNDER_WAY) return;
    await pause(LOOK_EVERY_MS, signal);
  }
}

/** @throws {MigrationDone} @throws {StoreUnavailable} */
export async function refuseAfterMigration(records: Pick<Records, 'getValue'>): Promise<void> {
  if ((await records.getValue(MIGRATION)) === DONE) throw new MigrationDone();
}

/** From now on nobody starts on the servers, and whoever works there ends. */
export async function announceMigration(records: Pick<Records, 'getValue' | 'setValue'>): Promise<void> {
  // One that has written already stays what it is.
  if ((await records.getValue(MIGRATION)) !== UNDER_WAY) await records.setValue(MIGRATION, BEGINNING);
}

/** From now on the target is written to. */
export async function beginMigration(records: Pick<Records, 'setValue'>): Promise<void> {
  await records.setValue(MIGRATION, UNDER_WAY);
}

/** Lets the servers be used as before, if no run of a migration has written to them. */
export async function takeBackMigration(records: Pick<Records, 'getValue' | 'setValue'>): Promise<void> {
  if ((await records.getValue(MIGRATION)) === BEGINNING) await records.setValue(MIGRATION, TAKEN_BACK);
}

export async function endMigration(records: Pick<Records, 'setValue'>): Promise<void> {
  await records.setValue(MIGRATION, DONE);
}
