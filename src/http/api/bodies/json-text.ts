import { fieldName } from '#event-sourcing/executor/json-object.ts';
import { wrongField } from '#domain/refusals.ts';
import { Refusal } from '../messages/problem-types.ts';

export interface JsonLimits {
  /** Maximum number of structural characters (RFC 8259, section 2): `{ } [ ] : ,` outside strings. */
  readonly structuralCharacters: number;
  /** Maximum number of members of all objects together. Elements of arrays are no members. */
  readonly members: number;
  readonly depth: number;
}

export const JSON_LIMITS: JsonLimits = { structuralCharacters: 100_000, members: 10_000, depth: 64 };

/** What the texts of one body have so far. */
export type JsonSize = Omit<JsonLimits, 'depth'>;

interface JsonTextOptions {
  readonly before?: JsonSize;
  readonly path?: readonly string[];
  readonly limits?: JsonLimits;
}

const NO_TEXT: JsonSize = { structuralCharacters: 0, members: 0 };

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN_OBJECT = 0x7b;
const OPEN_ARRAY = 0x5b;

interface Container {
  readonly isObject: boolean;
  /** Names of the members so far; undefined without one. */
  names: Set<string> | undefined;
  member: string | number;
}

/**
 * Checks JSON text before it is parsed: its size, because time and memory of parsing and validation grow with the
 * number of values, and most with that of members, up to a hundred times the size of the text; and the names of
 * members, because a parser keeps the last of two members with the same name and readers before it may have taken the
 * first. Reads each byte once and stops at a limit. Text that is not JSON may pass.
 * @returns the size, `before` included
 * @throws {Refusal} `malformed_body` above a limit; `invalid_request` naming a member that is given twice
 */
export function checkJsonText(
  bytes: Uint8Array,
  { before, path = [], limits = JSON_LIMITS }: JsonTextOptions = {},
): JsonSize {
  let { structuralCharacters, members } = before ?? NO_TEXT;
  const containers: Container[] = [];
  let isName = false;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at];
    switch (byte) {
      case QUOTE: {
        const start = at;
        let hasEscape = false;
        for (at++; at < bytes.length && bytes[at] !== QUOTE; at++) {
          if (bytes[at] !== BACKSLASH) continue;
          hasEscape = true;
          at++;
        }
        if (isName) {
          requireMembers(++members, limits);
          addName(stringOf(bytes, start, at, hasEscape), containers, path);
        }
        isName = false;
        continue;
      }
      case OPEN_OBJECT:
      case OPEN_ARRAY:
        isName = byte === OPEN_OBJECT;
        containers.push({ isObject: isName, names: undefined, member: 0 });
        break;
      case 0x7d: // }
      case 0x5d: // ]
        containers.pop();
        isName = false;
        break;
      case 0x2c: // ,
        isName = nextMember(containers.at(-1));
        break;
      case 0x3a: // :
        break;
      default:
        continue;
    }
    structuralCharacters++;
    if (structuralCharacters > limits.structuralCharacters) {
      const most = limits.structuralCharacters.toLocaleString('en-US');
      throw new Refusal(
        'malformed_body',
        `The body has more than ${most} structural characters ({ } [ ] : ,) outside strings`,
      );
    }
    if (containers.length > limits.depth) {
      throw new Refusal('malformed_body', `The body nests objects and arrays deeper than ${limits.depth} levels`);
    }
  }
  return { structuralCharacters, members };
}

/** @throws {Refusal} `malformed_body` above the limit */
export function requireMembers(count: number, { members }: Pick<JsonLimits, 'members'>): void {
  if (count <= members) return;
  const most = members.toLocaleString('en-US');
  throw new Refusal('malformed_body', `The objects of the body have more than ${most} members`);
}

function nextMember(container: Container | undefined): boolean {
  if (typeof container?.member === 'number') container.member += 1;
  return container?.isObject === true;
}

/** Returns the value of a string between its quotes: two names with different escapes may be the same. */
function stringOf(bytes: Uint8Array, start: number, end: number, hasEscape: boolean): string {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const text = buffer.toString('utf8', start + 1, end);
  if (!hasEscape) return text;
  try {
    return String(JSON.parse(`"${text}"`));
  } catch {
    // The parser refuses it.
    return text;
  }
}

/** @throws {Refusal} `invalid_request` when the object has the name already */
function addName(name: string, containers: readonly Container[], path: readonly string[]): void {
  const container = containers.at(-1);
  if (container?.isObject !== true) return;
  container.names ??= new Set();
  if (container.names.has(name)) {
    const outer = containers.slice(0, -1).map(({ member }) => member);
    throw wrongField(fieldName([...path, ...outer, name]), 'must be given once');
  }
  container.names.add(name);
  container.member = name;
}
