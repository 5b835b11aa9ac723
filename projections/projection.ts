import type { DomainEvent, Recorded } from '../src/event-sourcing/event.ts';

/** What a document is found by: compared exactly, so fold case before. */
export type IndexValues = Readonly<Record<string, string | number | boolean | null>>;

/** What is known of an event before its data is read: enough to find the document it belongs to. */
export interface EventAddress {
  readonly stream: string;
  /** Wire name or type. */
  readonly type: string;
  readonly metadata: Readonly<Record<string, unknown>>;
}

/**
 * A read model as a pure fold (design, The one idea). It keeps the live documents, rebuilds them, answers "as of" and
 * proves them by recomputation, so it does no I/O, reads no clock and knows no database.
 */
export interface Projection<Document = unknown> {
  /** Name of the collection. */
  readonly name: string;
  /** Grows whenever the fold or the document's shape changes; the documents are then made anew. */
  readonly version: number;
  /** Categories of streams (`policy` of `policy-<uuid>`) whose every event is routed here. */
  readonly categories: readonly string[];
  /** Names of what `indexes` returns. */
  readonly indexNames: readonly string[];
  /** The document an event belongs to; undefined when it concerns none. Must be the same for every event of a stream. */
  readonly key: (address: EventAddress) => string | undefined;
  /** The document after the event. An event that does not matter gives the document as it was. */
  readonly fold: (document: Document | undefined, event: Recorded<DomainEvent>) => Document | undefined;
  readonly indexes: (document: Document) => IndexValues;
}

/** Declares a projection; the type of its document follows from the fold. */
export function defineProjection<Document>(projection: Projection<Document>): Projection<Document> {
  return projection;
}

/**
 * Any projection, as the registry holds it and the projector runs it: its documents are opaque to whoever keeps them.
 * What `fold` and `indexes` are given must have come out of the same projection's `fold`.
 */
export interface AnyProjection extends Omit<Projection, 'fold' | 'indexes'> {
  readonly fold: (document: never, event: Recorded<DomainEvent>) => unknown;
  readonly indexes: (document: never) => IndexValues;
}

/** A fold meets an event that cannot be. The message may be shown and logged: it holds no value of the event's data. */
export class CannotFold extends Error {
  override readonly name = 'CannotFold';
}

/** The document an event changes. @throws {CannotFold} when the event came before what it belongs to. */
export function existing<Document>(document: Document | undefined, event: Recorded): Document {
  if (document === undefined) throw new CannotFold(`${event.storedType} came before what it changes`);
  return document;
}
