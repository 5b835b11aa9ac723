import { type AnyFold, type AnyProjection, addressOf, FoldError, type RowProjection } from '#projections/projection.ts';
import {
  foldFailureOf,
  type FoldOptions,
  replay,
  serialiseBody,
  serialiseDocument,
  type WorkingDocument,
} from '#projections/working-document.ts';
import {
  type StoredDocument,
  type DocumentToWrite,
  logOrder,
  PLACES_PER_EVENT,
  positionOf,
  type ReplacedState,
} from '#stores/read-models/read-models.ts';
import { decode } from '#domain/events.ts';
import type { EventStore, Position, StoredEvent } from '#stores/event-log/event-log.ts';

export type StreamReader = Pick<EventStore, 'readStream'>;

interface RefoldRequest<Projection> {
  readonly projection: Projection;
  readonly onFailure: FoldOptions['onFailure'];
  readonly key: string;
  readonly stream: string;
  readonly upTo: Position;
}

export async function refold(
  eventStore: StreamReader,
  { projection, onFailure, key, stream, upTo }: RefoldRequest<AnyFold>,
): Promise<WorkingDocument> {
  const steps = replay({ projection, decode, onFailure }, key, await readUpTo(eventStore, stream, upTo));
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

async function readUpTo(eventStore: StreamReader, stream: string, upTo: Position): Promise<readonly StoredEvent[]> {
  return (await eventStore.readStream(stream)).filter(({ position }) => position <= upTo);
}

/** @throws {SyntaxError} when the stored body is not JSON */
export function fromStored(stored: StoredDocument): WorkingDocument {
  const document: unknown = stored.body === undefined ? undefined : JSON.parse(stored.body);
  const { key, stream, revision, position, order, parked } = stored;
  return { key, document, stream, revision, position, first: positionOf(order), parked };
}

/** @throws when the projection's `indexes` throws or the document cannot be serialised */
export function toStored(
  projection: AnyFold,
  working: WorkingDocument,
  replaces: ReplacedState | null,
): DocumentToWrite {
  const { key, document, stream, revision, position, first, parked } = working;
  const { body, view, indexes } = serialiseDocument(projection, document);
  return { key, body, view, stream, revision, position, order: logOrder(first), indexes, parked, replaces };
}

/** The last place of an event is that of the document which parks its stream. */
const MAX_ROWS = PLACES_PER_EVENT - 1;

/** @throws when the event cannot be decoded, or a row cannot be serialised */
export function storedRows({ rows }: RowProjection, event: StoredEvent): readonly StoredDocument[] {
  const { stream, revision, position } = event;
  const made = rows(addressOf(event), () => decode(event));
  if (made.length > MAX_ROWS) throw new FoldError(`the event would have more than ${MAX_ROWS} rows`);
  return made.map(({ key, document, indexes }, place) => {
    const order = logOrder(position, place);
    return { key, body: serialiseBody(document), stream, revision, position, order, indexes, parked: undefined };
  });
}

/**
 * Returns the document that parks a stream, under its id: an event of it has no rows. It has no body, so that no list
 * shows it.
 */
export function parkedStream(key: string, event: StoredEvent, error: unknown): StoredDocument {
  const { id: eventId, type: eventType, stream, revision, position } = event;
  const parked = { reason: foldFailureOf(error, event), eventId, eventType, position };
  return { ...repairedStream(key, stream, position), revision, parked };
}

function repairedStream(key: string, stream: string, position: Position): StoredDocument {
  const order = logOrder(position, MAX_ROWS);
  return { key, body: undefined, stream, revision: -1, position, order, indexes: {}, parked: undefined };
}

/** Returns whether a document only says that the rows of a parked stream were added later: a rebuild has none. */
export function isRepairedStream({ body, parked }: StoredDocument): boolean {
  return body === undefined && parked === undefined;
}

/**
 * Makes the rows of all events of a stream, and the document that parks it at the first event that has none.
 */
export async function remakeRows(
  eventStore: StreamReader,
  { projection, onFailure, key, stream, upTo }: RefoldRequest<RowProjection>,
): Promise<{ readonly rows: readonly StoredDocument[]; readonly parking: StoredDocument }> {
  const rows: StoredDocument[] = [];
  let parking = repairedStream(key, stream, upTo);
  for (const event of await readUpTo(eventStore, stream, upTo)) {
    try {
      rows.push(...storedRows(projection, event));
    } catch (error) {
      if (parking.parked !== undefined) continue;
      onFailure(error, event, key);
      parking = parkedStream(key, event, error);
    }
  }
  return { rows, parking };
}

/** Makes a stored document again from its stream, as it was at its position. */
export async function remake(
  eventStore: StreamReader,
  projection: AnyProjection,
  { key, stream, position: upTo, parked }: StoredDocument,
): Promise<StoredDocument | undefined> {
  const request = { onFailure: () => {}, key, stream, upTo };
  if ('rows' in projection) {
    const { rows, parking } = await remakeRows(eventStore, { ...request, projection });
    return parked === undefined ? rows.find((row) => row.key === key) : parking;
  }
  const working = await refold(eventStore, { ...request, projection });
  return working.stream === '' ? undefined : toStored(projection, working, null);
}
