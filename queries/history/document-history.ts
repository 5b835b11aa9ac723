import { type AnyProjection, type Projection, recordedAtOf } from '#projections/projection.ts';
import { replay, type WorkingDocument } from '#projections/working-document.ts';
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

export type LogContext = Pick<QueryContext, 'eventStore' | 'nextTurn'>;

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

/** Events that a history holds, because its client may read slowly. */
const EVENTS_PER_READ = 100;

/**
 * Replays a document event by event with the fold of its projection. The stream is read to its end, so the history is
 * complete also when the stored document is behind the log.
 * @throws {StoreUnavailable}
 */
export async function* replayHistory<Document>(
  context: LogContext,
  projection: Projection<Document>,
  stored: Pick<StoredDocument, 'key' | 'stream'>,
): AsyncGenerator<HistoryStep<Document>> {
  let last: RecordedEvent | undefined;
  const options = foldOptions(projection, (event) => {
    last = decode(event);
    return last;
  });
  let before: Document | undefined;
  let working: WorkingDocument | undefined;
  for (let from = 0; ; from += EVENTS_PER_READ) {
    await context.nextTurn();
    const events = await context.eventStore.readStream(stored.stream, { from, limit: EVENTS_PER_READ });
    for (const step of replay(options, stored.key, events, working)) {
      await context.nextTurn();
      working = step.working;
      const decoded = last ?? tryDecode(step.event);
      last = undefined;
      const after = working.document as Document | undefined;
      yield { event: step.event, decoded, before, after, isParked: working.parked !== undefined };
      before = after;
    }
    if (events.length < EVENTS_PER_READ) return;
  }
}

/**
 * Returns the document as it was known at an instant: folded from its events in the order of the log up to the first one that was recorded later.
 * Also when the clock was set back meanwhile, the result is a state that the document had.
 * @param instant undefined: now
 * @param onEvent called with every event that was known
 * @throws {Refusal} when it was not known yet, or parked, at that instant @throws {StoreUnavailable}
 */
export async function documentKnownAt<Document>(
  context: LogContext,
  projection: Projection<Document>,
  stored: Pick<StoredDocument, 'key' | 'stream'>,
  instant: Instant | undefined,
  onEvent: (event: RecordedEvent) => void = () => {},
): Promise<Document> {
  await context.nextTurn();
  const events = await context.eventStore.readStream(stored.stream);
  const later = instant === undefined ? -1 : events.findIndex((event) => recordedAtOf(event) > instant);
  const knownEvents = later < 0 ? events : events.slice(0, later);
  let working: WorkingDocument | undefined;
  const options = foldOptions(projection, (event) => {
    const decoded = decode(event);
    onEvent(decoded);
    return decoded;
  });
  for (const step of replay(options, stored.key, knownEvents)) {
    working = step.working;
    await context.nextTurn();
  }
  if (working?.parked !== undefined) throw refuse('document_parked');
  if (working?.document === undefined) throw refuse('not_known_yet');
  return working.document as Document;
}

/** The working document shows a failed fold, so the failure is not reported again. */
function foldOptions<Document>(projection: Projection<Document>, decodeEvent: (event: RawEvent) => RecordedEvent) {
  return { projection: projection as AnyProjection, decode: decodeEvent, onFailure: () => {} };
}

function tryDecode(event: StoredEvent): RecordedEvent | undefined {
  try {
    return decode(event);
  } catch {
    return undefined;
  }
}
