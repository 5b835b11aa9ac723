import { z } from 'zod';
import type { PublicEventDefinition } from './definition.ts';

/** Returns the JSON Schema of a public event's value, as published in `docs/events`. */
export function jsonSchemaOf({ type, description, schema }: PublicEventDefinition): object {
  const { $schema, ...shape } = z.toJSONSchema(schema);
  return { $schema, title: type, description, ...shape };
}
