import { z } from 'zod';
import { day, instant } from './time.ts';

/** Who ran the command: a key of a role, or Surety itself (`system`). */
export const actorSchema = z.object({
  role: z.enum(['merchant', 'insurer', 'claims', 'admin', 'auditor', 'system']),
  /** Public id of the key; null without a key (command line, scheduler). */
  keyId: z.string().nullable(),
  /** The person whose key it is. */
  personId: z.string().optional(),
  /** Label of the key at that time; of Surety itself the name of the process, if any. */
  label: z.string().optional(),
});
export type Actor = z.infer<typeof actorSchema>;

/**
 * Stored metadata that every event has. An application adds tags, the ids by which its readers find an event. Where
 * `$correlationId` or `$causationId` is left out, the codec fills in the default.
 */
export const coreMetadata = z.object({
  /** When Surety recorded the event, by its own clock; never earlier than the previous event of the stream. */
  recordedAt: instant,
  /** Default: the request id, or the command id where there is no request. */
  $correlationId: z.string().optional(),
  /** Default: the command id. */
  $causationId: z.string().optional(),
  traceparent: z.string().optional(),
  requestId: z.string().optional(),
  actor: actorSchema,
  command: z.object({ name: z.string(), id: z.string() }),
});
export type Tags = Readonly<Record<string, string | boolean | undefined>>;
/** Metadata with the tags of the application, as the log has it. */
export type StoredMetadata = z.infer<typeof coreMetadata> & { readonly [tag: string]: unknown };
export type Metadata = StoredMetadata & { readonly $correlationId: string; readonly $causationId: string };

/** An event as deciders create it and folds read it. `data` always has `effectiveAt`, the business day. */
export interface DomainEvent<Type extends string = string, Data = unknown> {
  readonly type: Type;
  readonly data: Data;
}

export type RecordedEvent<E extends DomainEvent = DomainEvent> = E & {
  readonly id: string;
  readonly stream: string;
  readonly revision: number;
  readonly position: bigint;
  /** Wire name under which the event is stored: of an upcast event that of its old version. */
  readonly storedType: string;
  readonly metadata: Metadata;
};

type WireName<Type extends string = string> = `${Type}.v${number}`;
type TypeOf<Wire> = Wire extends WireName<infer Type> ? Type : string;

/**
 * One version of one event: its name in the log, what has happened, and the schema of its data. Name and schema are a
 * storage contract from release 1.0.0 on; until then they are changed in place. The only change they then allow is a
 * new optional member that no decision and no fold depends on, because older processes ignore it. Any other change is a
 * new version, and the old one gets an upcaster. Only the codec knows wire names; all other code uses the type.
 */
export interface EventDefinition<Wire extends string = string, Shape extends z.ZodRawShape = z.ZodRawShape> {
  readonly wireName: Wire;
  readonly type: TypeOf<Wire>;
  readonly version: number;
  readonly description: string;
  readonly schema: z.ZodObject<Shape & { effectiveAt: typeof day }, z.core.$strip>;
  /** Undefined for the newest version. */
  readonly upcast: Upcaster | undefined;
}

/** Converts the data of an event of an old version to the next version. */
type Upcaster<Data = never> = (data: Data, metadata: Metadata) => object;

type DataOf<Shape extends z.ZodRawShape> = z.infer<z.ZodObject<Shape & { effectiveAt: typeof day }, z.core.$strip>>;

/**
 * Declares a version of an event. Every event has `effectiveAt`, so the schema need not name it.
 * @param description what has happened, in one sentence, and which day `effectiveAt` is if it is not that of the
 * decision
 * @param shape a field is described where its name does not say what it holds
 * @param upcast required for every version but the newest
 */
export function defineEvent<Wire extends WireName, Shape extends z.ZodRawShape>(
  wireName: Wire,
  description: string,
  shape: Shape,
  upcast?: Upcaster<DataOf<Shape>>,
): EventDefinition<Wire, Shape> {
  const [type = '', version] = wireName.split('.v');
  return {
    wireName,
    type: type as TypeOf<Wire>,
    version: Number(version),
    description,
    schema: z.object({ effectiveAt: day, ...shape }) as EventDefinition<Wire, Shape>['schema'],
    upcast,
  };
}

export type EventOf<D> =
  D extends EventDefinition<infer Wire, infer Shape> ? DomainEvent<TypeOf<Wire>, DataOf<Shape>> : never;

/**
 * An event as a decider returns it. Where it leaves out `effectiveAt`, the UTC day of the record is filled in, which a
 * decider does not know.
 */
export type NewEvent<E extends DomainEvent> =
  E extends DomainEvent<infer Type, infer Data>
    ? { readonly type: Type; readonly data: Omit<Data, 'effectiveAt'> & { readonly effectiveAt?: string } }
    : never;
