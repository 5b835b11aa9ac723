import { z } from 'zod';

/** A JSON Schema (2020-12), as OpenAPI 3.1 has them. */
export type Schema = z.core.JSONSchema.BaseSchema;

const IN_COMPONENTS = '#/components/schemas/';
const IN_DEFINITIONS = '#/$defs/';

/** The texts of these rules tell a reader nothing that the format does not; the introduction tells of control characters. */
const NOISE = new Set(['^[^\\p{Cc}\\p{Cs}]*$', '^(?:[^\\p{Cc}\\p{Cs}]|[\\n\\r\\t])*$']);
const SELF_EXPLAINING = new Set(['uuid', 'date', 'date-time', 'email']);

/** Makes JSON Schemas of the schemas that validate; what has an id (`.meta({ id })`) becomes a component and is written once. */
export class Components {
  readonly schemas: Record<string, Schema> = {};

  /** What a client sends. */
  sent(schema: z.ZodType): Schema {
    return this.#taken(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any', override: tidy }));
  }

  /** What a client gets. */
  got(schema: z.ZodType): Schema {
    return this.#taken(z.toJSONSchema(schema, { io: 'output', unrepresentable: 'any', override: tidy }));
  }

  /** The schema under a name of its own; returns a reference to it. */
  named(name: string, schema: Schema): Schema {
    const present = this.schemas[name];
    if (present !== undefined && JSON.stringify(present) !== JSON.stringify(schema)) {
      throw new Error(`two schemas of the reference are called ${name}`);
    }
    this.schemas[name] = schema;
    return { $ref: `${IN_COMPONENTS}${name}` };
  }

  #taken(made: Schema): Schema {
    const { $schema: _, $defs = {}, ...schema } = made;
    for (const [name, definition] of Object.entries($defs)) {
      if (!isAnyJson(name)) this.named(name, withReferences(definition) as Schema);
    }
    return withReferences(schema) as Schema;
  }
}

/** Zod names what refers to itself so; here that is only `z.json()`. */
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

/** Leaves out what only machines could want to read. */
function tidy({ jsonSchema: schema }: { jsonSchema: Schema }): void {
  if (SELF_EXPLAINING.has(schema.format ?? '') || NOISE.has(schema.pattern ?? '') || schema.type === 'integer') {
    delete schema.pattern;
  }
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum;
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
  delete schema.id;
  delete schema['personal'];
}
