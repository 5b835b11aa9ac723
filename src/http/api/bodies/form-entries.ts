import { parse } from 'qs';
import { wrongField } from '#domain/refusals.ts';
import { checkJsonText, type JsonLimits, type JsonSize, requireMembers } from './json-text.ts';
import { Refusal } from '../messages/problem-types.ts';

export class FilePart {
  readonly #bytes: Uint8Array;
  /** Without folders; undefined for a part of type `application/octet-stream` without a file name. */
  readonly fileName: string | undefined;
  /** Parses a file of type `application/json`; undefined for other types. @throws {Refusal} */
  readonly readJson: (() => unknown) | undefined;

  constructor(bytes: Uint8Array, fileName?: string, readJson?: () => unknown) {
    this.#bytes = bytes;
    this.fileName = fileName;
    this.readJson = readJson;
  }

  /** Whether it has neither a name nor a content: so browsers send an input without a file. */
  get isNoFile(): boolean {
    return (this.fileName ?? '') === '' && this.#bytes.length === 0;
  }

  /** The content as base64 (RFC 4648, with padding). */
  get base64(): string {
    return Buffer.from(this.#bytes.buffer, this.#bytes.byteOffset, this.#bytes.byteLength).toString('base64');
  }
}

/** Field of a form with a text that may be JSON: JSON where the schema declares an object or a list, else a text. */
export class JsonPart {
  /** Whether the client declared it as JSON. Otherwise it is a text where the schema allows one. */
  readonly isDeclared: boolean;
  readonly #text: string;
  readonly #parse: () => unknown;
  #value: { readonly parsed: unknown } | undefined;

  constructor(text: string, parse: () => unknown, isDeclared: boolean) {
    this.#text = text;
    this.#parse = parse;
    this.isDeclared = isDeclared;
  }

  get text(): string {
    return this.#text;
  }

