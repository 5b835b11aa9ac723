import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';

export type Schema = z.core.JSONSchema.BaseSchema;

const IN_COMPONENTS = '#/components/schemas/';
const IN_DEFINITIONS = '#/$defs/';

/** Patterns that are omitted: the introduction documents control characters, and formats are self-explanatory. */
const OMITTED_PATTERNS = new Set(['^[^\\p{Cc}\\p{Cs}]*$', '^(?:[^\\p{Cc}\\p{Cs}]|[\\n\\r\\t])*$']);
const SELF_EXPLAINING = new Set(['uuid', 'date', 'date-time', 'email']);

/** Converts zod schemas to JSON Schemas. Schemas with an id (`.meta({ id })`) become components. */
export class Components {
  readonly schemas: Record<string, Schema> = {};

  input(schema: z.ZodType): Schema {
    return this.#extractComponents(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any', override: simplify }));
  }

  output(schema: z.ZodType): Schema {
    return this.#extractComponents(
      z.toJSONSchema(schema, {
        io: 'output',
        unrepresentable: 'any',
        override: (context) => {
          simplify(context);
          leaveOpen(context);
        },
      }),
    );
  }

  /** Adds a component and returns a reference to it. */
  register(name: string, schema: Schema): Schema {
    const present = this.schemas[name];
    if (present !== undefined && !isDeepStrictEqual(present, schema)) {
      throw new Error(`two schemas of the API reference have the name ${name}`);
    }
    this.schemas[name] = schema;
    return { $ref: `${IN_COMPONENTS}${name}` };
  }

  #extractComponents(jsonSchema: Schema): Schema {
    const { $schema: _, $defs = {}, ...schema } = jsonSchema;
    for (const [name, definition] of Object.entries($defs)) {
      if (!isAnyJson(name)) this.register(name, withReferences(definition) as Schema);
    }
    return withReferences(schema) as Schema;
  }
}

/** Recognises zod's name for recursive schemas, here only `z.json()`. */
function isAnyJson(name: string): boolean {
  return name.startsWith('__schema');
}

function withReferences(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withReferences);
  if (typeof value !== 'object' || value === null) return value;
  const reference = (value as Schema).$ref;
  if (typeof reference === 'string' && reference.startsWith(IN_DEFINITIONS)) {
    const name = reference.slice(IN_DEFINITIONS.length);
    const { $ref: _, ...beside } = value as Schema;
    return isAnyJson(name) ? { description: 'Any JSON', ...beside } : { ...beside, $ref: `${IN_COMPONENTS}${name}` };
  }
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, withReferences(member)]));
}

/** Allows further members, because fields may be added to what Surety sends. */
function leaveOpen({ jsonSchema: schema }: { jsonSchema: Schema }): void {
  if (schema.additionalProperties === false) delete schema.additionalProperties;
}

function simplify({ jsonSchema: schema }: { jsonSchema: Schema }): void {
  if (
    SELF_EXPLAINING.has(schema.format ?? '') ||
    OMITTED_PATTERNS.has(schema.pattern ?? '') ||
    schema.type === 'integer'
  ) {
    delete schema.pattern;
  }
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum;
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
  // The default of a union has no type in the languages of generated clients.
  if (schema.anyOf !== undefined || schema.oneOf !== undefined) delete schema.default;
  delete schema.id;
  delete schema['personal'];
}
