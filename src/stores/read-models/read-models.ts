import { SafeError } from '../shared/errors.ts';
import type { Position } from '../event-log/event-log.ts';
import type { Fence } from './fence.ts';

/** Value of an index. Text is compared exactly; for case-insensitive search, store it in lower case. */
export type IndexValue = string | number | boolean | null;

export interface CollectionDefinition {
  readonly name: string;
  /** Raised when the fold or the schema of the document changes; each version has separate documents. */
  readonly version: number;
  readonly indexes: readonly string[];
  /** Indexes of `indexes` by which large lists are counted. A store may keep the number of documents of each value. */
  readonly countedBy?: readonly string[];
}

/** Collection → id of the build whose documents are served. A collection without one has its first documents. */
export type Builds = Readonly<Record<string, string>>;

/** Name of the collection without documents whose entry contains the served builds on servers. */
export const PUBLISHED_POSITION = 'reached';

const BUILD = /^[0-9a-f]{12}$/;

/** Returns the name under which the documents of a build are stored. @throws when the id of the build is malformed */
export function storedName(collection: string, build: string | undefined): string {
  if (build === undefined) return collection;
  if (!BUILD.test(build)) throw new Error(`${build} cannot name a build`);
  return `${collection}_r${build}`;
}

/** Returns the build of a stored name: undefined for the first documents, null for the name of another collection. */
export function buildOf(collection: string, name: string): string | undefined | null {
  if (name === collection) return undefined;
  const build = name.startsWith(`${collection}_r`) ? name.slice(collection.length + 2) : '';
  return BUILD.test(build) ? build : null;
}

/** Reason why a document is parked, and the event that could not be folded. */
export interface Parking {
  readonly reason: string;
  readonly eventId: string;
  readonly eventType: string;
  readonly position: Position;
}

/** Entry of the list of parked documents, without the body, which may be large. */
export interface ParkedDocument {
  readonly key: string;
  readonly parked: Parking;
}

export interface StoredDocument {
  readonly key: string;
  /** JSON text of the document, up to 8 MiB of UTF-8; undefined when the document was parked before its first state. */
  readonly body: string | undefined;
  /** Stream whose events are folded into the document. */
  readonly stream: string;
  /** Last revision that the body reflects; -1 before the first state. */
  readonly revision: number;
  /**
   * Position of the last event that the body reflects; of a parked document that of the event at which it is parked.
   */
  readonly position: Position;
  /**
   * Creation time of the resource, as ISO date-time; of a document of one event, its padded position. Lists are sorted
   * by it, then by key.
   */
  readonly createdAt: string;
  readonly indexes: Readonly<Record<string, IndexValue>>;
  readonly parked: Parking | undefined;
}

/** State of a stored document that a write replaces. A repair of a parked document keeps its position. */
export interface ReplacedState {
  readonly position: Position;
  readonly isParked: boolean;
}

export interface DocumentToWrite extends StoredDocument {
  readonly replaces: ReplacedState | null;
}

export interface CollectionWrite {
  readonly collection: string;
  readonly documents: readonly DocumentToWrite[];
  /** Position up to which the collection reflects the log after this write. */
  readonly checkpoint: Position;
}

/** Writes of different collections, stored in any order. */
export type WriteStep = readonly CollectionWrite[];

/** The stored document is not the one that a write replaces, and is older than the write. Read it and fold again. */
export class StaleDocument extends SafeError {
  override readonly name = 'StaleDocument';
  constructor(collection: string) {
    super(`A document of ${collection} replaces another state than the stored one`);
  }
}

export type SortKey = Pick<StoredDocument, 'createdAt' | 'key'>;

export interface FindQuery {
  /** Index → value, or a list of values; all conditions must match. */
  readonly where?: Readonly<Record<string, IndexValue | readonly IndexValue[]>>;
  /** Index → substring. Matches text only. */
  readonly contains?: Readonly<Record<string, string>>;
  /** Index → upper bound (inclusive), compared as text. Matches text only. */
  readonly atMost?: Readonly<Record<string, string>>;
  /** Index → lower bound (exclusive), compared as text. Matches text only. */
  readonly above?: Readonly<Record<string, string>>;
  readonly newestFirst?: boolean;
  /**
   * Only documents that come after this sort key (exclusive). With a condition on one index, the cost of a page does
   * not grow with its depth.
   */
  readonly after?: SortKey;
  /**
   * The last documents that come before this sort key (exclusive); not together with `after`. Costs as much as `after`.
   */
  readonly before?: SortKey;
  /** Counts the matches up to the end of the page only, where counting all of them would read every document. */
  readonly skipCount?: boolean;
  readonly limit: number;
  readonly offset: number;
}

