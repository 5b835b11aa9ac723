import type { z } from 'zod';
import { isDay } from '../../src/domain/values/dates.ts';

/** Says what a check over several fields found. */
export interface AddIssue {
  (path: readonly string[], message: string): void;
  /** These fields are not known here. */
  unknown(names: string[]): void;
}

/**
 * Adds a check over several fields of a body. Unlike a plain refinement it runs also when single fields are wrong, so that
 * one answer names everything; the values it sees may therefore have any type.
 */
export function checkedAcross<Schema extends z.ZodType>(
  schema: Schema,
  check: (values: Readonly<Record<string, unknown>>, addIssue: AddIssue) => void,
): Schema {
  return schema.superRefine(
    (values, context) => {
      const addIssue = (path: readonly string[], message: string) => {
        context.addIssue({ code: 'custom', path: [...path], message });
      };
      const unknown = (keys: string[]) => {
        if (keys.length > 0) context.addIssue({ code: 'unrecognized_keys', keys });
      };
      check(values as Record<string, unknown>, Object.assign(addIssue, { unknown }));
    },
    { when: ({ value }) => typeof value === 'object' && value !== null && !Array.isArray(value) },
  );
}

/** A check that a body names its policy. */
export function policyNamed(values: Readonly<Record<string, unknown>>, addIssue: AddIssue): void {
  if (values.policy_id !== undefined || values.policy_number !== undefined) return;
  addIssue(['policy_id'], 'must be given, or policy_number instead');
}

/** Whether both are days and the first is the earlier; what is no day is complained of elsewhere. */
export function isBefore(day: unknown, other: unknown): boolean {
  return typeof day === 'string' && typeof other === 'string' && isDay(day) && isDay(other) && day < other;
}

/** How deep a free-form value may nest; more is never a description, and would exhaust the stack of those who walk it. */
const DEEPEST = 32;

/** Whether a JSON value nests at most as deep as is taken. */
export function isShallow(value: unknown): boolean {
  let level: readonly unknown[] = [value];
  for (let depth = 0; depth <= DEEPEST; depth++) {
    level = level.flatMap(membersOf);
    if (level.length === 0) return true;
  }
  return false;
}

function membersOf(value: unknown): readonly unknown[] {
  return typeof value === 'object' && value !== null ? Object.values(value) : [];
}
