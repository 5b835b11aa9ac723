import { z } from 'zod';
import { FilePart, JsonPart } from './form-entries.ts';

export type JsonSchema = z.core.JSONSchema.BaseSchema;

type Members = Readonly<Record<string, unknown>>;
type Primitive = 'string' | 'integer' | 'number' | 'boolean' | 'null' | 'object' | 'array';

const INTEGER = /^-?(?:0|[1-9]\d*)$/;
const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
const INDEX = /^(?:0|[1-9]\d{0,3})$/;
const EVERY_TYPE: readonly Primitive[] = ['string', 'number', 'boolean', 'null', 'object', 'array'];

const inputSchemas = new WeakMap<z.ZodType, JsonSchema>();

/** Returns the JSON Schema of an input. Cached, because it takes milliseconds to make. */
export function inputSchemaOf(input: z.ZodType): JsonSchema {
  const cached = inputSchemas.get(input);
  if (cached !== undefined) return cached;
  const schema = z.toJSONSchema(input, { io: 'input', unrepresentable: 'any' });
  inputSchemas.set(input, schema);
  return schema;
}

/**
 * Converts the texts of a form (`nestFields`) to the types that the schema declares: numbers, booleans, and null or an
 * empty list for an empty text. Leaves other texts unchanged, so that validation reports them, and free-form values as
 * texts.
 */
export function coerceForm(value: unknown, schema: JsonSchema): unknown {
  return valueFor(value, schema, schema);
}

function valueFor(value: unknown, schema: JsonSchema, root: JsonSchema): unknown {
  if (value instanceof JsonPart) return isText(value, schema, root) ? textFor(value.text, schema, root) : value.value;
  if (value instanceof FilePart) return fileFor(value, schema, root);
  if (typeof value === 'string') return textFor(value, schema, root);
  const types = typesOf(schema, root);
  const list = types.has('array') ? entriesOf(value as Members) : undefined;
  if (list !== undefined) {
    const item = alternatives(schema, root).find(({ items }) => items !== undefined)?.items as JsonSchema | undefined;
    return list.map((entry) => valueFor(entry, item ?? {}, root));
  }
  const schemas = objectSchemas(value as Members, schema, root);
  return Object.fromEntries(
    Object.entries(value as Members).map(([name, member]) => [
      name,
      valueFor(member, memberSchema(name, schemas) ?? {}, root),
    ]),
  );
}

function textFor(text: string, schema: JsonSchema, root: JsonSchema): unknown {
  const types = typesOf(schema, root);
  const isFree = types.has('string') && (types.has('object') || types.has('array'));
  if (text === '' && types.has('null') && !isFree) return null;
  if (types.has('string')) return text;
  if (text === '' && types.has('array')) return [];
  if (types.has('boolean') && (text === 'true' || text === 'false')) return text === 'true';
  const isNumber = types.has('number') ? NUMBER.test(text) : types.has('integer') && INTEGER.test(text);
  const number = Number(text);
  return isNumber && Number.isFinite(number) ? number : text;
}

/**
 * Converts a file: to base64 where the schema declares base64; else a JSON file to its value, because browsers send
 * objects as files; else to base64 where any value is allowed. Otherwise it remains a file, which every schema rejects.
 */
function fileFor(file: FilePart, schema: JsonSchema, root: JsonSchema): unknown {
  const choices = alternatives(schema, root);
  if (choices.some(({ contentEncoding }) => contentEncoding === 'base64')) return file.base64;
  if (file.readJson !== undefined && !takesTextOnly(schema, root)) return file.readJson();
  return choices.some((choice) => declaredTypes(choice) === undefined) ? file.base64 : file;
}

function isText({ isDeclared }: JsonPart, schema: JsonSchema, root: JsonSchema): boolean {
  return takesTextOnly(schema, root) || (!isDeclared && typesOf(schema, root).has('string'));
}

function takesTextOnly(schema: JsonSchema, root: JsonSchema): boolean {
  const types = typesOf(schema, root);
  return !(types.has('object') || types.has('array'));
}

