import { z } from 'zod';
import type { DomainEvent, Recorded } from '../../event-sourcing/event.ts';
import type { Visibility } from '../../domain/values/world.ts';

/** What public events are about; each has its topic. */
export const SUBJECTS = ['policies', 'claims', 'merchants', 'providers', 'products'] as const;
export type Subject = (typeof SUBJECTS)[number];

/** One type of public event: its name (`ce_type`), what it tells, and its data. Once published it never changes; a change is a new type. */
export interface PublicEventDefinition<Shape extends z.ZodRawShape = z.ZodRawShape> {
  readonly type: string;
  readonly subject: Subject;
  readonly description: string;
  readonly schema: z.ZodObject<Shape, z.core.$strict>;
}

/** Declares a public event. */
export function definePublicEvent<Shape extends z.ZodRawShape>(
  subject: Subject,
  type: string,
  description: string,
  shape: Shape,
): PublicEventDefinition<Shape> {
  return { subject, type, description, schema: z.strictObject(shape) };
}

/** A public event before it is put into a message. */
export interface PublicEvent {
  readonly definition: PublicEventDefinition;
  /** Id of what it is about: the key of its message. */
  readonly aggregateId: string;
  /** In which worlds it is seen. */
  readonly seenIn: Visibility;
  readonly data: object;
}

/** How a stored event is told to outsiders. */
export type Translation<E extends DomainEvent = DomainEvent> = (event: Recorded<E>) => PublicEvent;

/** A translation of every event of a union, or `undefined` for one that stays inside: a new event must be decided upon. */
export type Translations<E extends DomainEvent> = {
  readonly [Type in E['type']]: Translation<Extract<E, { readonly type: Type }>> | undefined;
};

/** A public event whose data is as its schema says: a slip does not compile. */
export function publicEvent<Shape extends z.ZodRawShape>(
  definition: PublicEventDefinition<Shape>,
  aggregateId: string,
  seenIn: Visibility,
  data: z.infer<z.ZodObject<Shape, z.core.$strict>>,
): PublicEvent {
  return { definition, aggregateId, seenIn, data };
}

/** `taxIdentificationNumber` → `tax_identification_number`: fields are named as in the interface. */
export function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