export interface ScanIndexOptions {
  readonly index: string;
  /** Upper bound of the value (inclusive), compared as text. Matches text only. */
  readonly atMost: string;
  /** The last document of the page before; its sort key counts, also when it has changed since. */
  readonly after?: Pick<StoredDocument, 'key' | 'createdAt' | 'indexes'> | undefined;
  readonly limit: number;
}

export interface FindResult {
  /** Number of all matches, regardless of limit, offset and sort key; with `skipCount` up to the end of the page. */
  readonly count: number;
  /**
   * Sorted by `createdAt`, then key; with `newestFirst` the other way round. Documents without a body are neither
   * listed nor counted.
   */
  readonly documents: readonly StoredDocument[];
}

/** The documents of collections that are open. */
export interface DocumentStore {
  get(collection: string, key: string): Promise<StoredDocument | undefined>;
  getMany(collection: string, keys: readonly string[]): Promise<readonly StoredDocument[]>;
  find(collection: string, query: FindQuery): Promise<FindResult>;
  /**
   * Returns a page of the documents with a body in order of the value of an index, then of `createdAt`, then of key.
   * Its cost depends neither on the number of matches nor on its depth.
   */
  scanIndex(collection: string, options: ScanIndexOptions): Promise<readonly StoredDocument[]>;
  /**
   * Writes one step after the other; SQLite stores all steps or none. In each collection, writes the documents, then
   * the checkpoint. Skips a document whose `replaces` does not match when the stored one is at the same position or
   * newer.
   * @throws {StaleDocument} when the stored document is older; other documents may have been written, the checkpoint
   * was not
   * @throws {WriterFenced} when a greater token is stored; the checkpoint was not written
   */
  write(steps: readonly WriteStep[], fence?: Fence): Promise<void>;
  /** Returns the names of open collections that were deleted by hand, or whose checkpoints were. */
  missing(): Promise<readonly string[]>;
  checkpoint(collection: string): Promise<Position | undefined>;
  /**
   * Returns a page of the parked documents of the collection, oldest position first, then by key. An offset skips index
   * entries.
   */
  parked(collection: string, options: { limit: number; offset: number }): Promise<readonly ParkedDocument[]>;
  countParked(collection: string): Promise<number>;
  /** Returns a page of all documents in order of key, after `after` (exclusive). For comparison and export. */
  scan(collection: string, options: { after: string | undefined; limit: number }): Promise<readonly StoredDocument[]>;
  ping(): Promise<void>;
}

/**
 * Port of the store for the documents of projections, which can be rebuilt from the log at any time.
 *
 * Guarantees, checked by `test/ports/read-models.suite.ts` for every adapter:
 * - a document and its position are written atomically;
 * - a checkpoint is never ahead of the written documents, and never moves back;
 * - a write with `replaces` never replaces another state;
 * - lists have a stable order, and their count matches their content without concurrent writes.
 */
export interface ReadModels extends DocumentStore {
  /**
   * Creates the collections that do not exist. Leaves other versions and `missing` collections as they are. Call it
   * once, before all other functions.
   */
  open(collections: readonly CollectionDefinition[]): Promise<void>;
  /**
   * Rejects checkpoints with a smaller token from now on, for all open collections. If a collection is missing,
   * recreates it and removes the checkpoints of all, because collections are rebuilt together. Returns the names of the
   * missing collections.
   * @throws {WriterFenced} when a greater token is stored
   */
  fenceCheckpoints(fence: Fence): Promise<readonly string[]>;
  /**
   * Creates the indexes of lists that do not exist, one in a turn; else the first list of a collection creates them. A
   * table is filled faster without them.
   */
  createListIndexes(): Promise<void>;
  dropOtherVersions(): Promise<void>;
  /**
   * Opens the documents of a build beside those that are served; creates the collections that do not exist. Readers do
   * not see what is written to the result before `serveBuilds`. On servers it resolves after all readers have learnt
   * that builds may change, which takes seconds.
   */
  openBuild(build: string, collections: readonly string[]): Promise<ReadModels>;
  builds(): Promise<Builds>;
  /**
   * Serves other builds from now on, by one write. Other collections keep their builds. Call `openBuild` first in this
   * process.
   * @throws {WriterFenced} when a greater token is stored; nothing was written
   */
  serveBuilds(builds: Builds, fence?: Fence): Promise<void>;
  /**
   * Deletes the documents of this version that are neither served nor of an open build. `openBuilds` is called after
   * the stored builds were listed, and before the served ones are read, so that no build is deleted which another
   * leader has opened or served meanwhile.
   */
  dropBuilds(openBuilds: () => Promise<readonly string[]>): Promise<void>;
  close(): Promise<void>;
}
