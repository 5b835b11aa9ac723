import { type RawEvent, UnreadableEvent } from '#event-sourcing/codec.ts';
import type { RecordedEvent } from '#event-sourcing/event.ts';
import { addressOf, type AnyProjection, FoldError, type IndexValues, type Part, recordedAtOf } from './projection.ts';

export interface ParkReason {
  readonly reason: string;
  readonly eventId: string;
  /** Wire name. */
  readonly eventType: string;
  readonly position: bigint;
}

/** A part of a document (`Projection.parts`), and the event that added it. */
export interface AddedPart extends Part {
  readonly revision: number;
  readonly position: bigint;
  /** Place in the order of lists, compared as text. */
  readonly createdAt: string;
}

/** A document while the events of its stream are folded into it. */
export interface WorkingDocument {
  readonly key: string;
  /** Undefined when there is no body. Never mutated, so callers may keep earlier versions. */
  document: unknown;
  /** Empty before the first event. */
  stream: string;
  /** Last revision that the document reflects; -1 before the first. */
  revision: number;
  /** Position of the last event that it reflects; of a parked document that of the event at which it is parked. */
  position: bigint;
  createdAt: string;
  parked: ParkReason | undefined;
  /** What the events folded so far have added. */
  parts: readonly AddedPart[];
}

export function emptyDocument(key: string): WorkingDocument {
  const place = { stream: '', revision: -1, position: 0n, createdAt: '' };
  return { key, document: undefined, ...place, parked: undefined, parts: [] };
}

interface SerialisedDocument {
  /** Undefined when there is no body. */
  readonly body: string | undefined;
  readonly indexes: IndexValues;
}

/**
 * Largest body that is stored, the same for every store. MongoDB allows 16 MiB for a whole document; the rest is for
 * index values.
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
 * What an event did to a document. `applied`: it was folded, or parked the document. `ignored`: the document reflects
 * it already, or is parked. `gap`: earlier events of the stream are missing from the document.
 */
type ApplyResult = 'applied' | 'ignored' | 'gap';

/** Digits of a 64-bit position: padded text sorts like the numbers. */
const POSITION_DIGITS = 20;

/**
 * Returns a position as text that sorts like the number: lists show documents of single events in the order of the log
 * by it.
 */
export function logOrder(position: bigint): string {
  return position.toString().padStart(POSITION_DIGITS, '0');
}

/** How events are folded into a document. */
export interface FoldOptions {
  readonly projection: AnyProjection;
  /** @throws {UnreadableEvent} */
  readonly decode: (event: RawEvent) => RecordedEvent;
  /**
   * Serialises the document after every event, so that one that cannot be stored is parked at the event that caused it.
   */
  readonly checksStorable: boolean;
  /** Called with the error before a document is parked. */
  readonly onFailure: (error: unknown, event: RawEvent, key: string) => void;
}

/**
 * Folds the next event of the stream into the document. An event that cannot be read or folded parks the document: its
 * body stays as it is, and later events wait until it is folded again.
 */
export function applyEvent(options: FoldOptions, working: WorkingDocument, event: RawEvent): ApplyResult {
  const { projection } = options;
  if (working.parked !== undefined || event.revision <= working.revision) return 'ignored';
  const { entry } = projection;
  if (entry === undefined && event.revision !== working.revision + 1) return 'gap';
  if (working.stream === '') {
    working.stream = event.stream;
    working.createdAt = entry === undefined ? recordedAtOf(event) : logOrder(event.position);
  }
  try {
    const folded = entry === undefined ? foldEvent(options, working.document, event) : entry(addressOf(event));
    const parts = entry === undefined ? partsOf(options, event) : [];
    if (options.checksStorable)
      for (const document of [folded, ...parts.map((part) => part.document)]) serialiseDocument(projection, document);
    working.document = folded;
    if (parts.length > 0) working.parts = [...working.parts, ...parts];
    working.revision = event.revision;
    working.position = event.position;
  } catch (error) {
    options.onFailure(error, event, working.key);
    parkDocument(working, event, `${event.type} cannot be folded: ${publicReasonOf(error)}`);
  }
  return 'applied';
}

function foldEvent({ projection, decode }: FoldOptions, document: unknown, event: RawEvent): unknown {
  return projection.fold(document as never, decode(event));
}

/** Digits of the number of a part among those of its event. */
const NUMBER_DIGITS = 6;

function partsOf({ projection, decode }: FoldOptions, event: RawEvent): readonly AddedPart[] {
  if (projection.parts === undefined) return [];
  const { revision, position } = event;
  return projection.parts(decode(event)).map(({ id, document }, index) => {
    const createdAt = `${logOrder(position)}-${index.toString().padStart(NUMBER_DIGITS, '0')}`;
    return { id, document, revision, position, createdAt };
  });
}

function parkDocument(working: WorkingDocument, event: RawEvent, reason: string): void {
  working.parked = { reason, eventId: event.id, eventType: event.type, position: event.position };
  working.stream = event.stream;
  working.position = event.position;
}

/** Describes an error of a fold without personal data: of an unexpected error, only the name. */
export function publicReasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'something other than an error was thrown';
  return error instanceof UnreadableEvent || error instanceof FoldError ? error.message : error.name;
}

/** One event of a replay. `working` is the same object in every step and changes with the next one. */
export interface ReplayStep<Event extends RawEvent> {
  readonly event: Event;
  readonly working: WorkingDocument;
}

/**
 * Folds one document from the events of its stream and yields it after each. The result is the one that the projector
 * reaches event by event: parked at the first event that cannot be read, folded or stored, or that follows a gap.
 * @param working the document after the events before these; default: there are none
 */
export function* replay<Event extends RawEvent>(
  options: Omit<FoldOptions, 'checksStorable'>,
  key: string,
  events: readonly Event[],
  working: WorkingDocument = emptyDocument(key),
): Generator<ReplayStep<Event>, WorkingDocument> {
  const checked: FoldOptions = { ...options, checksStorable: true };
  const { projection } = options;
  for (const event of events) {
    if (projection.key(addressOf(event)) !== key) continue;
    if (applyEvent(checked, working, event) === 'gap') {
      parkDocument(working, event, `an event before revision ${event.revision} of its stream is missing`);
    }
    yield { event, working };
  }
  return working;
}
