import type { ZodError } from 'zod';
import type { coreMetadata, DomainEvent, EventDefinition, Recorded, Upcaster } from './event.ts';
import { type Moment, moment } from './time.ts';

/** What the codec needs of a stored event; `StoredEvent` of the event store's port is one. */
export interface RawEvent {
  readonly id: string;
  readonly stream: string;
  readonly revision: number;
  readonly position: bigint;
  readonly type: string;
  readonly data: unknown;
  readonly metadata: unknown;
}

/** An event of the log that this program cannot read: unknown, or not what its schema says. The log of errors shows where it lies. */
export class UnreadableEvent extends Error {
  override readonly name = 'UnreadableEvent';
  readonly eventId: string;
  readonly stream: string;
  readonly revision: number;
  constructor(reason: string, { id, stream, revision }: Pick<RawEvent, 'id' | 'stream' | 'revision'>) {
    super(reason);
    this.eventId = id;
    this.stream = stream;
    this.revision = revision;
  }
}

/** When an event was recorded, also when the rest of it cannot be read; undefined when it does not tell. */
export function rawRecordedAt({ metadata }: Pick<RawEvent, 'metadata'>): Moment | undefined {
  const told = moment.safeParse((metadata as { recordedAt?: unknown } | null | undefined)?.recordedAt);
  return told.success ? told.data : undefined;
}

/** Reads and checks the events of a set of definitions. */
export interface Codec {
  /** Every event that may stand in the log, by its stored name. */
  readonly definitions: ReadonlyMap<string, EventDefinition>;
  /**
   * The one edge at which stored events come in: parses data and metadata by their schemas and brings old versions up.
   * @throws {UnreadableEvent}
   */
  readonly decode: (raw: RawEvent) => Recorded;
  /** The one edge at which events go out. @throws {Error} when an event breaks its own storage contract. */
  readonly assertStorable: (event: DomainEvent) => void;
}

/**
 * Makes the codec of these definitions.
 * @param upcasters by the name of the version that they bring up
 * @param metadataSchema schema of the metadata of every event, with the tags of the application
 */
export function codecOf(
  known: readonly EventDefinition[],
  upcasters: ReadonlyMap<string, Upcaster>,
  metadataSchema: typeof coreMetadata,
): Codec {
  const definitions = new Map(known.map((definition) => [definition.type, definition]));

  function decode(raw: RawEvent): Recorded {
    const definition = definitions.get(raw.type);
    if (definition === undefined) throw new UnreadableEvent(`unknown event type ${raw.type}`, raw);
    const data = definition.schema.safeParse(raw.data);
    if (!data.success) throw new UnreadableEvent(`data of ${raw.type}: ${explain(data.error)}`, raw);
    const metadata = metadataSchema.safeParse(raw.metadata);
    if (!metadata.success) throw new UnreadableEvent(`metadata of ${raw.type}: ${explain(metadata.error)}`, raw);
    let event: DomainEvent = { type: raw.type, data: data.data };
    for (let up = upcasters.get(event.type); up !== undefined; up = upcasters.get(event.type))
      event = up(event.data as never);
    const { id, stream, revision, position } = raw;
    return { ...event, id, stream, revision, position, metadata: metadata.data };
  }

  function assertStorable(event: DomainEvent): void {
    const definition = definitions.get(event.type);
    if (definition === undefined) throw new Error(`event type ${event.type} is not declared`);
    const parsed = definition.schema.safeParse(event.data);
    if (!parsed.success) throw new Error(`${event.type} breaks its contract: ${explain(parsed.error)}`);
  }

  return { definitions, decode, assertStorable };
}

/** Names the wrong fields, never their values: the text may end in a log. */
function explain(error: ZodError): string {
  return error.issues.map((issue) => `${issue.path.join('.') || '(root)'} ${issue.code}`).join(', ');
}
