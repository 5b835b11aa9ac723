import { type RawEvent, UnreadableEvent } from '../src/event-sourcing/codec.ts';
import type { RecordedEvent } from '../src/event-sourcing/event.ts';
import { addressOf, recordedAtOf } from './address.ts';
import { type AnyProjection, FoldError, type IndexValues } from './projection.ts';

/** Why a document is parked, and at which event. */
export interface Parking {
  readonly reason: string;
  readonly eventId: string;
  /** Wire name. */
  readonly eventType: string;
  readonly position: bigint;
}

/**
 * A document while events are folded into it. As in `StoredDocument`, `streams` holds the last revision that the body
 * reflects, or `UNREFLECTED` for a stream whose events arrived only while the document was parked.
 */
export interface WorkingDocument {
  readonly key: string;
  /** Undefined when there is no body. Never mutated, so callers may keep earlier versions. */
  document: unknown;
  readonly streams: Record<string, number>;
  position: bigint;
  createdAt: string;
  parked: Parking | undefined;
}

export const UNREFLECTED = -1;

/** Creates a document that reflects no event. */
export function emptyDocument(key: string): WorkingDocument {
  return { key, document: undefined, streams: {}, position: 0n, createdAt: '', parked: undefined };
}

/** A document as it is stored: its JSON text and its index values. */
export interface SerialisedDocument {
  /** Undefined when there is no body. */
  readonly body: string | undefined;
  readonly indexes: IndexValues;
}

/**
 * Largest body that is stored, the same for every store. MongoDB allows 16 MiB for a whole document; the rest is for index
 * values and for stream revisions, which are added also while a document is parked.
 */
export const LARGEST_BODY_BYTES = 8 * 1024 * 1024;
/** UTF-8 needs at most three bytes for each UTF-16 code unit. */
const MAX_BYTES_PER_CODE_UNIT = 3;

/**
 * Serialises a document and computes its index values.
 * @throws {FoldError} when the document is too large
 * @throws whatever the projection's `indexes` throws, and when the document is not JSON
 */
export function serialiseDocument(projection: AnyProjection, document: unknown): SerialisedDocument {
  if (document === undefined) {
    return { body: undefined, indexes: Object.fromEntries(projection.indexNames.map((name) => [name, null])) };
  }
  const body = JSON.stringify(document);
  const mayBeTooLarge = body.length * MAX_BYTES_PER_CODE_UNIT > LARGEST_BODY_BYTES;
  if (mayBeTooLarge && Buffer.byteLength(body) > LARGEST_BODY_BYTES)
    throw new FoldError(`the document would be larger than ${LARGEST_BODY_BYTES / 2 ** 20} MiB`);
  return { body, indexes: projection.indexes(document as never) };
}

/**
 * What an event did to a document. `applied`: it was folded, or noted while the document is parked. `duplicate`: it was
 * reflected before. `gap`: earlier events of its stream are missing from the document.
 */
export type ApplyResult = 'applied' | 'duplicate' | 'gap';

/** Digits of a 64-bit position: padded text sorts like the numbers. */
const POSITION_DIGITS = 20;

/** Returns a position as text that sorts like the number: lists show documents of single events in the order of the log by it. */
export function logOrder(position: bigint): string {
  return position.toString().padStart(POSITION_DIGITS, '0');
}

/** How events are folded into a document. */
export interface FoldOptions {
  readonly projection: AnyProjection;
  /** @throws {UnreadableEvent} */
  readonly decode: (event: RawEvent) => RecordedEvent;
  /** Serialises the document after every event, so that one that cannot be stored is parked at the event that caused it. */
  readonly checksStorable: boolean;
  /** Called with the error before a document is parked. */
  readonly onFailure: (error: unknown, event: RawEvent, key: string) => void;
}

/**
 * Folds an event into the document. An event that cannot be read or folded parks the document: its body stays as it is,
 * and of later events only the streams are noted, so that folding it again finds all of them.
 */
export function applyEvent(options: FoldOptions, working: WorkingDocument, event: RawEvent): ApplyResult {
  const { projection, checksStorable } = options;
  const reflected = working.streams[event.stream];
  if (working.parked !== undefined) return noteStream(working, event, reflected);
  if (reflected !== undefined && event.revision <= reflected) return 'duplicate';
  const { entry } = projection;
  if (entry === undefined && event.revision !== (reflected ?? UNREFLECTED) + 1) return 'gap';
  if (reflected === undefined && isEmpty(working.streams))
    working.createdAt = entry === undefined ? recordedAtOf(event) : logOrder(event.position);
  try {
    const document =
      entry === undefined ? projection.fold(working.document as never, options.decode(event)) : entry(addressOf(event));
    if (checksStorable) serialiseDocument(projection, document);
    working.document = document;
    working.streams[event.stream] = event.revision;
    working.position = event.position;
  } catch (error) {
    options.onFailure(error, event, working.key);
    parkDocument(working, event, `${event.type} cannot be folded: ${publicReasonOf(error)}`);
  }
  return 'applied';
}

/** Parks the document at an event. */
export function parkDocument(working: WorkingDocument, event: RawEvent, reason: string): void {
  working.parked = { reason, eventId: event.id, eventType: event.type, position: event.position };
  noteStream(working, event, working.streams[event.stream]);
}

/** Describes an error of a fold without personal data: of an unexpected error, only the name. */
export function publicReasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'something other than an error was thrown';
  return error instanceof UnreadableEvent || error instanceof FoldError ? error.message : error.name;
}

function noteStream(working: WorkingDocument, event: RawEvent, reflected: number | undefined): ApplyResult {
  if (reflected !== undefined && event.position <= working.position) return 'duplicate';
  working.streams[event.stream] = reflected ?? UNREFLECTED;
  if (event.position > working.position) working.position = event.position;
  return 'applied';
}

function isEmpty(streams: WorkingDocument['streams']): boolean {
  for (const _ in streams) return false;
  return true;
}