/** Returns the entries of a list that has the members `0`, `1`, …; undefined for other names. */
function entriesOf(members: Members): readonly unknown[] | undefined {
  const names = Object.keys(members);
  return names.every((name, index) => INDEX.test(name) && Number(name) === index) ? Object.values(members) : undefined;
}

function typesOf(schema: JsonSchema, root: JsonSchema): ReadonlySet<Primitive> {
  return new Set(alternatives(schema, root).flatMap((one) => declaredTypes(one) ?? EVERY_TYPE));
}

function declaredTypes({ type, const: constant, enum: values }: JsonSchema): readonly Primitive[] | undefined {
  if (type !== undefined) return Array.isArray(type) ? type : [type];
  const constants = constant === undefined ? values : [constant];
  return constants?.map((one) => (one === null ? 'null' : (typeof one as Primitive)));
}

function alternatives(schema: JsonSchema, root: JsonSchema): readonly JsonSchema[] {
  const { $ref, anyOf, oneOf, allOf } = schema;
  if ($ref !== undefined) return alternatives(resolveReference($ref, root), root);
  const choice = anyOf ?? oneOf ?? (declaredTypes(schema) === undefined ? allOf : undefined);
  return choice === undefined ? [schema] : choice.flatMap((one) => alternatives(one, root));
}

function resolveReference($ref: string, root: JsonSchema): JsonSchema {
  const name = $ref.replace(/^#\/(?:\$defs|definitions)\//, '');
  return $ref === '#' ? root : (root.$defs?.[name] ?? {});
}

/** Returns the schemas that apply to this object; of a choice, the first with matching constants. */
function objectSchemas(members: Members, schema: JsonSchema, root: JsonSchema): readonly JsonSchema[] {
  const { $ref, anyOf, oneOf, allOf } = schema;
  if ($ref !== undefined) return objectSchemas(members, resolveReference($ref, root), root);
  const choices = (anyOf ?? oneOf ?? []).filter((one) => typesOf(one, root).has('object'));
  const chosen = choices.find((one) => constantsMatch(members, one, root)) ?? choices[0];
  const parts = [...(allOf ?? []), ...(chosen === undefined ? [] : [chosen])];
  return [schema, ...parts.flatMap((one) => objectSchemas(members, one, root))];
}

/** Returns whether the object has no value that differs from a constant of the schema, at any depth. */
function constantsMatch(value: unknown, schema: JsonSchema, root: JsonSchema): boolean {
  if (value instanceof JsonPart)
    return constantsMatch(isText(value, schema, root) ? value.text : value.value, schema, root);
  if (schema.$ref !== undefined) return constantsMatch(value, resolveReference(schema.$ref, root), root);
  const { const: constant, enum: values, anyOf, oneOf, allOf, properties } = schema;
  if (typeof value === 'string') {
    const constants = constant === undefined ? values : [constant];
    return constants === undefined || constants.some((one) => String(one) === value);
  }
  if (typeof value !== 'object' || value === null) return true;
  const choice = anyOf ?? oneOf;
  if (choice !== undefined && !choice.some((one) => constantsMatch(value, one, root))) return false;
  if ((allOf ?? []).some((one) => !constantsMatch(value, one, root))) return false;
  return Object.entries(properties ?? {}).every(
    ([name, member]) =>
      !Object.hasOwn(value, name) || constantsMatch((value as Members)[name], member as JsonSchema, root),
  );
}

function memberSchema(name: string, schemas: readonly JsonSchema[]): JsonSchema | undefined {
  const named = schemas.find(({ properties }) => properties !== undefined && Object.hasOwn(properties, name));
  if (named !== undefined) return named.properties?.[name] as JsonSchema;
  for (const { patternProperties } of schemas) {
    const pattern = Object.keys(patternProperties ?? {}).find((one) => new RegExp(one, 'u').test(name));
    if (pattern !== undefined) return patternProperties?.[pattern] as JsonSchema;
  }
  const others = schemas.find(({ additionalProperties }) => typeof additionalProperties === 'object');
  return others?.additionalProperties as JsonSchema | undefined;
}
