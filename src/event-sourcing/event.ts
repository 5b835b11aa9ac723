import { z } from 'zod';
import { day, moment } from './time.ts';

/** Who did it. A key of a merchant, a platform key, or Surety itself (`system`). */
export const actorSchema = z.strictObject({
  role: z.enum(['merchant', 'admin', 'auditor', 'system']),
  /** Public id of the key; null where no key was used (command line, scheduler). */
  keyId: z.string().nullable(),
});
export type Actor = z.infer<typeof actorSchema>;

/** Metadata that every event has. An application adds tags, the ids by which its readers find an event. */
export const coreMetadata = z.strictObject({
  /** When Surety recorded it, by its own clock; never earlier than its predecessor's in the stream. */
  recordedAt: moment,
  $correlationId: z.string(),
  $causationId: z.string(),
  traceparent: z.string().optional(),
  requestId: z.string().optional(),
  actor: actorSchema,
  command: z.strictObject({ name: z.string(), id: z.string() }),
});
/** Metadata with the tags of the application. */
export type Metadata = z.infer<typeof coreMetadata> & { readonly [tag: string]: unknown };

/** An event as deciders make it and folds read it. `data` always carries `effectiveAt`, the business day. */
export interface DomainEvent<Type extends string = string, Data = unknown> {
  readonly type: Type;
  readonly data: Data;
}

/** A domain event as it stands in the log. */
export type Recorded<E extends DomainEvent = DomainEvent> = E & {
  readonly id: string;
  readonly stream: string;
  readonly revision: number;
  readonly position: bigint;
  readonly metadata: Metadata;
};

/**
 * One version of one event: the name as it is stored and the schema of its data. Both are a storage contract: once
 * written anywhere they are never changed; a change is a new version and an upcaster.
 */
export interface EventDefinition<Type extends string = string, Shape extends z.ZodRawShape = z.ZodRawShape> {
  readonly type: Type;
  readonly schema: z.ZodObject<Shape & { effectiveAt: typeof day }, z.core.$strict>;
}

/** Declares an event. Every event carries `effectiveAt`, so the shape need not name it. */
export function defineEvent<Type extends `${string}.v${number}`, Shape extends z.ZodRawShape>(
  type: Type,
  shape: Shape,
): EventDefinition<Type, Shape> {
  return { type, schema: z.strictObject({ effectiveAt: day, ...shape }) as EventDefinition<Type, Shape>['schema'] };
}

/** The event type of a definition. */
export type EventOf<D> =
  D extends EventDefinition<infer Type, infer Shape>
    ? DomainEvent<Type, z.infer<z.ZodObject<Shape & { effectiveAt: typeof day }, z.core.$strict>>>
    : never;

/**
 * An event as a decider returns it. `effectiveAt` may be left out: it is then the UTC day on which the event is recorded
 * (design, Events), which a decider cannot know.
 */
export type NewEvent<E extends DomainEvent> =
  E extends DomainEvent<infer Type, infer Data>
    ? { readonly type: Type; readonly data: Omit<Data, 'effectiveAt'> & { readonly effectiveAt?: string } }
    : never;

/** LeaderElection an event of an old version into the next version's. */
export type Upcaster = (data: never) => DomainEvent;

/** Marks a field as personal: whose it is. Nothing hangs on the mark yet (design, Events). */
export function personal<S extends z.ZodType>(
  schema: S,
  person: 'customer' | 'claimant' | 'beneficiary' | 'merchant',
): S {
  return schema.meta({ personal: person });
}
