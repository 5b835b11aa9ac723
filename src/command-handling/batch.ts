import type { Codec } from '../event-sourcing/codec.ts';
import { Refusal } from '../event-sourcing/refusal.ts';
import type { DomainEvent, StoredMetadata, Tags } from '../event-sourcing/event.ts';
import { derivedId } from '../event-sourcing/identifiers.ts';
import { type Day, dayOf, type Moment } from '../event-sourcing/time.ts';
import { bytesOf, type EventToAppend, type StoredEvent } from '../event-store/event-store.ts';
import type { CommandRequest } from './request.ts';

/** An event of one append. */
export type BatchEvent = EventToAppend & { readonly data: object; readonly metadata: StoredMetadata };

type Encoded = ReturnType<Codec['encode']>;

/**
 * Returns a function that encodes events for one append. Their business day is the day of recording unless they name one. Each event
 * is encoded once a day of recording, because it is measured before it is appended.
 */
export function batchBuilder({ encode }: Pick<Codec, 'encode'>) {
  const known = new Map<DomainEvent, { readonly day: Day; readonly encoded: Encoded }>();
  function encodeOnce(event: DomainEvent, day: Day): Encoded {
    const earlier = known.get(event);
    if (earlier?.day === day) return earlier.encoded;
    const encoded = encode({ type: event.type, data: { effectiveAt: day, ...(event.data as object) } });
    known.set(event, { day, encoded });
    return encoded;
  }
  return (
    events: readonly DomainEvent[],
    idOf: (index: number) => string,
    metadata: StoredMetadata,
  ): readonly BatchEvent[] => {
    const day = dayOf(metadata.recordedAt);
    return events.map((event, index) => ({ id: idOf(index), ...encodeOnce(event, day), metadata }));
  };
}

/** Builds the metadata of the events of a command, without the ids that the codec fills in. */
export function metadataOf(
  command: { readonly name: string; readonly id: string },
  { requestId, traceparent, identity, actor }: CommandRequest,
  recordedAt: Moment,
  tags: Tags,
): StoredMetadata {
  const { correlationId, causationId } = identity ?? {};
  return {
    recordedAt,
    ...(correlationId === undefined || correlationId === (requestId ?? command.id)
      ? {}
      : { $correlationId: correlationId }),
    ...(causationId === undefined || causationId === command.id ? {} : { $causationId: causationId }),
    ...(traceparent === undefined ? {} : { traceparent }),
    ...(requestId === undefined ? {} : { requestId }),
    actor,
    ...tags,
    command,
  };
}

/** @throws {Refusal} `event_too_large` */
export function checkSize(batch: readonly Omit<EventToAppend, 'id'>[], maxBytes: number): void {
  const bytes = batch.reduce((sum, event) => sum + bytesOf(event), 0);
  if (bytes <= maxBytes) return;
  throw new Refusal('event_too_large', `The request would record ${bytes} bytes; one append has at most ${maxBytes}`);
}

/** Returns the id of the command that wrote a stored event; undefined when its metadata has none. */
export function commandIdOf(raw: StoredEvent): string | undefined {
  return (raw.metadata as { command?: { id?: string } } | null)?.command?.id;
}

/** Derives the event ids of a command in a stream. A retry derives the same ids, so the event store recognises it. */
export function eventIdsOf(commandId: string, stream: string): (index: number) => string {
  return (index) => derivedId(commandId, 'event', stream, String(index));
}
