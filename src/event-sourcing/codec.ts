import type { z, ZodError } from 'zod';
import type { coreMetadata, DomainEvent, EventDefinition, Metadata, RecordedEvent, StoredMetadata } from './event.ts';
import { type Instant, instant } from './time.ts';

/** A stored event before it is decoded. */
export interface RawEvent {
  readonly id: string;
  readonly stream: string;
  /** Index in the stream, from 0. */
  readonly revision: number;
  readonly position: bigint;
  readonly type: string;
  readonly data: unknown;
  readonly metadata: unknown;
  /** The event is not as it was appended; only a store that keeps checksums knows. */
  readonly isAltered?: boolean;
}

/**
 * An event of the log cannot be decoded: it was altered in the store, its wire name is unknown, or it does not match
 * its schema.
 */
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

/**
 * Returns when an event was recorded, also when the rest of it cannot be read; undefined when `recordedAt` is not an
 * instant.
 */
export function rawRecordedAt({ metadata }: Pick<RawEvent, 'metadata'>): Instant | undefined {
  const parsed = instant.safeParse((metadata as { recordedAt?: unknown } | null | undefined)?.recordedAt);
  return parsed.success ? parsed.data : undefined;
}

/** Translates between events as the code knows them and events as they are stored. */
export interface Codec {
  readonly definitions: ReadonlyMap<string, EventDefinition>;
  readonly typeOf: (raw: Pick<RawEvent, 'type'>) => string | undefined;
  /**
   * Parses data and metadata of a stored event by their schemas and upcasts old versions. Ignores members that the
   * schemas do not declare. One stored event gives exactly one event. The same object is decoded once.
   * @throws {UnreadableEvent}
   */
  readonly decode: (raw: RawEvent) => RecordedEvent;
  /**
   * Returns the metadata of a stored event, also of one whose data cannot be read; undefined when they do not parse.
   */
  readonly decodeMetadata: (raw: Pick<RawEvent, 'metadata'>) => Metadata | undefined;
  /**
   * Returns an event under its newest wire name, as it is appended.
   * @throws {Error} when the event breaks its storage contract, also by a member that the schema does not declare
   */
  readonly encode: (event: DomainEvent) => EncodedEvent;
  /**
   * Makes `decode` return what `encode` has parsed, so that the process that appends an event does not parse it again.
   * Both give the same event; where JSON would not keep a member, `decode` parses what is stored.
   * @param stored the events of one append, as the store returned them
   */
  readonly keepDecoded: (
    stored: readonly RawEvent[],
    encoded: readonly Pick<EncodedEvent, 'decoded'>[],
    metadata: StoredMetadata,
  ) => void;
}

/** An event under its newest wire name. */
export interface EncodedEvent {
  readonly type: string;
  readonly data: object;
  /** The data as they are decoded; undefined when JSON does not hold all members of `data`. */
  readonly decoded: object | undefined;
}

/**
 * Creates the codec of these definitions.
 * @param metadataSchema schema of the metadata of every event, with the tags of the application
 * @throws {Error} when an old version has no upcaster, or two definitions have the same wire name
 */
