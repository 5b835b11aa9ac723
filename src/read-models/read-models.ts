import type { Position } from '../event-store/event-store.ts';
import type { Fence } from '../records/records.ts';

/** A value a document can be found by. Text is compared exactly; fold case before it is stored. */
export type IndexValue = string | number | boolean | null;

/** What the store must know of a collection; made from a projection's declaration. */
export interface CollectionDefinition {
  readonly name: string;
  /** Grows when the fold or the shape of the document changes; another version is another set of documents. */
  readonly version: number;
  /** Names of the values documents are found by. */
  readonly indexes: readonly string[];
}

/** Why a document stands still, and at which event it stopped. */
export interface Parking {
  readonly reason: string;
  readonly eventId: string;
  readonly eventType: string;
  readonly position: Position;
}

export interface StoredDocument {
  readonly key: string;
  /**
   * The JSON text of the document, of which every store takes 8 MiB of UTF-8; undefined when a document was parked before its
   * first state, or was removed.
   */
  readonly body: string | undefined;
  /** Streams whose events made this document, each with the last revision it reflects. */
  readonly streams: Readonly<Record<string, number>>;
  /** Position of the last event that concerned this document. */
  readonly position: Position;
  /** First part of the order of lists (then the key): when the thing was created, as ISO date-time. */
  readonly createdAt: string;
  readonly indexes: Readonly<Record<string, IndexValue>>;
  readonly parked: Parking | undefined;
}

/** Which state of a document another one was made from. One that was parked may be mended in its place. */
export interface Replaced {
  readonly position: Position;
  readonly isParked: boolean;
}

/** A document as it is handed in. */
export interface DocumentToWrite extends StoredDocument {
  /** The stored document from which this one was made; null: there was none; undefined: whatever is there. */
  readonly replaces?: Replaced | null | undefined;
}

/**
 * What is stored is not what a document was made from, and older than the document: whoever wrote it starts over from
 * what is stored.
 */
export class StaleDocument extends Error {
  override readonly name = 'StaleDocument';
  constructor(collection: string) {
    super(`A document of ${collection} was made from another one than the one that is stored`);
  }
}

export interface FindQuery {
  /** Declared index → value; all must match. */
  readonly where?: Readonly<Record<string, IndexValue | readonly IndexValue[]>>;
  /** Declared index → text that must occur in it; only a text matches. */
  readonly contains?: Readonly<Record<string, string>>;
  /** Declared index → text that it must not come after, as text compares; only a text matches. */
  readonly atMost?: Readonly<Record<string, string>>;
  readonly limit: number;
  readonly offset: number;
}

export interface FindResult {
  /** All that match, whatever limit and offset say. */
  readonly count: number;
  /** Ordered by `createdAt`, then key. Documents without a body are never listed nor counted. */
  readonly documents: readonly StoredDocument[];
}

/**
 * Where projections keep their documents. All of it can be deleted and is then made again from the log.
 *
 * Guarantees, checked by `test/ports/read-models.suite.ts` for every adapter:
 * - a document is written together with the position it reflects, never torn;
 * - a checkpoint never runs ahead of the documents written before it, and never goes back;
 * - a document that says what it replaces never replaces anything else;
 * - lists have a stable order and their count fits their content when nothing is written meanwhile.
 */
export interface ReadModels {
  /**
   * Makes the collections ready; data of a collection's other versions is left alone, and so is what is `missing`. Call once, before
   * anything else.
   */
  open(collections: readonly CollectionDefinition[]): Promise<void>;
  get(collection: string, key: string): Promise<StoredDocument | undefined>;
  /** The documents of these keys that exist, in any order. */
  getMany(collection: string, keys: readonly string[]): Promise<readonly StoredDocument[]>;
  find(collection: string, query: FindQuery): Promise<FindResult>;
  /**
   * Writes the documents, then the checkpoint: everything up to `checkpoint` is now reflected in this collection. A
   * document that replaces something else than what is stored is passed over if what is stored is as new or newer.
   * @throws {StaleDocument} if it is older; others of the documents may have been written, the checkpoint was not
   * @throws {Fenced} when a greater token than the fence's stands there; the checkpoint was not written
   */
  write(collection: string, documents: readonly DocumentToWrite[], checkpoint: Position, fence?: Fence): Promise<void>;
  /**
   * Lets nobody with a smaller token write a checkpoint of an open collection from now on. Where any of them is missing, all have
   * seen nothing yet from then on, since they say together how far they are; resolves with the names of the missing ones.
   * @throws {Fenced}
   */
  raiseFence(fence: Fence): Promise<readonly string[]>;
  /** Names of the open collections that somebody deleted, or whose checkpoints, since they were filled or made. */
  missing(): Promise<readonly string[]>;
  /** Undefined when the collection (in this version) has seen nothing yet. */
  checkpoint(collection: string): Promise<Position | undefined>;
  /** Every parked document of the collection, oldest position first. */
  parked(collection: string): Promise<readonly StoredDocument[]>;
  /** Every key and document of a collection in order of key, a page after `after` (exclusive). For comparison and export. */
  scan(collection: string, options: { after: string | undefined; limit: number }): Promise<readonly StoredDocument[]>;
  /** Deletes what other versions of these collections left behind. */
  dropOtherVersions(): Promise<void>;
  ping(): Promise<void>;
  close(): Promise<void>;
}
