import { z } from 'zod';
import type { PublicEvent } from './definition.ts';

export type JsonSchema = z.core.JSONSchema.BaseSchema;

/** Returns the JSON Schema (2020-12) of the data of a public event. It is open, because members may be added. */
export function jsonSchemaOf({ type, description, schema }: PublicEvent): JsonSchema {
  const { $schema, ...members } = openSchemaOf(schema);
  return { $schema, title: type, description, ...members } as JsonSchema;
}

const MONEY = 'Decimal string with two decimals.';

/** Converts a schema to a JSON Schema (2020-12) whose objects may have further members, and whose amounts say what they are. */
export function openSchemaOf(schema: z.ZodType): JsonSchema {
  return z.toJSONSchema(schema, {
    override: ({ jsonSchema }) => {
      const { additionalProperties, pattern, description } = jsonSchema;
      if (additionalProperties === false) delete jsonSchema.additionalProperties;
      if (pattern?.endsWith('\\.\\d{2}$') === true)
        jsonSchema.description = description === undefined ? MONEY : `${description} ${MONEY}`;
    },
  });
}
