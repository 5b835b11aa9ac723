import type { VerificationReport } from '#queries/verifications.ts';
import { updateInstallation } from '#stores/records/installation.ts';
import type { Records } from '#stores/records/records.ts';
import { OperatorError } from '#stores/shared/errors.ts';
import { copyLog, digestOf, logsDiffer } from './logs.ts';
import { copyRecords, type Stores } from './records.ts';

/** Name of the value in the records on servers that holds the state of a migration. */
export const MIGRATION = 'migration';
// Stored texts; they never change.
const UNFINISHED = 'under way';
const DONE = 'done';

export interface MigrationOptions {
  /** The stores of the folder, to which no other process writes. */
  readonly source: Stores;
  /** The stores on servers: set up, and empty but for the result of an earlier run. */
  readonly target: Stores;
  /** Hash of the secret that signed the links in mails of the folder. */
  readonly secret: string | undefined;
  /** Returns the roles with a leader on the servers. */
  readonly findLeaders: () => Promise<readonly string[]>;
  /** Builds the read models on the target and verifies its stores. */
  readonly verify: () => Promise<VerificationReport>;
  /** Makes every process refuse to work on the folder. */
  readonly markMoved: () => void;
  readonly onProgress: (progress: { readonly step: string; readonly count: number; readonly share: number }) => void;
}

export type MigrationReport = Awaited<ReturnType<typeof migrate>>;

/**
 * Copies log and records of a folder to servers, and proves that they arrived. It can be killed at any point and called
 * again: the copy of the log continues where it stopped, and all other steps are safe to repeat.
 * @throws {OperatorError}
 * @throws {StoreUnavailable}
 */
export async function migrate(options: MigrationOptions) {
  const { source, target, secret, onProgress } = options;
  await begin(target, options.findLeaders);
  // Positions of an embedded log have no gaps, so the last one is the number of events.
  const total = Number((await source.eventStore.lastPosition()) ?? 0n);
  const counting = (step: string) => {
    let count = 0;
    return (events: number): void => onProgress({ step, count: (count += events), share: count / total });
  };
  await copyLog(source.eventStore, target.eventStore, counting('copy'));
  const [original, copy] = [await digestOf(source.eventStore), await digestOf(target.eventStore, counting('compare'))];
  if (original.sha256 !== copy.sha256)
    throw logsDiffer(`The ${copy.events} events on the servers are not the ${original.events} events of the folder`);
  const records = await copyRecords(source, target);
  await updateInstallation(target.records, (current) => ({ ...current, secret: secret ?? current.secret }));
  const verification = await options.verify();
  const { read_models: documents } = verification;
  // Parked documents and missing contents are so in the folder too.
  const isMoved = documents !== null && documents.differing + documents.missing + documents.surplus === 0;
  if (isMoved) {
    // In this order no process can start on both.
    options.markMoved();
    await target.records.setValue(MIGRATION, DONE);
  }
  return { ...copy, ...records, verification, is_moved: isMoved };
}

/**
 * Makes every process refuse to start on the servers. Services that run would send mails and renew policies from an
 * incomplete log.
 */
async function begin({ records, eventStore }: Stores, findLeaders: MigrationOptions['findLeaders']): Promise<void> {
  const before = await records.getValue(MIGRATION);
  if (before !== UNFINISHED && (await eventStore.lastPosition()) !== undefined)
    throw new OperatorError(
      'The servers have events, and surety migrate needs empty ones. If this folder was moved there, start the services on them; ' +
        'else empty them (the log, the database, the topics) and run surety setup.',
    );
  // Before the search, so that a process that starts later finds it.
  await records.setValue(MIGRATION, UNFINISHED);
  const leaders = await findLeaders();
  if (leaders.length === 0) return;
  if (before !== UNFINISHED) await records.setValue(MIGRATION, DONE);
  throw new OperatorError(
    `Services run on the servers (roles with a leader: ${leaders.join(', ')}): stop all of them first.`,
  );
}

/** Every process calls this before it works on servers. @throws {OperatorError} @throws {StoreUnavailable} */
export async function refuseUnfinishedMigration(records: Pick<Records, 'getValue'>): Promise<void> {
  if ((await records.getValue(MIGRATION)) !== UNFINISHED) return;
  throw new OperatorError('A migration to these servers is not finished: run surety migrate again to continue.');
}