  get value(): unknown {
    this.#value ??= { parsed: this.#parse() };
    return this.#value.parsed;
  }
}

const decoder = new TextDecoder('utf-8', { fatal: true });
const OBJECT_OR_LIST = /^[ \t\r\n]*[{[]/;

/** Reads the JSON in the fields of one form. The limits of a JSON body apply to all of them together. */
export class JsonParts {
  readonly #limits: JsonLimits;
  #size: JsonSize = { structuralCharacters: 0, members: 0 };

  constructor(limits: JsonLimits) {
    this.#limits = limits;
  }

  /** Adds the members that the names of the fields make. @throws {Refusal} `malformed_body` above the limit */
  addMembers(count: number): void {
    this.#size = { ...this.#size, members: this.#size.members + count };
    requireMembers(this.#size.members, this.#limits);
  }

  /** Returns a text that may be an object or a list as undeclared JSON, and any other text as it is. */
  fieldOf(name: string, text: string): string | JsonPart {
    return OBJECT_OR_LIST.test(text) ? this.#partOf(name, text, false) : text;
  }

  partOf(name: string, text: string): JsonPart {
    return this.#partOf(name, text, true);
  }

  /**
   * @throws {Refusal} `invalid_request` naming the field, or a member that is given twice; `malformed_body` above the
   * limits of JSON
   */
  parse(name: string, bytes: Uint8Array): unknown {
    const field = name.slice(0, MAX_NAME_LENGTH) || 'body';
    if (/[[\]]/.test(name)) throw wrongField(field, 'must have no brackets in its name, because it is JSON as a whole');
    this.#size = checkJsonText(bytes, { before: this.#size, path: [field], limits: this.#limits });
    try {
      return JSON.parse(decoder.decode(bytes));
    } catch {
      throw wrongField(field, 'is not JSON in UTF-8');
    }
  }

  #partOf(name: string, text: string, isDeclared: boolean): JsonPart {
    return new JsonPart(text, () => this.parse(name, Buffer.from(text)), isDeclared);
  }
}

export interface FormEntry {
  readonly name: string;
  readonly value: string | FilePart | JsonPart;
}

const DOCUMENT_FIELD = /^documents\[(\d{1,4})\]/;

/**
 * Replaces each file `documents` by the fields of a document after those that are given by their fields: its file name,
 * no evidence type, and its content. A file that is a member of a document, such as `documents[0][blob]`, stays.
 */
export function withDocuments(entries: readonly FormEntry[]): readonly FormEntry[] {
  let next = 1 + Math.max(-1, ...entries.map(({ name }) => Number(DOCUMENT_FIELD.exec(name)?.[1] ?? -1)));
  return entries.flatMap(({ name, value }) => {
    if (name !== 'documents' || !(value instanceof FilePart)) return [{ name, value }];
    if (value.isNoFile) return [];
    if (value.fileName === undefined) return [{ name, value }];
    const document = `documents[${next++}]`;
    return [
      { name: `${document}[document_name]`, value: value.fileName },
      { name: `${document}[evidence_type]`, value: '' },
      { name: `${document}[blob]`, value },
    ];
  });
}

/** Maximum number of fields in a form: more than any command needs, few enough to parse in milliseconds. */
export const MAX_FIELDS = 2_000;
const MAX_DEPTH = 16;
/** Length to which error messages truncate names. */
const MAX_NAME_LENGTH = 200;
const NAME = /^[^[\]]+(?:\[[^[\]]*\])*$/;

/**
 * Converts the fields of a form to a nested object by their names: `a[b]` is member `b` of `a`, `a[0]` its entry 0, and
 * `a[]` its next entry. Lists become objects with the members `0`, `1`, …, because only the schema distinguishes them.
 * Rejects names that the parser would drop, merge or rename.
 * @param json the JSON in the fields, whose members count too
 * @throws {Refusal} `invalid_request`, `malformed_body`
 */
export function nestFields(entries: readonly FormEntry[], json?: JsonParts): Readonly<Record<string, unknown>> {
  if (entries.length > MAX_FIELDS) throw wrongField('body', `has more than ${MAX_FIELDS} fields`);
  const fields = new Map<string, FormEntry['value']>();
  const containers = new Set<string>();
  const lengths = new Map<string, number>();
  for (const { name, value } of entries) {
    const path = pathOf(name);
    if (path.at(-1) === '') path[path.length - 1] = nextIndex(lengths, name);
    const fullName = bracketName(path);
    if (fields.has(fullName)) throw wrongField(dotPath(path), 'must be given once');
    fields.set(fullName, value);
    for (let depth = 1; depth < path.length; depth++) containers.add(bracketName(path.slice(0, depth)));
  }
  json?.addMembers(fields.size + containers.size);
  for (const name of fields.keys()) {
    if (containers.has(name))
      throw wrongField(dotPath(pathOf(name)), 'must be either a value or have members, not both');
  }
  const flat = Object.assign(Object.create(null), Object.fromEntries(fields)) as Record<string, string>;
  return parse(flat, {
    depth: MAX_DEPTH,
    strictDepth: true,
    parseArrays: false,
    plainObjects: true,
    allowSparse: true,
  });
}

/** Returns the segments of a name; the last one is empty for `a[]`. @throws {Refusal} `invalid_request` */
function pathOf(name: string): string[] {
  const shortName = name.slice(0, MAX_NAME_LENGTH) || 'body';
  // Checked first, so that the following checks never process millions of brackets.
  if (name.split('[', MAX_DEPTH + 1).length > MAX_DEPTH) throw wrongField(shortName, 'is nested too deeply');
  if (!NAME.test(name)) throw wrongField(shortName, 'must be a name like a, a[b], a[0] or a[]');
  const path = name.replaceAll(']', '').split('[');
  if (path.slice(0, -1).includes(''))
    throw wrongField(shortName, 'must number the entries of a list of objects: a[0][b]');
  if (path.includes('__proto__')) throw wrongField(shortName, 'is not a name that can be used');
  return path;
}

function nextIndex(lengths: Map<string, number>, name: string): string {
  const next = lengths.get(name) ?? 0;
  lengths.set(name, next + 1);
  return String(next);
}

function bracketName([first = '', ...rest]: readonly string[]): string {
  return first + rest.map((segment) => `[${segment}]`).join('');
}

function dotPath(path: readonly string[]): string {
  return path.join('.').slice(0, MAX_NAME_LENGTH);
}

const [PLUS, SPACE] = [0x2b, 0x20];

/**
 * Reads the fields of an `application/x-www-form-urlencoded` body (WHATWG URL, 5.1), but rejects invalid
 * percent-encoding and UTF-8 instead of replacing them. Stops after one field more than `nestFields` accepts.
 * @throws {Refusal} `malformed_body`
 */
export function urlencodedEntries(bytes: Uint8Array, json: JsonParts): readonly FormEntry[] {
  const entries: FormEntry[] = [];
  for (const [field] of textOf(bytes).matchAll(/[^&]+/g)) {
    const at = field.indexOf('=');
    const [name, value] = at === -1 ? [field, ''] : [field.slice(0, at), field.slice(at + 1)];
    const fieldName = decodePercent(name);
    if (entries.push({ name: fieldName, value: json.fieldOf(fieldName, decodePercent(value)) }) > MAX_FIELDS) break;
  }
  return entries;
}

/** Decodes the body with spaces instead of plus signs, which are replaced in the bytes because that is faster. */
function textOf(bytes: Uint8Array): string {
  const spaced = new Uint8Array(bytes);
  for (let at = 0; at < spaced.length; at++) if (spaced[at] === PLUS) spaced[at] = SPACE;
  try {
    return decoder.decode(spaced);
  } catch {
    throw new Refusal('malformed_body', 'The body is not a form in UTF-8');
  }
}

function decodePercent(text: string): string {
  if (!text.includes('%')) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    throw new Refusal('malformed_body', 'The form is not validly percent-encoded UTF-8');
  }
}
