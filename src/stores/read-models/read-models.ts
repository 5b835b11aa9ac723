import { SafeError } from '../shared/errors.ts';
import type { Position } from '../event-log/event-log.ts';
import { StoreUnavailable } from '../shared/store-unavailable.ts';

/** Value of an index. Text is compared exactly; for case-insensitive search, store it in lower case. */
export type IndexValue = string | number | boolean | null;

export interface CollectionDefinition {
  readonly name: string;
  /** Raised when the fold or the schema of the document changes: the read models of another version are others. */
  readonly version: number;
  readonly indexes: readonly string[];
  /** Indexes of `indexes` by which large lists are counted. A store may keep the number of documents of each value. */
  readonly countedBy?: readonly string[];
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

/** What a read of a document answers, stored beside what the next fold needs. */
export interface View {
  /** JSON text. */
  readonly json: string;
  /** First instant at which the calendar alone makes another view; null: never. */
  readonly until: string | null;
}

export interface StoredDocument {
  readonly key: string;
  /** JSON text of the document, up to 8 MiB of UTF-8; undefined when the document was parked before its first state. */
  readonly body: string | undefined;
  /** Undefined without a body, and where the projection has no views. */
  readonly view?: View | undefined;
  /** Stream whose events are folded into the document. */
  readonly stream: string;
  /** Last revision that the body reflects; -1 before the first state. */
  readonly revision: number;
  /**
   * Position of the last event that the body reflects; of a parked document that of the event at which it is parked.
   */
  readonly position: Position;
  /**
   * Place in lists, which no other document of the collection has and which never changes: that of the first event in
   * the log, and of a row its place among those of the event (`logOrder`).
   */
  readonly order: bigint;
  /** All null without a body. */
  readonly indexes: Readonly<Record<string, IndexValue>>;
  readonly parked: Parking | undefined;
}

/** A document as folds read it. */
export type DocumentState = Omit<StoredDocument, 'view'>;

/** A document as it is answered. */
export type DocumentView = Omit<StoredDocument, 'body'>;

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
}

/** Writes of different collections, stored in any order. */
export type WriteStep = readonly CollectionWrite[];

/** The newest event that a generation reflects, by which it identifies its log. */
export interface Checkpoint {
  readonly position: Position;
  readonly eventId: string;
  /** Latest time at which an event up to here was recorded; later than the clock after it was set back. */
  readonly latestRecordedAt: string;
}

/** The stored document is not the one that a write replaces, and is older than the write. Read it and fold again. */
export class StaleDocument extends SafeError {
  override readonly name = 'StaleDocument';
  constructor(collection: string) {
    super(`A document of ${collection} replaces another state than the stored one`);
  }
}

/** Places of an event in the order of lists. A folded document has the first, one that parks a stream the last. */
export const PLACES_PER_EVENT = 65_536;

/** Returns a place in the order of the log, the same in every generation. */
export function logOrder(position: Position, place = 0): bigint {
  return position * BigInt(PLACES_PER_EVENT) + BigInt(place);
}

export function positionOf(order: bigint): Position {
  return order / BigInt(PLACES_PER_EVENT);
}

export type SortKey = Pick<StoredDocument, 'order'>;

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

/** A part of an index: the texts from one to another (both inclusive). */
export interface IndexBounds {
  readonly index: string;
  /** Default: from the first text. */
  readonly atLeast?: string;
  readonly atMost: string;
}

export interface ScanIndexOptions extends IndexBounds {
  /** Whether the last document of the index comes first. */
  readonly backwards?: boolean;
  /** The last document of the page before; its sort key counts, also when it has changed since. */
  readonly after?: Pick<StoredDocument, 'order' | 'indexes'> | undefined;
  readonly limit: number;
}

export interface FindResult {
  /** Number of all matches, regardless of limit, offset and sort key; with `skipCount` up to the end of the page. */
  readonly count: number;
  /**
   * Sorted by `order`; with `newestFirst` the other way round. Documents without a body are neither
   * listed nor counted.
   */
  readonly documents: readonly StoredDocument[];
}

/** No read models are served: they are being built from the log. */
export class NoneServed extends StoreUnavailable {
  override readonly name = 'NoneServed';
  constructor() {
    super('The read models are being built from the log');
  }
}

