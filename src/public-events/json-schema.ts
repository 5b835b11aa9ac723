import { z } from 'zod';
import type { PublicEvent } from './definition.ts';

/** Returns the JSON Schema (2020-12) of the data of a public event. It is open, because members may be added. */
export function jsonSchemaOf({ type, description, schema }: PublicEvent): Readonly<Record<string, unknown>> {
  const { $schema, ...shape } = z.toJSONSchema(schema, {
    override: ({ jsonSchema }) => {
      if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
    },
  });
  return { $schema, title: type, description, ...shape };
}
