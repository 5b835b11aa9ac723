import type { z } from 'zod';
import { isDay } from '#domain/values/dates.ts';

export interface AddIssue {
  (path: readonly string[], message: string): void;
  unknown(names: string[]): void;
}

/**
 * Adds a cross-field check to a schema. Unlike a plain refinement it also runs when single fields are invalid, so that
 * one response names all errors; the values may therefore have any type.
 */
export function withCrossFieldCheck<Schema extends z.ZodType>(
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

/** Checks whether both values are days and the first is earlier. Other values are the concern of other checks. */
export function isBefore(day: unknown, other: unknown): boolean {
  return typeof day === 'string' && typeof other === 'string' && isDay(day) && isDay(other) && day < other;
}

/** Deeper values could exhaust the stack of recursive functions. */
const DEEPEST = 32;

export function isShallow(value: unknown): boolean {
  let level: readonly unknown[] = [value];
  for (let depth = 0; depth <= DEEPEST; depth++) {
    level = level.flatMap(membersOf);
    if (level.length === 0) return true;
  }
  return false;
}

const CONTROL = /\p{Cc}/u;

/**
 * Returns whether no text in a JSON value has control characters, line breaks excepted. Call it with shallow values.
 */
export function hasPlainTexts(value: unknown): boolean {
  if (typeof value === 'string') return !CONTROL.test(value.replace(/[\t\r\n]/g, ' '));
  return membersOf(value).every(hasPlainTexts);
}

function membersOf(value: unknown): readonly unknown[] {
  return typeof value === 'object' && value !== null ? Object.values(value) : [];
}
