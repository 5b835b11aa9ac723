import type { Schema } from './schemas.ts';

/**
 * Returns the rows of a table of all fields of an object, those of inner objects included: the path, the type, and the
 * notes.
 * @param notes each returns a note on the schema of a field
 */
export function fieldRows(schema: Schema, ...notes: readonly NoteOf[]): readonly string[][] {
  return rowsOf(schema, '', notes);
}

type NoteOf = (member: Schema) => string;

function rowsOf(schema: Schema, path: string, notes: readonly NoteOf[]): readonly string[][] {
  const { properties = {}, required = [] } = schema as { properties?: Record<string, Schema>; required?: string[] };
  return Object.entries(properties).flatMap(([name, member]) => {
    const field = path === '' ? name : `${path}.${name}`;
    const optional = required.includes(name) ? '' : ', may be absent';
    const inner = innerObject(member);
    return [
      [`\`${field}\``, typeOf(member) + optional, ...notes.map((noteOf) => noteOf(member))],
      ...(inner === undefined ? [] : rowsOf(inner, typeOf(member).startsWith('list') ? `${field}[]` : field, notes)),
    ];
  });
}

function innerObject(schema: Schema): Schema | undefined {
  if (schema.properties !== undefined) return schema;
  if (typeof schema.items === 'object' && !Array.isArray(schema.items)) return innerObject(schema.items);
  return schema.anyOf?.map((branch) => innerObject(branch)).find((inner) => inner !== undefined);
}

function typeOf(schema: Schema): string {
  if (schema.$ref !== undefined) return 'any JSON';
  if (schema.anyOf !== undefined) return [...new Set(schema.anyOf.map((branch) => typeOf(branch)))].join(' or ');
  if (schema.enum !== undefined) return schema.enum.map((value) => `\`${String(value)}\``).join(', ');
  if (schema.const !== undefined) return `\`${String(schema.const)}\``;
  if (schema.type === 'array') return `list of ${typeOf((schema.items ?? {}) as Schema)}`;
  if (schema.format !== undefined) return schema.format;
  if (schema.pattern?.includes('\\.\\d{2}$') === true) return 'money';
  const types = [schema.type ?? 'any JSON'].flat() as readonly string[];
  return types.join(' or ');
}

/** Returns the description of a field; of a field that may be null, that of its other values. */
export function descriptionOf(schema: Schema): string {
  return schema.description ?? schema.anyOf?.map((branch) => descriptionOf(branch)).find((text) => text !== '') ?? '';
}
