import type { AnyProjection, Projection } from '../../projections/projection.ts';
import { recordedAtOf } from '../../projections/address.ts';
import { mergeStreams, replay } from '../../projections/replay.ts';
import type { WorkingDocument } from '../../projections/working-document.ts';
import { decode } from '../../src/domain/events.ts';
import type { RawEvent } from '../../src/event-sourcing/codec.ts';
import type { Moment } from '../../src/event-sourcing/time.ts';
import type { Recorded } from '../../src/event-sourcing/event.ts';
import { Refusal } from '../../src/domain/refusals.ts';
import type { StoredEvent } from '../../src/event-store/event-store.ts';
import type { StoredDocument } from '../../src/read-models/read-models.ts';
import type { QueryContext } from '../query.ts';

/** What one event made of a document. */
export interface PastStep<Document> {
  readonly event: StoredEvent;
  /** Undefined when this program cannot read the event. */
  readonly decoded: Recorded | undefined;
  /** Undefined before the first state. */
  readonly before: Document | undefined;
  readonly after: Document | undefined;
  /** The document could not take in this event, or an earlier one, and stands still. */
  readonly isStalled: boolean;
}

/**
 * What happened to a document, event by event, folded by the projection's own fold. Its streams are read to their end, so
 * a document that is behind the log does not cut its history.
 * @throws {StoreUnavailable}
 */
export async function* pastOf<Document>(
  context: QueryContext,
  projection: Projection<Document>,
  stored: StoredDocument,
): AsyncGenerator<PastStep<Document>> {
  const events = await eventsOf(context, stored);
  let read: Recorded | undefined;
  const folding = foldingOf(projection, (event) => {
    read = decode(event);
    return read;
  });
  let before: Document | undefined;
  for await (const { event, working } of inTurns(context, replay(folding, stored.key, events))) {
    const decoded = read ?? decodedOrNot(event);
    read = undefined;
    const after = working.document as Document | undefined;
    yield { event, decoded, before, after, isStalled: working.parked !== undefined };
    before = after;
  }
}

/** A document as it was, and the revision of each of its streams that it reflected. */
export interface PastDocument<Document> {
  readonly document: Document;
  readonly streams: Readonly<Record<string, number>>;
}

/**
 * The document as it was served at a moment: made of its events in the order of the log, up to the first one that was
 * recorded later. So the clock of the record decides alone, and also where it once went backwards, what is answered is a
 * state that the document had.
 * @throws {Refusal} `not_known_yet`; `document_parked` when it stood still at that moment
 * @throws {StoreUnavailable}
 */
export async function asKnownAt<Document>(
  context: QueryContext,
  projection: Projection<Document>,
  stored: StoredDocument,
  moment: Moment,
): Promise<PastDocument<Document>> {
  const events = await eventsOf(context, stored);
  const later = events.findIndex((event) => recordedAtOf(event) > moment);
  const known = later < 0 ? events : events.slice(0, later);
  let working: WorkingDocument | undefined;
  const steps = replay(foldingOf(projection, decode), stored.key, known);
  for await (const step of inTurns(context, steps)) working = step.working;
  if (working?.parked !== undefined) throw new Refusal('document_parked');
  if (working?.document === undefined) throw new Refusal('not_known_yet');
  return { document: working.document as Document, streams: working.streams };
}

/**
 * The events of a document's streams in the order of the log, none of them missing: what is appended while the streams are
 * read one after the other is left out.
 */
async function eventsOf(context: QueryContext, { streams }: StoredDocument): Promise<readonly StoredEvent[]> {
  const { eventStore } = context;
  const end = (await eventStore.lastPosition()) ?? 0n;
  const read: StoredEvent[][] = [];
  for await (const stream of inTurns(context, Object.keys(streams))) {
    read.push((await eventStore.readStream(stream)).filter(({ position }) => position <= end));
  }
  return mergeStreams(read);
}

/** What failed to be folded shows in the working document; nobody else needs to hear of it here. */
function foldingOf<Document>(projection: Projection<Document>, read: (event: RawEvent) => Recorded) {
  return { projection: projection as AnyProjection, decode: read, onFailure: () => {} };
}

/** So many steps are made before others get their turn: one step of a large document takes about a millisecond. */
const STEPS_A_TURN = 16;

/** Steps that leave room for other requests in between: a history has as many as its document ever had events. */
async function* inTurns<Step>(
  { nextTurn }: Pick<QueryContext, 'nextTurn'>,
  steps: Iterable<Step>,
): AsyncGenerator<Step> {
  let made = 0;
  for (const step of steps) {
    yield step;
    made += 1;
    if (made % STEPS_A_TURN === 0) await nextTurn();
  }
}

function decodedOrNot(event: StoredEvent): Recorded | undefined {
  try {
    return decode(event);
  } catch {
    return undefined;
  }
}
