import type { AnyProjection } from '../../projections/projection.ts';
import type { Recorded } from '../domain/event.ts';
import type { Position, StoredEvent } from '../event-store/event-store.ts';
import type { Parking, StoredDocument } from '../read-models/read-models.ts';
import { recordedAtOf } from './address.ts';
import { describeError } from './describe-error.ts';

/**
 * A document while events are folded into it. As in `StoredDocument`, `streams` holds the last revision that the body
 * reflects; of a stream that is known but not reflected yet (met while the document was parked) it holds `UNREFLECTED`.
 */
export interface WorkingDocument {
  readonly key: string;
  /** Undefined: there is no body. */
  document: unknown;
  readonly streams: Record<string, number>;
  position: Position;
  createdAt: string;
  parked: Parking | undefined;
}

export const UNREFLECTED = -1;

/** A document that no event has made yet. */
export function blank(key: string): WorkingDocument {
  return { key, document: undefined, streams: {}, position: 0n, createdAt: '', parked: undefined };
}

/** @throws {SyntaxError} when the stored body is damaged. */
export function fromStored(stored: StoredDocument): WorkingDocument {
  const document: unknown = stored.body === undefined ? undefined : JSON.parse(stored.body);
  const { key, streams, position, createdAt, parked } = stored;
  return { key, document, streams: { ...streams }, position, createdAt, parked };
}

/** @throws whatever the projection's `indexes` throws, and when the document is not JSON. */
export function toStored(projection: AnyProjection, working: WorkingDocument): StoredDocument {
  const { key, document, streams, position, createdAt, parked } = working;
  const body = document === undefined ? undefined : JSON.stringify(document);
  const indexes =
    document === undefined
      ? Object.fromEntries(projection.indexNames.map((name) => [name, null]))
      : projection.indexes(document as never);
  return { key, body, streams: { ...streams }, position, createdAt, indexes, parked };
}

/** Folded, or noted while parked · reflected before · events before this one are missing from the document. */
export type Outcome = 'applied' | 'known' | 'gap';

/** How events are folded into a document. */
export interface Folding {
  readonly projection: AnyProjection;
  /** @throws {UnreadableEvent} */
  readonly decode: (event: StoredEvent) => Recorded;
  /** A document that could not be written counts as one that could not be folded. */
  readonly careful: boolean;
  /** Hears why a document is about to be parked. */
  readonly onFailure: (error: unknown, event: StoredEvent, key: string) => void;
}

/**
 * Lets the document take in an event. What cannot be read or folded parks the document at this event: its body stays, and
 * later events only make their streams known, so that folding it again finds everything.
 */
export function apply(folding: Folding, working: WorkingDocument, event: StoredEvent): Outcome {
  const { projection, careful } = folding;
  const reflected = working.streams[event.stream];
  if (working.parked !== undefined) return note(working, event, reflected);
  if (reflected !== undefined && event.revision <= reflected) return 'known';
  if (event.revision !== (reflected ?? UNREFLECTED) + 1) return 'gap';
  if (reflected === undefined && isBlank(working)) working.createdAt = recordedAtOf(event);
  try {
    const document = projection.fold(working.document as never, folding.decode(event));
    if (careful) toStored(projection, { ...working, document });
    working.document = document;
    working.streams[event.stream] = event.revision;
    working.position = event.position;
  } catch (error) {
    folding.onFailure(error, event, working.key);
    park(working, event, `${event.type} cannot be folded: ${describeError(error)}`);
  }
  return 'applied';
}

/** Stops the document at an event, with the reason. */
export function park(working: WorkingDocument, event: StoredEvent, reason: string): void {
  working.parked = { reason, eventId: event.id, eventType: event.type, position: event.position };
  note(working, event, working.streams[event.stream]);
}

function note(working: WorkingDocument, event: StoredEvent, reflected: number | undefined): Outcome {
  if (reflected !== undefined && event.position <= working.position) return 'known';
  working.streams[event.stream] = reflected ?? UNREFLECTED;
  if (event.position > working.position) working.position = event.position;
  return 'applied';
}

function isBlank(working: WorkingDocument): boolean {
  for (const _ in working.streams) return false;
  return true;
}
