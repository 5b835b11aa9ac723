import { idOf } from '#event-sourcing/aggregate.ts';
import type { RawEvent } from '#event-sourcing/codec.ts';
import type { DomainEvent, RecordedEvent } from '#event-sourcing/event.ts';

/** Values that a document is found by. They are compared exactly, so fold the case of texts first. */
export type IndexValues = Readonly<Record<string, string | number | boolean | null>>;

/** The part of an event that is known before it is decoded. It identifies the document that the event concerns. */
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

/**
 * A document that one event adds to that of its stream, the whole: it is stored in the same collection and listed
 * instead of the whole. It never changes.
 */
export interface Part<Document = unknown> {
  /** Unique within the whole. */
  readonly id: string;
  readonly document: Document;
}

/**
 * A read model as a pure fold. The same fold updates the live documents, rebuilds them, answers "as of" and verifies
 * them by recomputation, so it does no I/O, reads no clock and knows no database (`docs/architecture.md`, One fold,
 * four uses).
 */
export interface Projection<Document = unknown> {
  readonly name: string;
  /** Raised whenever the fold or the schema of the document changes; the documents are then rebuilt. */
  readonly version: number;
  /** Categories of the streams (`policy` of `policy-<uuid>`) whose events are routed here. */
  readonly categories: readonly string[];
  readonly indexNames: readonly string[];
  readonly countedBy?: readonly string[];
  /**
   * Returns the key of the document that an event concerns, if any: the id of its stream, or in a projection with
   * `entry` a key of the event's own.
   */
  readonly key: (address: EventAddress) => string | undefined;
  /** Returns the document after the event, or the same document when the event does not matter to it. */
  readonly fold: (document: Document | undefined, event: RecordedEvent<DomainEvent>) => Document | undefined;
  readonly indexes: (document: Document) => IndexValues;
  /** Returns the parts that an event adds, in the order of lists. `indexes` is also called with their documents. */
  readonly parts?: (event: RecordedEvent<DomainEvent>) => readonly Part<Document>[];
  /**
   * Returns the document of one event. Set by projections in which each event makes a document of its own, which no
   * other event changes. It is made without decoding the event, so that an event that cannot be read has one too.
   */
  readonly entry?: (address: EventAddress) => Document;
}

/** Declares a projection in which each stream makes one document; the type of the document follows from the fold. */
export function defineProjection<Document>(
  projection: Omit<Projection<Document>, 'key' | 'entry'>,
): Projection<Document> {
  return { ...projection, key: ({ stream }) => idOf(stream) };
}

/** A projection in which each event makes a document of its own. */
export type EntryProjection<Document> = Projection<Document> & Required<Pick<Projection<Document>, 'entry'>>;

/**
 * Declares a projection in which each event makes a document of its own. Lists show its documents in the order of the
 * log.
 */
export function defineEntryProjection<Document>(
  projection: Omit<EntryProjection<Document>, 'fold'>,
): EntryProjection<Document> {
  return { ...projection, fold: (_, event) => projection.entry(event) };
}

/**
 * Any projection, as the registry holds it and the projector runs it. Its documents are opaque: only documents that its
 * own `fold` returned may be passed to `fold` and `indexes`.
 */
export interface AnyProjection extends Omit<Projection, 'fold' | 'indexes'> {
  readonly fold: (document: never, event: RecordedEvent<DomainEvent>) => unknown;
  readonly indexes: (document: never) => IndexValues;
}

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
