import type { EventStore } from '../event-store/event-store.ts';
import type { ReadModels } from '../read-models/read-models.ts';
import type { Records } from '../records/records.ts';
import { compareReadModels, type ReadModelComparison } from './compare-read-models.ts';
import { compareLogs, copyLog, LogMismatch, refuseTooLarge, TooLargeEvent } from './logs.ts';
import { updateInstallation } from '../records/installation.ts';
import {
  announceMigration,
  beginMigration,
  endMigration,
  NOTICED_WITHIN_MS,
  refuseAfterMigration,
  takeBackMigration,
} from './mark.ts';
import { Translation } from './positions.ts';
import { copyKept, copyValues, positionsIn } from './records.ts';

/** What is moved. Nobody else writes to it. */
export interface MigrationSource {
  readonly eventStore: Pick<EventStore, 'readAll'>;
  readonly records: Records;
  /** Level with the log. */
  readonly readModels: Pick<ReadModels, 'scan' | 'getMany'>;
  /** Hash of the secret that signed the links in its mails. */
  readonly secretHash: string;
  /** No process uses the source any more once this resolves. */
  readonly markMoved: () => Promise<void> | void;
}

/** Where it goes: set up, and empty but for the beginning of this very migration. */
export interface MigrationTarget {
  readonly eventStore: Pick<EventStore, 'readAll' | 'append'>;
  readonly records: Records;
  readonly readModels: Pick<ReadModels, 'scan' | 'getMany'>;
  /** Makes the read models from the log and resolves when they are level with it. */
  readonly buildReadModels: () => Promise<void>;
  /** Roles with a leader on the servers, watched for at least that many milliseconds. */
  readonly findLeaders: (atLeastMs: number) => Promise<readonly string[]>;
}

/** Services run on the target: they would mail and renew by half a log. */
export class ServicesRun extends Error {
  override readonly name = 'ServicesRun';
  readonly roles: readonly string[];
  constructor(roles: readonly string[]) {
    super(`Services run on the servers (roles with a leader: ${roles.join(', ')})`);
    this.roles = roles;
  }
}

export type MigrationStep =
  | 'compare logs'
  | 'copy log'
  | 'prove log'
  | 'copy records'
  | 'read models'
  | 'compare read models';

export interface MigrationOptions {
  readonly source: MigrationSource;
  readonly target: MigrationTarget;
  /** Names of the collections that are compared. */
  readonly collections: readonly string[];
  readonly onProgress?: (step: MigrationStep, count: number) => void;
}

export interface MigrationReport {
  /** Of the whole log. */
  readonly events: number;
  /** By this run; the others had been copied before. */
  readonly copied: number;
  readonly blobs: number;
  readonly revokedKeys: number;
  readonly values: number;
  readonly readModels: ReadModelComparison;
}

/**
 * Moves everything that cannot be made again, makes the rest again, and compares it. It can be killed anywhere and called
 * again: where it was is found from the target's own log, and every other step repeats without effect. It is marked as done
 * only when nothing differs, the source first: until then no process works on the target, and from then on none on the source.
 * @throws {MigrationDone} @throws {ServicesRun} @throws {LogMismatch} when the target holds anything else @throws {TooLargeEvent}
 * @throws {UnknownValue} @throws {BrokenContent} @throws {StoreUnavailable}
 */
export async function migrate(options: MigrationOptions): Promise<MigrationReport> {
  const { source, target, onProgress = () => {} } = options;
  const counting = (step: MigrationStep) => {
    let count = 0;
    onProgress(step, count);
    return () => onProgress(step, ++count);
  };
  await refuseAfterMigration(target.records);
  const translation = new Translation(await positionsIn(source.records));
  const present = await makeSure(options, counting('compare logs'));
  await beginMigration(target.records);
  const copied = await copyLog(source.eventStore, target.eventStore, present.last, (count) =>
    onProgress('copy log', present.events + count),
  );
  const prove = counting('prove log');
  const { events } = await compareLogs(source.eventStore, target.eventStore, (from, to) => {
    translation.take(from, to);
    prove();
  });
  if (events !== present.events + copied)
    throw new Error(`${present.events + copied} events were to be copied, ${events} are there`);
  const kept = await copyKept(source.records, target.records, (count) => onProgress('copy records', count));
  const values = await copyValues(source.records, target.records, (position) => translation.of(position));
  const onServers = { log: 'server', messaging: 'server', secret: source.secretHash } as const;
  await updateInstallation(target.records, (installation) => ({ ...installation, ...onServers }));
  onProgress('read models', 0);
  await target.buildReadModels();
  const readModels = await compareReadModels(source.readModels, target.readModels, options.collections, (_, count) =>
    onProgress('compare read models', count),
  );
  if (readModels.differences.length === 0) {
    // In this order there is no moment at which somebody could start on both.
    await source.markMoved();
    await endMigration(target.records);
  }
  return { events, copied, ...kept, values, readModels };
}

/**
 * Makes sure that nobody else works on the target, and that it has the beginning of the source's log and nothing else and can
 * take the rest; resolves with how much it has. Nothing was written there then but the mark, which is taken back when it is not so.
 */
async function makeSure({ source, target }: MigrationOptions, onCompared: () => void): ReturnType<typeof compareLogs> {
  // Without a mark, because a service that sees it ends: by a mistake in an address nobody's service shall.
  await refuseWhileLed(target, 0);
  await announceMigration(target.records);
  try {
    await refuseWhileLed(target, NOTICED_WITHIN_MS);
    const present = await compareLogs(source.eventStore, target.eventStore, onCompared);
    await refuseTooLarge(source.eventStore, present.last);
    return present;
  } catch (error) {
    const isCertain = [ServicesRun, LogMismatch, TooLargeEvent].some((kind) => error instanceof kind);
    if (isCertain) await takeBackMigration(target.records);
    throw error;
  }
}

async function refuseWhileLed({ findLeaders }: MigrationTarget, atLeastMs: number): Promise<void> {
  const roles = await findLeaders(atLeastMs);
  if (roles.length > 0) throw new ServicesRun(roles);
}
