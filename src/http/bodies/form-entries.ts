import { parse } from 'qs';
import { wrongField } from '../../domain/refusals.ts';

/** A file of a multipart body, kept in memory. What it is called there counts for nothing. */
export class FilePart {
  readonly #bytes: Uint8Array;
  /** Reads a file of type `application/json`; undefined for other types. @throws {Refusal} */
  readonly readJson: (() => unknown) | undefined;

  constructor(bytes: Uint8Array, readJson?: () => unknown) {
    this.#bytes = bytes;
    this.readJson = readJson;
  }

  /** The content as base64 (RFC 4648, with padding). */
  get base64(): string {
    return Buffer.from(this.#bytes.buffer, this.#bytes.byteOffset, this.#bytes.byteLength).toString('base64');
  }
}

/** A part of a multipart body of type `application/json`: JSON where the schema declares an object or a list, elsewhere a text. */
export class JsonPart {
  readonly #text: string;
  readonly #read: () => unknown;
  #value: { readonly read: unknown } | undefined;

  constructor(text: string, read: () => unknown) {
    this.#text = text;
    this.#read = read;
  }

  get text(): string {
    return this.#text;
  }

  /** The value of the JSON text. @throws {Refusal} when it is none */
  get value(): unknown {
    this.#value ??= { read: this.#read() };
    return this.#value.read;
  }
}

/** One field of a form, in the order in which it was sent. */
export interface FormEntry {
  readonly name: string;
  readonly value: string | FilePart | JsonPart;
}

/** Fields of one form: more than any command has, few enough to be dealt with in milliseconds. */
export const MOST_FIELDS = 2_000;
/** Brackets in one name. */
const DEEPEST = 16;
/** Characters of a name that errors show. */
export const LONGEST_NAME = 200;
const NAME = /^[^[\]]+(?:\[[^[\]]*\])*$/;

/**
 * The fields of a form as the object that their names describe: `a[b]` is member `b` of `a`, `a[0]` entry 0, and `a[]` the next
 * entry of `a`. Lists are objects with the members `0`, `1`, … here: only a schema tells them from objects. Whatever the
 * parser would drop, join or rename is refused instead.
 * @throws {Refusal} `invalid_request`
 */
export function nested(entries: readonly FormEntry[]): Readonly<Record<string, unknown>> {
  if (entries.length > MOST_FIELDS) throw wrongField('body', `has more than ${MOST_FIELDS} fields`);
  const fields = new Map<string, FormEntry['value']>();
  const containers = new Set<string>();
  const lengths = new Map<string, number>();
  for (const { name, value } of entries) {
    const path = pathOf(name);
    if (path.at(-1) === '') path[path.length - 1] = nextIndex(lengths, name);
    const whole = bracketed(path);
    if (fields.has(whole)) throw wrongField(dotted(path), 'must be given once');
    fields.set(whole, value);
    for (let depth = 1; depth < path.length; depth++) containers.add(bracketed(path.slice(0, depth)));
  }
  for (const name of fields.keys()) {
    if (containers.has(name))
      throw wrongField(dotted(pathOf(name)), 'must be either a value or have members, not both');
  }
  const flat = Object.assign(Object.create(null), Object.fromEntries(fields)) as Record<string, string>;
  return parse(flat, {
    depth: DEEPEST,
    strictDepth: true,
    parseArrays: false,
    plainObjects: true,
    allowSparse: true,
  });
}

/** The segments of a name; the last one is empty for `a[]`. @throws {Refusal} `invalid_request` */
function pathOf(name: string): string[] {
  const shown = name.slice(0, LONGEST_NAME) || 'body';
  // First, so that what follows never works on millions of brackets.
  if (name.split('[', DEEPEST + 1).length > DEEPEST) throw wrongField(shown, 'is nested too deeply');
  if (!NAME.test(name)) throw wrongField(shown, 'must be a name like a, a[b], a[0] or a[]');
  const path = name.replaceAll(']', '').split('[');
  if (path.slice(0, -1).includes('')) throw wrongField(shown, 'must number the entries of a list of objects: a[0][b]');
  if (path.includes('__proto__')) throw wrongField(shown, 'is not a name that can be used');
  return path;
}

function nextIndex(lengths: Map<string, number>, name: string): string {
  const next = lengths.get(name) ?? 0;
  lengths.set(name, next + 1);
  return String(next);
}

function bracketed([first = '', ...rest]: readonly string[]): string {
  return first + rest.map((segment) => `[${segment}]`).join('');
}

function dotted(path: readonly string[]): string {
  return path.join('.').slice(0, LONGEST_NAME);
}
