import { z } from 'zod';
import { EVENT_DEFINITIONS } from '#domain/events.ts';
import { apiName } from '#domain/values/api-name.ts';
import type { RecordedEvent } from '#event-sourcing/event.ts';

const SCHEMAS: ReadonlyMap<string, z.ZodType> = new Map(
  [...EVENT_DEFINITIONS.values()]
    .filter(({ upcast }) => upcast === undefined)
    .map(({ type, schema }) => [type, schema.omit({ effectiveAt: true })]),
);

/** Returns the data of an event in the spelling of the API, without the business day. JSON that a client sent stays as it is. */
export function dataOf({ type, data }: RecordedEvent): Readonly<Record<string, unknown>> {
  const schema = SCHEMAS.get(type);
  if (schema === undefined) throw new Error(`there is no event ${type}`);
  return renameMembers(schema, data) as Record<string, unknown>;
}

/** Only the members that a schema names are renamed. */
function renameMembers(schema: z.core.$ZodType, value: unknown): unknown {
  if (schema instanceof z.ZodNullable || schema instanceof z.ZodOptional) return renameMembers(schema.unwrap(), value);
  if (schema instanceof z.ZodArray && Array.isArray(value))
    return value.map((one) => renameMembers(schema.element, one));
  if (!(schema instanceof z.ZodObject) || typeof value !== 'object' || value === null) return value;
  const shape: Readonly<Record<string, z.core.$ZodType>> = schema.shape;
  const members = Object.entries(value).flatMap(([name, member]) => {
    const inner = shape[name];
    return inner === undefined ? [] : [[apiName(name), renameMembers(inner, member)] as const];
  });
  return Object.fromEntries(members);
}
