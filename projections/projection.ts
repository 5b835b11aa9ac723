import type { RawEvent } from '#event-sourcing/codec.ts';
import type { DomainEvent, RecordedEvent } from '#event-sourcing/event.ts';
import type { Instant } from '#event-sourcing/time.ts';

/** Values that a document is found by. They are compared exactly, so fold the case of texts first. */
export type IndexValues = Readonly<Record<string, string | number | boolean | null>>;

/** The part of an event that is known before it is decoded. */
export interface EventAddress {
  readonly id: string;
  readonly stream: string;
  readonly revision: number;
  readonly position: bigint;
  /** Wire name or type. */
  readonly type: string;
  readonly metadata: Readonly<Record<string, unknown>>;
  /** Whether the store found the event altered. */
  readonly isAltered?: boolean | undefined;
}

/** What a read of a document answers, as long as neither an event nor the calendar changes it. */
export interface DocumentView {
  readonly resource: object;
  /** First instant at which the calendar alone makes another one; null: never. */
  readonly until: Instant | null;
}

interface Collection {
  readonly name: string;
  /** Raised whenever the fold or the schema of the document changes; the documents are then rebuilt. */
  readonly version: number;
  /** Categories of the streams (`policy` of `policy-<uuid>`) whose events are routed here. */
  readonly categories: readonly string[];
  readonly indexNames: readonly string[];
  readonly countedBy?: readonly string[];
}

/**
 * A read model as a pure fold: each stream makes one document, whose key is the id of the stream. The same fold updates
 * the live documents, rebuilds them, answers "as of" and verifies them by recomputation, so it does no I/O, reads no
 * clock and knows no database (`docs/architecture.md`, One fold, four uses).
 */
export interface Projection<Document = unknown> extends Collection {
  /** Returns the document after the event, or the same document when the event does not matter to it. */
  readonly fold: (document: Document | undefined, event: RecordedEvent<DomainEvent>) => Document | undefined;
  readonly indexes: (document: Document) => IndexValues;
  /** Makes what is stored beside the document, so that a read answers it as it is. */
  readonly view?: (document: Document) => DocumentView;
}

/** Declares a projection in which each stream makes one document; the type of the document follows from the fold. */
export function defineProjection<Document>(projection: Projection<Document>): Projection<Document> {
  return projection;
}

/** A small document that follows from one event alone. */
export interface EventRow {
  /** Unique in the collection, no id of a stream, and the same whenever the rows of the event are made. */
  readonly key: string;
  readonly document: object;
  readonly indexes: IndexValues;
}

/**
 * A read model of rows that never change: each event adds some. Lists show them in the order of the log. A row is
 * stored once, however often its event is delivered.
 */
export interface RowProjection extends Collection {
  /**
   * Returns the rows of an event in the order of lists. Rows that are made without `decode` exist also of an event that
   * cannot be read; a failed `decode` parks the stream of the event.
   */
  readonly rows: (address: EventAddress, decode: () => RecordedEvent<DomainEvent>) => readonly EventRow[];
}

/**
 * A fold, as the registry holds it and the projector runs it. Its documents are opaque: only documents that its own
 * `fold` returned may be passed to `fold` and `indexes`.
 */
export interface AnyFold extends Collection {
  readonly fold: (document: never, event: RecordedEvent<DomainEvent>) => unknown;
  readonly indexes: (document: never) => IndexValues;
  readonly view?: (document: never) => DocumentView;
}

export type AnyProjection = AnyFold | RowProjection;

/** An event cannot be folded into a document. The message is shown and logged, so it contains no event data. */
export class FoldError extends Error {
  override readonly name = 'FoldError';
}

/** Returns the document that an event changes. @throws {FoldError} when there is none yet */
export function requireDocument<Document>(document: Document | undefined, event: RecordedEvent): Document {
  if (document === undefined) throw new FoldError(`${event.storedType} came before what it changes`);
  return document;
}

const NO_METADATA: Readonly<Record<string, unknown>> = {};

function rawMetadata(event: RawEvent): Readonly<Record<string, unknown>> {
  const { metadata } = event;
  return typeof metadata === 'object' && metadata !== null ? (metadata as Record<string, unknown>) : NO_METADATA;
}

/** Returns the address of an event, also when its data or the rest of its metadata cannot be read. */
export function addressOf(event: RawEvent): EventAddress {
  const { id, stream, revision, position, type, isAltered } = event;
  return { id, stream, revision, position, type, metadata: rawMetadata(event), isAltered };
}

/** Returns when an event was recorded, without decoding it; `''` when its metadata have no such text. */
export function recordedAtOf(event: RawEvent): string {
  const { recordedAt } = rawMetadata(event);
  return typeof recordedAt === 'string' ? recordedAt : '';
}
