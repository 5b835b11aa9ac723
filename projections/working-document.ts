import { type RawEvent, UnreadableEvent } from '../src/event-sourcing/codec.ts';
import type { Recorded } from '../src/event-sourcing/event.ts';
import { recordedAtOf } from './address.ts';
import { type AnyProjection, CannotFold, type IndexValues } from './projection.ts';

/** Why a document stands still, and at which event it stopped. */
export interface Stall {
  readonly reason: string;
  readonly eventId: string;
  readonly eventType: string;
  readonly position: bigint;
}

/**
 * A document while events are folded into it. As in `StoredDocument`, `streams` holds the last revision that the body
 * reflects; of a stream that is known but not reflected yet (met while the document was parked) it holds `UNREFLECTED`.
 */
export interface WorkingDocument {
  readonly key: string;
  /** Undefined: there is no body. Never changed in place, so what it was before an event can be kept. */
  document: unknown;
  readonly streams: Record<string, number>;
  position: bigint;
  createdAt: string;
  parked: Stall | undefined;
}

export const UNREFLECTED = -1;

/** A document that no event has made yet. */
export function blank(key: string): WorkingDocument {
  return { key, document: undefined, streams: {}, position: 0n, createdAt: '', parked: undefined };
}

/** What is kept of a document: its JSON text, and what it is found by. */
export interface Kept {
  /** Undefined: there is no body. */
  readonly body: string | undefined;
  readonly indexes: IndexValues;
}

/**
 * A larger body is not kept, whatever the store, so that all of them hold the same. MongoDB takes 16 MiB for all of a
 * document; the rest is for what it is found by and for its streams, which go on growing while it is parked.
 */
export const LARGEST_BODY_BYTES = 8 * 1024 * 1024;
/** A letter of a JavaScript text becomes three bytes of UTF-8 at most. */
const MOST_BYTES_OF_A_LETTER = 3;

/**
 * @throws {CannotFold} when the document is too large
 * @throws whatever the projection's `indexes` throws, and when the document is not JSON
 */
export function storedForm(projection: AnyProjection, document: unknown): Kept {
  if (document === undefined) {
    return { body: undefined, indexes: Object.fromEntries(projection.indexNames.map((name) => [name, null])) };
  }
  const body = JSON.stringify(document);
  const isLarge = body.length * MOST_BYTES_OF_A_LETTER > LARGEST_BODY_BYTES;
  if (isLarge && Buffer.byteLength(body) > LARGEST_BODY_BYTES)
    throw new CannotFold(`the document would be larger than ${LARGEST_BODY_BYTES / 2 ** 20} MiB`);
  return { body, indexes: projection.indexes(document as never) };
}

/** Folded, or noted while parked · reflected before · events before this one are missing from the document. */
export type Outcome = 'applied' | 'known' | 'gap';

/** How events are folded into a document. */
export interface Folding {
  readonly projection: AnyProjection;
  /** @throws {UnreadableEvent} */
  readonly decode: (event: RawEvent) => Recorded;
  /** A document that could not be written counts as one that could not be folded. */
  readonly careful: boolean;
  /** Hears why a document is about to be parked. */
  readonly onFailure: (error: unknown, event: RawEvent, key: string) => void;
}

/**
 * Lets the document take in an event. What cannot be read or folded parks the document at this event: its body stays, and
 * later events only make their streams known, so that folding it again finds everything.
 */
export function apply(folding: Folding, working: WorkingDocument, event: RawEvent): Outcome {
  const { projection, careful } = folding;
  const reflected = working.streams[event.stream];
  if (working.parked !== undefined) return note(working, event, reflected);
  if (reflected !== undefined && event.revision <= reflected) return 'known';
  if (event.revision !== (reflected ?? UNREFLECTED) + 1) return 'gap';
  if (reflected === undefined && isBlank(working)) working.createdAt = recordedAtOf(event);
  try {
    const document = projection.fold(working.document as never, folding.decode(event));
    if (careful) storedForm(projection, document);
    working.document = document;
    working.streams[event.stream] = event.revision;
    working.position = event.position;
  } catch (error) {
    folding.onFailure(error, event, working.key);
    park(working, event, `${event.type} cannot be folded: ${reasonOf(error)}`);
  }
  return 'applied';
}

/** Stops the document at an event, with the reason. */
export function park(working: WorkingDocument, event: RawEvent, reason: string): void {
  working.parked = { reason, eventId: event.id, eventType: event.type, position: event.position };
  note(working, event, working.streams[event.stream]);
}

/** An error of a fold in words that may be shown, stored and logged: of errors of unknown origin the name alone. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'something other than an error was thrown';
  return error instanceof UnreadableEvent || error instanceof CannotFold ? error.message : error.name;
}

function note(working: WorkingDocument, event: RawEvent, reflected: number | undefined): Outcome {
  if (reflected !== undefined && event.position <= working.position) return 'known';
  working.streams[event.stream] = reflected ?? UNREFLECTED;
  if (event.position > working.position) working.position = event.position;
  return 'applied';
}

function isBlank(working: WorkingDocument): boolean {
  for (const _ in working.streams) return false;
  return true;
}
