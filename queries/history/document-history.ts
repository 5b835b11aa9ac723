import { type AnyFold, type Projection, recordedAtOf } from '#projections/projection.ts';
import { replay, type ReplayStep, type WorkingDocument } from '#projections/working-document.ts';
import { decode } from '#domain/events.ts';
import type { RawEvent } from '#event-sourcing/codec.ts';
import type { Instant } from '#event-sourcing/time.ts';
import type { RecordedEvent } from '#event-sourcing/event.ts';
import { refusalsOf } from '#domain/refusals.ts';
import type { StoredEvent } from '#stores/event-log/event-log.ts';
import type { StoredDocument } from '#stores/read-models/read-models.ts';
import type { QueryContext } from '../query.ts';

const refuse = refusalsOf('not_known_yet', 'document_parked');

/** What `documentKnownAt` throws. */
export const KNOWN_AT_ERRORS = refuse.codes;

export type LogContext = Pick<QueryContext, 'eventStore' | 'nextTurn' | 'replay'>;

type Stored = Pick<StoredDocument, 'key' | 'stream'>;

export interface HistoryStep<Document> {
  readonly event: StoredEvent;
  /** Undefined when this version of the program cannot read the event. */
  readonly decoded: RecordedEvent | undefined;
  /** Undefined before the first state. */
  readonly before: Document | undefined;
  readonly after: Document | undefined;
  /** Whether the document is parked, at this event or an earlier one. */
  readonly isParked: boolean;
}

/** Events of a stream that a replay holds: many may be under way, and their clients may read slowly. */
const EVENTS_PER_READ = 20;
/** An event may have 1 MiB. */
const CHARACTERS_PER_READ = 256 * 1024;

/**
 * Replays a document event by event with the fold of its projection. The stream is read to its end, so the history is
 * complete also when the stored document is behind the log.
 * @throws {StoreUnavailable}
 */
export async function* replayHistory<Document>(
  context: LogContext,
  projection: Projection<Document>,
  stored: Stored,
): AsyncGenerator<HistoryStep<Document>> {
  let last: RecordedEvent | undefined;
  const options = foldOptions(projection, (event) => {
    last = decode(event);
    return last;
  });
  let before: Document | undefined;
  for await (const { event, working } of replayStream(context, options, stored)) {
    const decoded = last ?? tryDecode(event);
    last = undefined;
    const after = working.document as Document | undefined;
    yield { event, decoded, before, after, isParked: working.parked !== undefined };
    before = after;
  }
}

/** Folds a stream event by event, up to the first one that is not `isKnown`. @throws {StoreUnavailable} */
async function* replayStream(
  context: LogContext,
  options: ReturnType<typeof foldOptions>,
  { key, stream }: Stored,
  isKnown: (event: StoredEvent) => boolean = () => true,
): AsyncGenerator<ReplayStep<StoredEvent>> {
  let working: WorkingDocument | undefined;
  const size = { limit: EVENTS_PER_READ, maxCharacters: CHARACTERS_PER_READ };
  for (let from = 0; ; ) {
    await context.nextTurn();
    const events = await context.eventStore.readStream(stream, { from, ...size });
    from += events.length;
    const unknown = events.findIndex((event) => !isKnown(event));
    for (const step of replay(options, key, unknown < 0 ? events : events.slice(0, unknown), working)) {
      await context.nextTurn();
      working = step.working;
      yield step;
    }
    if (unknown >= 0 || events.length === 0) return;
  }
}

/**
 * Returns the document as it was known at an instant: folded from its events in the order of the log up to the first
 * one that was recorded later. Also when the clock was set back meanwhile, the result is a state that the document had.
 * @param instant undefined: now
 * @param onEvent called with every event that was known
 * @throws {Refusal} when it was not known yet, or parked, at that instant
 * @throws {StoreUnavailable}
 */
export async function documentKnownAt<Document>(
  context: LogContext,
  projection: Projection<Document>,
  stored: Stored,
  instant: Instant | undefined,
  onEvent: (event: RecordedEvent) => void = () => {},
): Promise<Document> {
  const options = foldOptions(projection, (event) => {
    const decoded = decode(event);
    onEvent(decoded);
    return decoded;
  });
  const isKnown = (event: StoredEvent): boolean => instant === undefined || recordedAtOf(event) <= instant;
  const working = await context.replay(async () => {
    let last: WorkingDocument | undefined;
    for await (const step of replayStream(context, options, stored, isKnown)) last = step.working;
    return last;
  });
  if (working?.parked !== undefined) throw refuse('document_parked');
  if (working?.document === undefined) throw refuse('not_known_yet');
  return working.document as Document;
}

/** The working document shows a failed fold, so the failure is not reported again. */
function foldOptions<Document>(projection: Projection<Document>, decodeEvent: (event: RawEvent) => RecordedEvent) {
  return { projection: projection as AnyFold, decode: decodeEvent, onFailure: () => {} };
}

function tryDecode(event: StoredEvent): RecordedEvent | undefined {
  try {
    return decode(event);
  } catch {
    return undefined;
  }
}
