import { isDeepStrictEqual } from 'node:util';
import type { StoredDocument, View } from '#stores/read-models/read-models.ts';

const COMPARED = ['body', 'view', 'stream', 'revision', 'position', 'order', 'indexes', 'parked'] as const;
const MAX_POINTERS = 5;

/**
 * Returns the JSON Pointers of the first differences of a stored document; none when it equals the wanted one. Each
 * begins with the field of the stored document; `/body` or `/view` alone: the texts differ, but not their values, or
 * one is no JSON.
 */
export function differencesOf(found: StoredDocument, wanted: StoredDocument): string[] {
  // No list has a document without a body. One that parks a stream keeps the order of the event that parked it first.
  const isListed = wanted.body !== undefined;
  const compared = COMPARED.filter((part) => part !== 'order' || isListed);
  const parts = compared.filter((part) => !isDeepStrictEqual(found[part], wanted[part]));
  return parts.flatMap((part) => pointersOf(part, found[part], wanted[part])).slice(0, MAX_POINTERS);
}

function pointersOf(part: (typeof COMPARED)[number], found: unknown, wanted: unknown): readonly string[] {
  const pointers = differingPointers(valueOf(part, found), valueOf(part, wanted), MAX_POINTERS);
  return pointers.length === 0 ? [`/${part}`] : pointers.map((pointer) => `/${part}${pointer}`);
}

function valueOf(part: (typeof COMPARED)[number], stored: unknown): unknown {
  if (part === 'body') return parsed(stored);
  return part === 'view' && stored !== undefined
    ? { ...(stored as View), json: parsed((stored as View).json) }
    : stored;
}

function parsed(text: unknown): unknown {
  if (typeof text !== 'string') return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * Returns the JSON Pointers (RFC 6901) of the first differences between two values of JSON, in the order of the
 * members; none when the values are equal.
 * @param path pointer of the values themselves
 */
export function differingPointers(found: unknown, wanted: unknown, limit: number, path = ''): readonly string[] {
  if (Object.is(found, wanted)) return [];
  if (!isContainer(found) || !isContainer(wanted) || Array.isArray(found) !== Array.isArray(wanted)) return [path];
  const pointers: string[] = [];
  for (const name of new Set([...Object.keys(found), ...Object.keys(wanted)])) {
    if (pointers.length >= limit) break;
    const pointer = `${path}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
    if (!Object.hasOwn(found, name) || !Object.hasOwn(wanted, name)) pointers.push(pointer);
    else pointers.push(...differingPointers(found[name], wanted[name], limit - pointers.length, pointer));
  }
  return pointers;
}

function isContainer(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
