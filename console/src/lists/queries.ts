import type { Session } from '../session.ts';

type Merchants = Session['client']['merchants'];
export type PolicyQuery = NonNullable<Parameters<Merchants['policies']>[1]>;
export type ClaimQuery = NonNullable<Parameters<Merchants['claims']>[1]>;

/** Returns all members of a union of strings; a missing one does not compile. */
export function namesOf<T extends string>(names: Readonly<Record<T, true>>): readonly T[] {
  return Object.keys(names) as T[];
}
