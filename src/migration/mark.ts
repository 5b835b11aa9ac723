import type { Records } from '../records/records.ts';

/** Names the value in the records of the target that tells of a migration. */
export const MIGRATION = 'migration';

const UNDER_WAY = 'under way';
const DONE = 'done';

/** Something is being moved to these servers: until that is done, nothing may be written there by anybody else. */
export class MigrationUnderWay extends Error {
  override readonly name = 'MigrationUnderWay';
  constructor() {
    super('A migration to these servers was begun and is not finished: run surety migrate again, it goes on');
  }
}

/** These servers have been migrated to; the folder may be behind them by now. */
export class MigrationDone extends Error {
  override readonly name = 'MigrationDone';
  constructor() {
    super('A migration to these servers was finished before');
  }
}

/** What every process asks before it works on the servers. @throws {MigrationUnderWay} @throws {StoreUnavailable} */
export async function refuseWhileMigrating(records: Pick<Records, 'getValue'>): Promise<void> {
  if ((await records.getValue(MIGRATION)) === UNDER_WAY) throw new MigrationUnderWay();
}

/** @throws {MigrationDone} @throws {StoreUnavailable} */
export async function refuseAfterMigration(records: Pick<Records, 'getValue'>): Promise<void> {
  if ((await records.getValue(MIGRATION)) === DONE) throw new MigrationDone();
}

export async function beginMigration(records: Pick<Records, 'setValue'>): Promise<void> {
  await records.setValue(MIGRATION, UNDER_WAY);
}

export async function endMigration(records: Pick<Records, 'setValue'>): Promise<void> {
  await records.setValue(MIGRATION, DONE);
}
