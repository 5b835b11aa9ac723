import type { SuretyClient } from '../../../clients/typescript/src/index.ts';

/** What the console reads of a JSON schema of the API document. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly const?: unknown;
  readonly enum?: readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly description?: string;
  readonly title?: string;
  readonly maxLength?: number;
  readonly maxItems?: number;
  readonly minItems?: number;
  readonly contentEncoding?: string;
  readonly examples?: readonly unknown[];
}

interface Operation {
  readonly operationId?: string;
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> };
}

interface ApiDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

let loaded: Promise<ApiDocument> | undefined;

/** Returns the schema of the body of an operation; the API document is read once a page. @throws {SuretyError} */
export async function bodySchemaOf(client: SuretyClient, operationId: string): Promise<Schema> {
  loaded ??= client.apiDocument() as Promise<ApiDocument>;
  try {
    const document = await loaded;
    const operations = Object.values(document.paths).flatMap((path) => Object.values(path));
    const operation = operations.find((one) => one.operationId === operationId);
    const schema = operation?.requestBody?.content['application/json']?.schema ?? {};
    return withoutReferences(schema, document);
  } catch (error) {
    loaded = undefined;
    throw error;
  }
}

function withoutReferences(schema: Schema, document: ApiDocument): Schema {
  const name = schema.$ref?.split('/').at(-1);
  return name === undefined ? schema : (document.components.schemas[name] ?? {});
}

/** A value of a form: texts as they are typed, and what was given to the form. */
export type Value = unknown;
export type Values = Readonly<Record<string, Value>>;

/** A value that a person chooses by its label. */
export interface Choice {
  readonly value: string;
  readonly label: string;
}

export function isObject(value: unknown): value is Values {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns the schema by which a field is filled: the first of those of a value that may also be null or a text. */
export function plainSchema(schema: Schema): Schema {
  const { anyOf, ...rest } = schema;
  if (anyOf === undefined) return schema;
  const choices = anyOf.filter(({ type }) => type !== 'null');
  const [first = {}] = choices;
  // A number that may be a text is typed as one; `toBody` makes a number of it where the text is one.
  return { ...first, ...rest };
}

function isNullable({ anyOf = [] }: Schema): boolean {
  return anyOf.some(({ type }) => type === 'null');
}

/** Returns the name of the member by which the choices of a `oneOf` are distinguished. */
export function tagOf([first]: readonly Schema[]): string {
  const members = Object.entries(first?.properties ?? {});
  return members.find(([, member]) => member.const !== undefined)?.[0] ?? '';
}

/** Returns the values of that member in a choice. */
export function tagValuesOf({ properties = {} }: Schema, tag: string): readonly string[] {
  const { const: only, enum: some = [] } = properties[tag] ?? {};
  return typeof only === 'string' ? [only] : some;
}

/** Returns the choice of a `oneOf` that a value is of. */
export function choiceOf(choices: readonly Schema[], value: Value): Schema | undefined {
  const tag = tagOf(choices);
  const chosen = isObject(value) ? value[tag] : undefined;
  return choices.find((choice) => tagValuesOf(choice, tag).some((one) => one === chosen));
}

/**
 * Returns the value that is sent for what a form holds: nothing for a field that is empty, null for one that was not
 * empty when the form was opened and may be cleared.
 */
export function toBody(schema: Schema, value: Value, before?: Value): Value {
  const plain = plainSchema(schema);
  if (plain.oneOf !== undefined) {
    const choice = choiceOf(plain.oneOf, value);
    return choice === undefined ? undefined : toBody(choice, value, before);
  }
  if (plain.properties !== undefined) {
    const isCleared = isNullable(schema) && objectBody(plain, before, undefined) !== undefined;
    return objectBody(plain, value, before) ?? (isCleared ? null : undefined);
  }
  if (Array.isArray(value)) {
    const { items = {} } = plain;
    return (value as Value[]).map((item) => toBody(items, item)).filter((item) => item !== undefined);
  }
  if (value === '' || value === undefined || value === null)
    return isNullable(schema) && typeof before === 'string' && before !== '' ? null : undefined;
  if (typeof value !== 'string') return value;
  const text = withoutSeparators(value.trim(), schema);
  if (text === '') return undefined;
  if (plain.type === 'integer' || plain.type === 'number') return /^\d{1,15}$/.test(text) ? Number(text) : text;
  if (plain.format === 'date-time') return instantOf(text);
  if (plain.type === 'object') return objectOfLines(text) ?? jsonOf(text);
  return isAnyJson(plain) ? jsonOf(text) : text;
}

/** Returns an amount without the separators of its thousands, as the console itself shows it: `1,250.00`. */
function withoutSeparators(text: string, { type, anyOf = [] }: Schema): string {
  const isNumber = [type, anyOf.map((one) => one.type)].flat(2).some((one) => one === 'number' || one === 'integer');
  return isNumber && /^-?\d{1,3}(,\d{3})+(\.\d+)?$/.test(text) ? text.replaceAll(',', '') : text;
}

function objectBody({ properties = {} }: Schema, value: Value, before: Value): Values | undefined {
  const values = isObject(value) ? value : {};
  const was = isObject(before) ? before : {};
  const members = Object.entries(properties).flatMap(([name, member]): [string, Value][] => {
    const body = toBody(member, values[name], was[name]);
    return body === undefined ? [] : [[name, body]];
  });
  return members.length === 0 ? undefined : Object.fromEntries(members);
}

/** Whether a value may be any JSON, or an object of any members. */
export function isAnyJson({ type, enum: values }: Schema): boolean {
  return (type === undefined && values === undefined) || type === 'object';
}

/** Returns the instant of a day and a time in UTC, as a field of the browser has it. */
function instantOf(text: string): string {
  return /^\d{4}-\d\d-\d\dT\d\d:\d\d$/.test(text) ? `${text}:00.000Z` : text;
}

/** Returns the object of lines of names and values, `make: Samsung`; undefined where a line is something else. */
function objectOfLines(text: string): Values | undefined {
  const lines = text.split('\n').map((line) => /^\s*([^:"{}]+?)\s*:\s*(.*\S)\s*$/.exec(line));
  const pairs = lines.flatMap((line) => (line === null ? [] : [[line[1] ?? '', line[2]] as const]));
  return pairs.length === lines.length ? Object.fromEntries(pairs) : undefined;
}

/** Returns the JSON of a text; the text itself where it is none. */
export function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
