import type { EventStore, Position, StoredEvent } from '#stores/event-log/event-log.ts';
import type { ReadModels } from '#stores/read-models/read-models.ts';
import type { Records } from '#stores/records/records.ts';
import { compareReadModels, type ReadModelComparison } from './compare-read-models.ts';
import { compareLogs, copyLog, TargetLogMismatch } from './logs.ts';
import { updateInstallation } from '#stores/records/installation.ts';
import {
  announceMigration,
  startMigration,
  finishMigration,
  NOTICED_WITHIN_MS,
  refuseAfterMigration,
  cancelMigration,
} from './migration-state.ts';
import { copyBlobsAndRevokedKeys, copyValues, positionsIn } from './records.ts';

/** The stores of the folder. No other process writes to them. */
export interface MigrationSource {
  readonly eventStore: Pick<EventStore, 'readAll'>;
  readonly records: Records;
  readonly readModels: Pick<ReadModels, 'scan' | 'getMany'>;
  /** Hash of the secret that signed the links in mails. */
  readonly secretHash: string;
  /** Makes every process refuse to work on the source. */
  readonly markMoved: () => Promise<void> | void;
}

/** The stores on servers: set up, and empty except for the result of an earlier run of this migration. */
export interface MigrationTarget {
  readonly eventStore: Pick<EventStore, 'readAll' | 'append'>;
  readonly records: Records;
  readonly readModels: Pick<ReadModels, 'scan' | 'getMany'>;
  /** Builds the read models from the log and resolves when they have caught up. */
  readonly buildReadModels: () => Promise<void>;
  /** Returns the roles with a leader on the servers after watching for at least this many milliseconds. */
  readonly findLeaders: (atLeastMs: number) => Promise<readonly string[]>;
}

/** Services run on the target; they would send mails and renew policies from an incomplete log. */
export class ServicesRunning extends Error {
  override readonly name = 'ServicesRunning';
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

interface MigrationOptions {
  readonly source: MigrationSource;
  readonly target: MigrationTarget;
  readonly collections: readonly string[];
  readonly onProgress?: (step: MigrationStep, count: number) => void;
}

export interface MigrationReport {
  readonly events: number;
  readonly copied: number;
  readonly blobs: number;
  readonly revokedKeys: number;
  readonly values: number;
  readonly readModels: ReadModelComparison;
}

/**
 * Copies log and records, rebuilds the read models on the target and compares them with those of the source. It can be killed at any
 * point and called again: it resumes after the last event of the target's log, and the other steps are safe to repeat. When nothing
 * differs it marks the source as moved and then the target as done, so that no process works on both.
 * @throws {MigrationDone} @throws {ServicesRunning} @throws {TargetLogMismatch} when the target holds anything else
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
  const translator = new PositionTranslator(await positionsIn(source.records));
  const existing = await prepareTarget(options, counting('compare logs'));
  await startMigration(target.records);
  const copied = await copyLog(source.eventStore, target.eventStore, existing.last, (count) =>
    onProgress('copy log', existing.events + count),
  );
  const onCompared = counting('prove log');
  const { events } = await compareLogs(source.eventStore, target.eventStore, (original, copy) => {
    translator.add(original, copy);
    onCompared();
  });
  if (events !== existing.events + copied)
    throw new Error(`The target has ${events} events instead of ${existing.events + copied}`);
  const counts = await copyBlobsAndRevokedKeys(source.records, target.records, (count) =>
    onProgress('copy records', count),
  );
  const values = await copyValues(source.records, target.records, (position) => translator.of(position));
  await updateInstallation(target.records, (installation) => ({ ...installation, secret: source.secretHash }));
  onProgress('read models', 0);
  await target.buildReadModels();
  const readModels = await compareReadModels(source.readModels, target.readModels, options.collections, (_, count) =>
    onProgress('compare read models', count),
  );
  if (readModels.differences.length === 0) {
    // In this order no process can start on both.
    await source.markMoved();
    await finishMigration(target.records);
  }
  return { events, copied, ...counts, values, readModels };
}

/**
 * Checks that no service runs on the target, and that its log is a prefix of the source's. It
 * writes only the announcement, and cancels it when a check fails.
 */
async function prepareTarget(
  { source, target }: MigrationOptions,
  onCompared: () => void,
): ReturnType<typeof compareLogs> {
  // Before the announcement, which ends the services there: the address may be a mistake.
  await refuseWhileLed(target, 0);
  await announceMigration(target.records);
  try {
    await refuseWhileLed(target, NOTICED_WITHIN_MS);
    return await compareLogs(source.eventStore, target.eventStore, onCompared);
  } catch (error) {
    const isCertain = [ServicesRunning, TargetLogMismatch].some((kind) => error instanceof kind);
    if (isCertain) await cancelMigration(target.records);
    throw error;
  }
}

async function refuseWhileLed({ findLeaders }: MigrationTarget, atLeastMs: number): Promise<void> {
  const roles = await findLeaders(atLeastMs);
  if (roles.length > 0) throw new ServicesRunning(roles);
}

/** Translates positions of one log to those of a copy with the same events. Keeps only the positions that are wanted. */
class PositionTranslator {
  readonly #wanted: readonly Position[];
  readonly #found = new Map<Position, Position | undefined>();
  #next = 0;
  #lastCopied: Position | undefined;

  /** @param wanted positions of the old log; a position between events stands for the last event before it */
  constructor(wanted: readonly Position[]) {
    this.#wanted = [...new Set(wanted)].toSorted((a, b) => (a < b ? -1 : 1));
  }

  readonly add = (from: Pick<StoredEvent, 'position'>, to: Pick<StoredEvent, 'position'>): void => {
    for (let wanted = this.#wanted[this.#next]; wanted !== undefined && wanted < from.position; ) {
      this.#found.set(wanted, this.#lastCopied);
      this.#next += 1;
      wanted = this.#wanted[this.#next];
    }
    this.#lastCopied = to.position;
  };

  /**
   * Returns the position in the new log after all events were added; undefined: before the first event.
   * @throws {Error} for a position that was not wanted
   */
  of(position: Position): Position | undefined {
    if (this.#found.has(position)) return this.#found.get(position);
    if (!this.#wanted.includes(position)) throw new Error(`Position ${position} was not passed to the constructor`);
    return this.#lastCopied;
  }
}
