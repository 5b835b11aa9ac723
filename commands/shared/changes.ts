import { Refusal } from '../../src/domain/refusals.ts';

/**
 * Returns the wanted values that differ from the current ones; undefined members are ignored.
 * @throws {Refusal} `nothing_to_change` when none differs
 */
export function changesTo<Details extends object>(
  current: Details,
  wanted: { readonly [Key in keyof Details]?: Details[Key] | undefined },
): Partial<Details> {
  const keys = Object.keys(wanted) as (keyof Details)[];
  const changed = keys.filter((key) => wanted[key] !== undefined && !sameJson(wanted[key], current[key]));
  if (changed.length === 0) throw new Refusal('nothing_to_change', 'Every field already has the given value');
  return Object.fromEntries(changed.map((key) => [key, wanted[key]])) as Partial<Details>;
}

/** Compares two JSON values; the order of members does not count. */
export function sameJson(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  const [left, right] = [membersOf(a), membersOf(b)];
  return (
    left.size === right.size && [...left].every(([key, value]) => right.has(key) && sameJson(value, right.get(key)))
  );
}

function membersOf(value: object): Map<string, unknown> {
  return new Map(Object.entries(value).filter(([, member]) => member !== undefined));
}

/** Returns a check for the schema of an update: whether the input has any field but the identifier. */
export function changesAnything(identifier: string): (input: object) => boolean {
  return (input) => Object.entries(input).some(([name, value]) => name !== identifier && value !== undefined);
}

export const GIVE_A_CHANGE = 'give at least one field to change';
