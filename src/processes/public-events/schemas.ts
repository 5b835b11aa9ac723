import { z } from 'zod';
import type { PublicEventDefinition } from './definition.ts';

/** Returns the JSON Schema of a public event's value, as published in `docs/events`. It is open, because members may be added. */
export function jsonSchemaOf({ type, description, schema }: PublicEventDefinition): object {
  const { $schema, ...shape } = z.toJSONSchema(schema, {
    override: ({ jsonSchema }) => {
      if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
    },
  });
  return { $schema, title: type, description, ...shape };
}
