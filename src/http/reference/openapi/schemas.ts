import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import type { Json } from './page.ts';

export type Schema = z.core.JSONSchema.BaseSchema;

const IN_COMPONENTS = '#/components/schemas/';
const IN_DEFINITIONS = '#/$defs/';

/** Patterns that are omitted: docs/api.md documents control characters, and formats are self-explanatory. */
const OMITTED_PATTERNS = new Set(['^[^\\p{Cc}\\p{Cs}]*$', '^(?:[^\\p{Cc}\\p{Cs}]|[\\n\\r\\t])*$']);
const SELF_EXPLAINING = new Set(['uuid', 'date', 'date-time', 'email']);

/** Converts zod schemas to JSON Schemas. Schemas with an id (`.meta({ id })`) become components. */
export class Components {
  readonly schemas: Record<string, Schema> = {};

  input(schema: z.ZodType): Schema {
    return this.#extractComponents(
      z.toJSONSchema(schema, {
        io: 'input',
        unrepresentable: 'any',
        override: (context) => {
          simplify(context);
          describeDefault(context);
        },
      }),
    );
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

/**
 * States a default in the description: `openapi-typescript` requires members with a default, and that of a union has no
 * type in Go and Java.
 */
function describeDefault({ jsonSchema: schema }: { jsonSchema: Schema }): void {
  if (schema.default === undefined) return;
  const text = `Default: ${JSON.stringify(schema.default)}`;
  schema.description = schema.description === undefined ? text : `${schema.description}. ${text}`;
  delete schema.default;
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
  delete schema.id;
  delete schema['personal'];
}

type Members = Readonly<Record<string, Schema>>;

/**
 * Returns the schema of a form whose documents are files, from the schema of the body in JSON. The page of the
 * reference fills a form with the examples of its single fields, and a day without an example with the present day.
 */
export function formSchema(schema: Schema, example: Json = {}): Schema {
  const { documents, ...others } = schema.properties as Members;
  const { minItems, maxItems } = documents ?? {};
  const files: Schema = {
    type: 'array',
    description: 'Files; the name of each becomes its `document_name`',
    items: { type: 'string', format: 'binary' },
    // Where no file is needed, the page of the reference begins with none.
    ...(minItems === undefined ? { examples: [[]] } : { minItems }),
    ...(maxItems === undefined ? {} : { maxItems }),
  };
  const fields = withExamples({ ...schema, properties: others }, example);
  return { ...fields, properties: { ...fields.properties, documents: files } };
}

function withExamples(schema: Schema, example: Json): Schema {
  if (typeof example !== 'object' || example === null) return { ...schema, examples: [example] };
  const values = example as Readonly<Record<string, Json>>;
  const properties = Object.entries((schema.properties ?? {}) as Members).map(([name, member]) => {
    const value = values[name];
    return [name, value === undefined ? member : withExamples(member, value)] as const;
  });
  return { ...schema, properties: Object.fromEntries(properties) };
}
