import { z } from 'zod';
import { FilePart, JsonPart } from './form-entries.ts';

/** A JSON Schema as `z.toJSONSchema` makes it, of what goes in. */
export type JsonSchema = z.core.JSONSchema.BaseSchema;

type Members = Readonly<Record<string, unknown>>;
type Primitive = 'string' | 'integer' | 'number' | 'boolean' | 'null' | 'object' | 'array';

const INTEGER = /^-?(?:0|[1-9]\d*)$/;
const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
const INDEX = /^(?:0|[1-9]\d{0,3})$/;
const EVERY_TYPE: readonly Primitive[] = ['string', 'number', 'boolean', 'null', 'object', 'array'];

const inputSchemas = new WeakMap<z.ZodType, JsonSchema>();

/** Returns the JSON Schema of what a body may be. It is made once for each input: that takes milliseconds. */
export function inputSchemaOf(input: z.ZodType): JsonSchema {
  const known = inputSchemas.get(input);
  if (known !== undefined) return known;
  const schema = z.toJSONSchema(input, { io: 'input', unrepresentable: 'any' });
  inputSchemas.set(input, schema);
  return schema;
}

/**
 * The fields of a form (`nested`) with their texts made what the schema declares, where they say exactly that: a number, `true`,
 * an empty text where null may stand. Whatever does not fit stays as it is, for the schema to judge. Free-form values stay
 * texts.
 */
export function coerced(value: unknown, schema: JsonSchema): unknown {
  return valueFor(value, schema, schema);
}

function valueFor(value: unknown, schema: JsonSchema, root: JsonSchema): unknown {
  if (value instanceof JsonPart) return takesTextOnly(schema, root) ? textFor(value.text, schema, root) : value.value;
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
  if (types.has('boolean') && (text === 'true' || text === 'false')) return text === 'true';
  const isNumber = types.has('number') ? NUMBER.test(text) : types.has('integer') && INTEGER.test(text);
  const number = Number(text);
  return isNumber && Number.isFinite(number) ? number : text;
}

/**
 * A file is the base64 of its content where the schema declares base64. Elsewhere a JSON file is its value, as browsers send objects
 * as files; another file is base64 where any value may stand, else it stays a file, which no schema takes.
 */
function fileFor(file: FilePart, schema: JsonSchema, root: JsonSchema): unknown {
  const choices = alternatives(schema, root);
  if (choices.some(({ contentEncoding }) => contentEncoding === 'base64')) return file.base64;
  if (file.readJson !== undefined && !takesTextOnly(schema, root)) return file.readJson();
  return choices.some((one) => typesStated(one) === undefined) ? file.base64 : file;
}

/**
 * Whether a JSON part is a text like any other part here: also where any value may stand, as it was before JSON parts were read, so that
 * a request with an idempotency key has the same fingerprint as then.
 */
function takesTextOnly(schema: JsonSchema, root: JsonSchema): boolean {
  const types = typesOf(schema, root);
  return types.has('string') || !(types.has('object') || types.has('array'));
}

/** The entries of a list that came as members `0`, `1`, …; undefined when the names are others. */
function entriesOf(members: Members): readonly unknown[] | undefined {
  const names = Object.keys(members);
  return names.every((name, place) => INDEX.test(name) && Number(name) === place) ? Object.values(members) : undefined;
}

/** What a value may be, with `anyOf`, `oneOf`, `allOf` and `$ref` looked through. */
function typesOf(schema: JsonSchema, root: JsonSchema): ReadonlySet<Primitive> {
  return new Set(alternatives(schema, root).flatMap((one) => typesStated(one) ?? EVERY_TYPE));
}

/** What one schema says by itself; undefined when it says nothing. */
function typesStated({ type, const: constant, enum: values }: JsonSchema): readonly Primitive[] | undefined {
  if (type !== undefined) return Array.isArray(type) ? type : [type];
  const told = constant === undefined ? values : [constant];
  return told?.map((one) => (one === null ? 'null' : (typeof one as Primitive)));
}

/** The schemas of which a value must fit one, none of them a choice or a reference itself. */
function alternatives(schema: JsonSchema, root: JsonSchema): readonly JsonSchema[] {
  const { $ref, anyOf, oneOf, allOf } = schema;
  if ($ref !== undefined) return alternatives(referred($ref, root), root);
  const choice = anyOf ?? oneOf ?? (typesStated(schema) === undefined ? allOf : undefined);
  return choice === undefined ? [schema] : choice.flatMap((one) => alternatives(one, root));
}

function referred($ref: string, root: JsonSchema): JsonSchema {
  const name = $ref.replace(/^#\/(?:\$defs|definitions)\//, '');
  return $ref === '#' ? root : (root.$defs?.[name] ?? {});
}

/** The schemas whose members count for this object: of a choice the first that its constants fit. */
function objectSchemas(members: Members, schema: JsonSchema, root: JsonSchema): readonly JsonSchema[] {
  const { $ref, anyOf, oneOf, allOf } = schema;
  if ($ref !== undefined) return objectSchemas(members, referred($ref, root), root);
  const choices = (anyOf ?? oneOf ?? []).filter((one) => typesOf(one, root).has('object'));
  const chosen = choices.find((one) => constantsFit(members, one, root)) ?? choices[0];
  const parts = [...(allOf ?? []), ...(chosen === undefined ? [] : [chosen])];
  return [schema, ...parts.flatMap((one) => objectSchemas(members, one, root))];
}

/** Whether no constant that the schema demands, however deep, is another one in the object. */
function constantsFit(value: unknown, schema: JsonSchema, root: JsonSchema): boolean {
  if (value instanceof JsonPart)
    return constantsFit(takesTextOnly(schema, root) ? value.text : value.value, schema, root);
  if (schema.$ref !== undefined) return constantsFit(value, referred(schema.$ref, root), root);
  const { const: constant, enum: values, anyOf, oneOf, allOf, properties } = schema;
  if (typeof value === 'string') {
    const told = constant === undefined ? values : [constant];
    return told === undefined || told.some((one) => String(one) === value);
  }
  if (typeof value !== 'object' || value === null) return true;
  const choice = anyOf ?? oneOf;
  if (choice !== undefined && !choice.some((one) => constantsFit(value, one, root))) return false;
  if ((allOf ?? []).some((one) => !constantsFit(value, one, root))) return false;
  return Object.entries(properties ?? {}).every(
    ([name, member]) =>
      !Object.hasOwn(value, name) || constantsFit((value as Members)[name], member as JsonSchema, root),
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
