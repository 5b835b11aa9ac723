import type { AnyProjection } from '#projections/projection.ts';
import { serialiseDocument, type WorkingDocument, type FoldOptions, replay } from '#projections/working-document.ts';
import type { StoredDocument, DocumentToWrite, ReplacedState } from '#stores/read-models/read-models.ts';
import { decode } from '#domain/events.ts';
import type { EventStore, Position } from '#stores/event-log/event-log.ts';

export type StreamReader = Pick<EventStore, 'readStream'>;

interface RefoldRequest {
  readonly projection: AnyProjection;
  readonly onFailure: FoldOptions['onFailure'];
  readonly key: string;
  readonly stream: string;
  readonly upTo: Position;
}

export async function refold(
  eventStore: StreamReader,
  { projection, onFailure, key, stream, upTo }: RefoldRequest,
): Promise<WorkingDocument> {
  const events = (await eventStore.readStream(stream)).filter(({ position }) => position <= upTo);
  const steps = replay({ projection, decode, onFailure }, key, events);
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

/** @throws {SyntaxError} when the stored body is not JSON */
export function fromStored(stored: StoredDocument): WorkingDocument {
  const document: unknown = stored.body === undefined ? undefined : JSON.parse(stored.body);
  const { key, stream, revision, position, createdAt, parked } = stored;
  return { key, document, stream, revision, position, createdAt, parked, parts: [] };
}

/** @throws when the projection's `indexes` throws or the document cannot be serialised */
export function toStored(
  projection: AnyProjection,
  working: WorkingDocument,
  replaces: ReplacedState | null,
): DocumentToWrite {
  const { key, document, stream, revision, position, createdAt, parked } = working;
  const { body, indexes } = serialiseDocument(projection, document);
  return { key, body, stream, revision, position, createdAt, indexes, parked, replaces };
}

/** Separates the key of a whole from the id of a part. Keys of wholes are ids, which do not contain it. */
const SEPARATOR = '/';

export function wholeKeyOf(key: string): string {
  return key.split(SEPARATOR, 1)[0] ?? key;
}

/** @throws when the projection's `indexes` throws or a part cannot be serialised */
export function storedParts(
  projection: AnyProjection,
  { key, stream, parts }: Pick<WorkingDocument, 'key' | 'stream' | 'parts'>,
): readonly StoredDocument[] {
  return parts.map(({ id, document, revision, position, createdAt }) => {
    const place = { key: `${key}${SEPARATOR}${id}`, stream, revision, position, createdAt };
    return { ...serialiseDocument(projection, document), ...place, parked: undefined };
  });
}
