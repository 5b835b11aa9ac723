import { isDeepStrictEqual } from 'node:util';
import { refusalsOf } from '#domain/refusals.ts';

const refuse = refusalsOf('nothing_to_change');
export const changesToErrors = refuse.codes;

/** Members of what is wanted that are undefined change nothing. */
type Wanted<Details> = { readonly [Key in keyof Details]?: Details[Key] | undefined };

/** Returns the wanted values that differ from the current ones. */
export function differences<Details extends object>(current: Details, wanted: Wanted<Details>): Partial<Details> {
  const keys = Object.keys(wanted) as (keyof Details)[];
  const changed = keys.filter((key) => wanted[key] !== undefined && !isDeepStrictEqual(wanted[key], current[key]));
  return Object.fromEntries(changed.map((key) => [key, wanted[key]])) as Partial<Details>;
}

/** Like `differences`. @throws {Refusal} when none differs */
export function changesTo<Details extends object>(current: Details, wanted: Wanted<Details>): Partial<Details> {
  const changes = differences(current, wanted);
  if (Object.keys(changes).length === 0) throw refuse('nothing_to_change', 'Every field already has the given value');
  return changes;
}

/** @param others members that are no changes, such as the id of the resource */
export function changesAnything(...others: readonly string[]): (input: object) => boolean {
  return (input) => Object.entries(input).some(([name, value]) => !others.includes(name) && value !== undefined);
}

export const GIVE_A_CHANGE = 'give at least one field to change';
