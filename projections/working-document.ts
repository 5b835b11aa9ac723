import { type RawEvent, UnreadableEvent } from '#event-sourcing/codec.ts';
import type { RecordedEvent } from '#event-sourcing/event.ts';
import { idOf } from '#event-sourcing/aggregate.ts';
import type { Instant } from '#event-sourcing/time.ts';
import { type AnyFold, FoldError, type IndexValues } from './projection.ts';

export interface ParkReason {
  readonly reason: string;
  readonly eventId: string;
  /** Wire name. */
  readonly eventType: string;
  readonly position: bigint;
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
  /** Position of the first event. */
  first: bigint;
  parked: ParkReason | undefined;
}

export function emptyDocument(key: string): WorkingDocument {
  const place = { stream: '', revision: -1, position: 0n, first: 0n };
  return { key, document: undefined, ...place, parked: undefined };
}

interface SerialisedDocument {
  /** Undefined when there is no body. */
  readonly body: string | undefined;
  /** Undefined also where the projection has no views. */
  readonly view: { readonly json: string; readonly until: Instant | null } | undefined;
  readonly indexes: IndexValues;
}

/**
 * Largest body that is stored, with its view, the same for every store. MongoDB allows 16 MiB for a whole document; the
 * rest is for index values.
 */
export const LARGEST_BODY_BYTES = 8 * 1024 * 1024;
/** UTF-8 needs at most three bytes for each UTF-16 code unit. */
const MAX_BYTES_PER_CODE_UNIT = 3;

/**
 * Serialises a document, and computes its view and its index values.
 * @throws {FoldError} when the document is too large
 * @throws whatever the projection's `view` and `indexes` throw, and when the document is not JSON
 */
export function serialiseDocument(projection: AnyFold, document: unknown): SerialisedDocument {
  if (document === undefined) {
    const indexes = Object.fromEntries(projection.indexNames.map((name) => [name, null]));
    return { body: undefined, view: undefined, indexes };
  }
  const made = projection.view?.(document as never);
  const view = made && { json: JSON.stringify(made.resource), until: made.until };
  return { body: serialiseBody(document, view?.json), view, indexes: projection.indexes(document as never) };
}

/** @throws {FoldError} when the body is too large, or both texts together */
export function serialiseBody(document: unknown, view = ''): string {
  const body = JSON.stringify(document);
  const mayBeTooLarge = (body.length + view.length) * MAX_BYTES_PER_CODE_UNIT > LARGEST_BODY_BYTES;
  if (mayBeTooLarge && Buffer.byteLength(body) + Buffer.byteLength(view) > LARGEST_BODY_BYTES)
    throw new FoldError(`the document would be larger than ${LARGEST_BODY_BYTES / 2 ** 20} MiB`);
  return body;
}

/**
 * What an event did to a document. `applied`: it was folded, or parked the document. `ignored`: the document reflects
 * it already, or is parked. `gap`: earlier events of the stream are missing from the document.
 */
type ApplyResult = 'applied' | 'ignored' | 'gap';

/** How events are folded into a document. */
export interface FoldOptions {
  readonly projection: AnyFold;
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
  const { projection, decode } = options;
  if (working.parked !== undefined || event.revision <= working.revision) return 'ignored';
  if (event.revision !== working.revision + 1) return 'gap';
  if (working.stream === '') {
    working.stream = event.stream;
    working.first = event.position;
  }
  try {
    const folded = projection.fold(working.document as never, decode(event));
    if (options.checksStorable) serialiseDocument(projection, folded);
    working.document = folded;
    working.revision = event.revision;
    working.position = event.position;
  } catch (error) {
    options.onFailure(error, event, working.key);
    parkDocument(working, event, foldFailureOf(error, event));
  }
  return 'applied';
}

/** Describes why an event parks a document, without personal data. */
export function foldFailureOf(error: unknown, { type }: RawEvent): string {
  return `${type} cannot be folded: ${publicReasonOf(error)}`;
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
  for (const event of events) {
    if (idOf(event.stream) !== key) continue;
    if (applyEvent(checked, working, event) === 'gap') {
      parkDocument(working, event, `an event before revision ${event.revision} of its stream is missing`);
    }
    yield { event, working };
  }
  return working;
}