export function codecOf(all: readonly EventDefinition[], metadataSchema: typeof coreMetadata): Codec {
  const definitions = new Map(all.map((definition) => [definition.wireName, definition]));
  if (definitions.size < all.length) throw new Error('two events have the same wire name');
  const newest = new Map<string, EventDefinition>();
  const next = new Map<string, EventDefinition>();
  for (const [type, versions] of Map.groupBy(all, (definition): string => definition.type)) {
    const ascending = versions.toSorted((a, b) => a.version - b.version);
    for (const [index, definition] of ascending.entries()) {
      const successor = ascending[index + 1];
      if ((definition.upcast === undefined) !== (successor === undefined))
        throw new Error(`${definition.wireName}: every version but the newest needs an upcaster`);
      if (successor === undefined) newest.set(type, definition);
      else next.set(definition.wireName, successor);
    }
  }

  const decoded = new WeakMap<RawEvent, RecordedEvent>();

  function decode(raw: RawEvent): RecordedEvent {
    const known = decoded.get(raw);
    if (known !== undefined) return known;
    const event = decodeFirst(raw);
    decoded.set(raw, event);
    return event;
  }

  function decodeFirst(raw: RawEvent): RecordedEvent {
    if (raw.isAltered === true) throw new UnreadableEvent(`${raw.type} was altered in the store`, raw);
    const stored = definitions.get(raw.type);
    if (stored === undefined) throw new UnreadableEvent(`unknown event type ${raw.type}`, raw);
    const parsed = stored.schema.safeParse(raw.data);
    if (!parsed.success) throw new UnreadableEvent(`data of ${raw.type}: ${explain(parsed.error)}`, raw);
    const parsedMetadata = metadataSchema.safeParse(raw.metadata);
    if (!parsedMetadata.success)
      throw new UnreadableEvent(`metadata of ${raw.type}: ${explain(parsedMetadata.error)}`, raw);
    const metadata = withDefaults(parsedMetadata.data);
    let data: object = parsed.data;
    for (let version: EventDefinition | undefined = stored; version?.upcast; version = next.get(version.wireName))
      data = version.upcast(data as never, metadata);
    return recorded(raw, stored.type, data, metadata);
  }

  function keepDecoded(
    stored: readonly RawEvent[],
    encoded: readonly Pick<EncodedEvent, 'decoded'>[],
    metadata: StoredMetadata,
  ): void {
    const parsed = hasUndefined(metadata) ? undefined : decodeMetadata({ metadata });
    for (const [index, raw] of stored.entries()) {
      const type = definitions.get(raw.type)?.type;
      const data = encoded[index]?.decoded;
      if (type === undefined || data === undefined || parsed === undefined) continue;
      decoded.set(raw, recorded(raw, type, data, parsed));
    }
  }

  function encode({ type, data }: DomainEvent): EncodedEvent {
    const definition = newest.get(type);
    if (definition === undefined) throw new Error(`event type ${type} is not declared`);
    const parsed = definition.schema.safeParse(data);
    if (!parsed.success) throw new Error(`${definition.wireName} breaks its contract: ${explain(parsed.error)}`);
    const undeclared = undeclaredMember(data as object, parsed.data);
    if (undeclared !== undefined)
      throw new Error(`${definition.wireName} breaks its contract: ${undeclared} unrecognized_keys`);
    const isExact = !hasUndefined(data as object);
    return { type: definition.wireName, data: data as object, decoded: isExact ? parsed.data : undefined };
  }

  function decodeMetadata({ metadata }: Pick<RawEvent, 'metadata'>): Metadata | undefined {
    const { data } = metadataSchema.safeParse(metadata);
    return data && withDefaults(data);
  }

  return {
    definitions,
    typeOf: ({ type }) => definitions.get(type)?.type,
    decode,
    decodeMetadata,
    encode,
    keepDecoded,
  };
}

function recorded(raw: RawEvent, type: string, data: object, metadata: Metadata): RecordedEvent {
  const { id, stream, revision, position } = raw;
  return { type, data, id, stream, revision, position, storedType: raw.type, metadata };
}

/** JSON leaves out members that are undefined. */
function hasUndefined(value: object): boolean {
  for (const member of Object.values(value)) {
    if (member === undefined) return true;
    if (typeof member === 'object' && member !== null && hasUndefined(member as object)) return true;
  }
  return false;
}

function withDefaults(stored: z.infer<typeof coreMetadata>): Metadata {
  const { requestId, command, $correlationId = requestId ?? command.id, $causationId = command.id } = stored;
  return { ...stored, $correlationId, $causationId };
}

function undeclaredMember(given: object, parsed: object): string | undefined {
  for (const name of Object.keys(given)) {
    const member = (given as Record<string, unknown>)[name];
    if (member === undefined) continue;
    if (!Object.hasOwn(parsed, name)) return name;
    if (typeof member !== 'object' || member === null) continue;
    const inner = undeclaredMember(member, (parsed as Record<string, object>)[name] as object);
    if (inner !== undefined) return `${name}.${inner}`;
  }
  return undefined;
}

/** Names the wrong fields, never their values, because the text is logged. */
function explain(error: ZodError): string {
  return error.issues.map((issue) => `${issue.path.join('.') || '(root)'} ${issue.code}`).join(', ');
}
