import { z } from 'zod';
import type { DomainEvent, RecordedEvent } from '../../event-sourcing/event.ts';
import type { Visibility } from '../../domain/values/mode.ts';

/** The subjects of public events; each has its own topic. */
export const SUBJECTS = ['policies', 'claims', 'merchants', 'providers', 'products'] as const;
export type Subject = (typeof SUBJECTS)[number];

/** One type of public event: its name (`ce_type`), description and data. It never changes once published; a change needs a new type. */
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

export interface PublicEvent {
  readonly definition: PublicEventDefinition;
  readonly aggregateId: string;
  readonly visibility: Visibility;
  readonly data: object;
}

export type Translation<E extends DomainEvent = DomainEvent> = (event: RecordedEvent<E>) => PublicEvent;

/** The translation of every event of a union; `undefined` for an event that is not public. A new event does not compile without an entry. */
export type Translations<E extends DomainEvent> = {
  readonly [Type in E['type']]: Translation<Extract<E, { readonly type: Type }>> | undefined;
};

/** Creates a public event; the compiler checks the data against the schema. */
export function publicEvent<Shape extends z.ZodRawShape>(
  definition: PublicEventDefinition<Shape>,
  aggregateId: string,
  eventVisibility: Visibility,
  data: z.infer<z.ZodObject<Shape, z.core.$strict>>,
): PublicEvent {
  return { definition, aggregateId, visibility: eventVisibility, data };
}

/** Converts a field name to that of the API: `taxIdentificationNumber` → `tax_identification_number`. */
export function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