export interface DocumentReader {
  get(collection: string, key: string): Promise<DocumentState | undefined>;
  getMany(collection: string, keys: readonly string[]): Promise<readonly DocumentState[]>;
  /** Reads the view of a document without its body, which grows with its history. */
  getView(collection: string, key: string): Promise<DocumentView | undefined>;
  find(collection: string, query: FindQuery): Promise<FindResult>;
  /**
   * Returns a page of the documents with a body in order of the value of an index, then of `order`.
   * Its cost depends neither on the number of matches nor on its depth.
   */
  scanIndex(collection: string, options: ScanIndexOptions): Promise<readonly StoredDocument[]>;
  /** Counts the documents with a body in a part of an index, by its entries alone, and stops at the limit. */
  countIndex(collection: string, options: IndexBounds & { readonly limit: number }): Promise<number>;
  /**
   * Returns a page of the parked documents of the collection, oldest position first, then by key. An offset skips index
   * entries.
   */
  parked(collection: string, options: { limit: number; offset: number }): Promise<readonly ParkedDocument[]>;
  countParked(collection: string): Promise<number>;
  /** Returns a page of all documents in order of key, after `after` (exclusive). For comparison and export. */
  scan(collection: string, options: { after: string | undefined; limit: number }): Promise<readonly StoredDocument[]>;
  /** Returns undefined before the first event, and while no read models are served. */
  checkpoint(): Promise<Checkpoint | undefined>;
}

/** Returns a reader that asks for the one that reads with each call. */
export function readerOf(reader: () => DocumentReader | Promise<DocumentReader>): DocumentReader {
  return {
    get: async (...given) => await (await reader()).get(...given),
    getMany: async (...given) => await (await reader()).getMany(...given),
    getView: async (...given) => await (await reader()).getView(...given),
    find: async (...given) => await (await reader()).find(...given),
    scanIndex: async (...given) => await (await reader()).scanIndex(...given),
    countIndex: async (...given) => await (await reader()).countIndex(...given),
    parked: async (...given) => await (await reader()).parked(...given),
    countParked: async (...given) => await (await reader()).countParked(...given),
    scan: async (...given) => await (await reader()).scan(...given),
    checkpoint: async () => await (await reader()).checkpoint(),
  };
}

/** One generation of all read models, as the process that took it over writes it. */
export interface Generation extends DocumentReader {
  /** Resolves when a call has found the generation damaged: it fails from then on, until the next inspection. */
  readonly damaged?: Promise<undefined>;
  /**
   * Writes one step after the other, then the checkpoint; SQLite stores all or nothing. Skips a document whose
   * `replaces` does not match when the stored one is at the same position or newer.
   * @throws {StaleDocument} when the stored document is older; other documents may have been written, the checkpoint
   * was not
   * @throws {TakenOver} when another process has taken the generation over; the checkpoint was not written
   */
  write(steps: readonly WriteStep[], checkpoint?: Checkpoint): Promise<void>;
}

export interface GenerationsState {
  /** Number of the generation that is read; undefined while there is none. */
  readonly served: number | undefined;
  /** Numbers that were never served → reason. */
  readonly refused: ReadonlyMap<number, string>;
}

/** Returns whether a generation is not read any more, and neither will be: a later one is served or was refused. */
export function isUnused(number: number, { served = 0, refused }: GenerationsState): boolean {
  return number !== served && number <= Math.max(served, ...refused.keys());
}

/**
 * Port of the store for the documents of projections, which can be built from the log at any time. All collections
 * together are a generation; its name is the hash of their definitions, which `open…` gets, and a number. Reads are
 * those of the served generation.
 *
 * Guarantees, checked by `test/ports/read-models.suite.ts` for every adapter:
 * - a document and its position are written atomically;
 * - a checkpoint is never ahead of the written documents;
 * - a write with `replaces` never replaces another state;
 * - lists have a stable order, and their count matches their content without concurrent writes.
 *
 * Reads throw `NoneServed` while no generation is served.
 */
export interface ReadModels extends DocumentReader {
  state(): Promise<GenerationsState>;
  /** Deletes generations that are damaged or lack a collection, also a served one, and returns the state. */
  inspect(): Promise<GenerationsState>;
  /**
   * Opens a generation for writing, and creates it if it does not exist. From then on, checkpoints of the process that
   * took it over before are rejected.
   */
  takeOver(number: number): Promise<Generation>;
  /**
   * Serves a generation that this process has taken over, by one write, if `isReady` returns true. On servers it first
   * waits some seconds until every process has learnt of the switch, so that no request that starts after it reads the
   * documents that were served before.
   * @throws {TakenOver} when another process has taken it over; nothing was written
   */
  serve(number: number, isReady: () => Promise<boolean>): Promise<void>;
  /** Records why a generation is never served. @throws {TakenOver} */
  refuse(number: number, reason: string): Promise<void>;
  /** Deletes the generations below the served one, those that were refused, and those below them. */
  dropUnused(): Promise<void>;
  /** Deletes the generations of other definitions. */
  dropOtherVersions(): Promise<void>;
  ping(): Promise<void>;
  close(): Promise<void>;
}
