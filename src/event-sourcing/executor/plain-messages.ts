import type { z } from 'zod';
import { NOT_A_DAY } from '../time.ts';
import { nameDistance } from './name-distance.ts';

type RawIssue = z.core.$ZodRawIssue;

/** Names of types that zod shows in its own terms. */
const TYPES: Readonly<Record<string, string>> = { int: 'whole number', record: 'object', map: 'object' };

/** What the size of a value counts; the size of other values is the value. */
const UNITS: Readonly<Record<string, string>> = { string: 'characters', array: 'entries', set: 'entries' };

const FORMATS: Readonly<Record<string, string>> = {
  uuid: 'must be a UUID',
  email: 'must be an e-mail address',
  date: NOT_A_DAY,
  datetime: 'must be a UTC date-time with Z, such as 2026-03-10T09:30:00Z',
};

/** Returns the text for a client of an issue whose schema has no text of its own. */
export function plainMessage(issue: RawIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return `must be ${withArticle(TYPES[issue.expected] ?? issue.expected)}`;
    case 'invalid_value':
      return `must be ${issue.values.length > 1 ? 'one of: ' : ''}${issue.values.map(String).join(', ')}`;
    case 'too_small':
      return sizeMessage('least', issue.origin, issue.minimum, issue.inclusive);
    case 'too_big':
      return sizeMessage('most', issue.origin, issue.maximum, issue.inclusive);
    case 'invalid_format':
      return FORMATS[issue.format] ?? 'must have the format that the reference shows';
    case 'not_multiple_of':
      return `must be a multiple of ${issue.divisor}`;
    case 'unrecognized_keys':
      return unknownMessage(issue);
    case 'invalid_union':
      return unionMessage(issue.errors);
    case 'invalid_key':
      return `has a wrong name, which ${issue.issues[0]?.message ?? 'is not valid'}`;
    default:
      return 'is not valid';
  }
}

/** How many unknown names are compared with the known ones, and how many characters of each. */
const MAX_COMPARED = { names: 5, characters: 40 };
/** How many characters of known names a message lists. */
const MAX_LISTED = 200;

/** Lists the known names of the object, those first that are like an unknown one. */
function unknownMessage({ keys, inst }: Extract<RawIssue, { code: 'unrecognized_keys' }>): string {
  const known = Object.keys((inst?._zod.def as { readonly shape?: object } | undefined)?.shape ?? {});
  if (known.length === 0) return 'is not known here';
  return `is not known here; known: ${listNearest(keys, known)}`;
}

/** Lists the known names, those first that are like an unknown one. @param known at least one */
export function listNearest(unknown: readonly string[], known: readonly string[]): string {
  const asked = unknown.slice(0, MAX_COMPARED.names).map((key) => key.slice(0, MAX_COMPARED.characters));
  const sorted = known
    .map((name) => ({ name, distance: Math.min(...asked.map((key) => nameDistance(key, name))) }))
    .toSorted((a, b) => (a.distance === b.distance ? 0 : a.distance - b.distance))
    .map(({ name }) => name);
  let listed = sorted.length;
  while (listed > 1 && sorted.slice(0, listed).join(', ').length > MAX_LISTED) listed -= 1;
  const rest = sorted.length - listed;
  return `${sorted.slice(0, listed).join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`;
}

function withArticle(name: string): string {
  return `${/^[aeio]/.test(name) ? 'an' : 'a'} ${name}`;
}

function sizeMessage(bound: 'least' | 'most', origin: string, size: number | bigint, inclusive = true): string {
  const unit = UNITS[origin];
  if (unit !== undefined && bound === 'least' && size === 1) return 'must not be empty';
  if (unit !== undefined) return `must have at ${bound} ${size} ${unit}`;
  if (inclusive) return `must be at ${bound} ${size}`;
  return `must be ${bound === 'least' ? 'more' : 'less'} than ${size}`;
}

/** Joins the alternatives of a union of plain values; if the type is one of them, its other rules are what is wrong. */
function unionMessage(branches: readonly (readonly z.core.$ZodIssue[])[]): string {
  const issues = branches.flatMap(([first]) => (first === undefined ? [] : [first]));
  const ofType = issues.find(({ code }) => code !== 'invalid_type');
  if (ofType !== undefined) return ofType.message;
  const types = [...new Set(issues.map(({ message }) => message.replace(/^must be /, '')))];
  if (types.length === 0) return 'is not valid';
  return `must be ${[types.slice(0, -1).join(', '), types.at(-1)].filter((part) => part !== '').join(' or ')}`;
}
