import type { z } from 'zod';
import { fieldName } from './field-name.ts';
import { type FieldError, wrongFields } from '../event-sourcing/refusal.ts';

/** An error lists at most this many fields. */
const MAX_FIELDS = 50;

type Issue = z.core.$ZodIssue;

/** Names of types that zod shows in its own terms. */
const PLAIN_NAMES: Readonly<Record<string, string>> = { int: 'whole number', record: 'object' };

/** Parses a value. @throws {Refusal} `invalid_request`, naming every invalid field */
export function parseInput<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw wrongFields(fieldsOf(parsed.error, value));
}

/** Returns the invalid fields of `value` by their dotted paths, unknown fields included. */
export function fieldsOf(error: z.ZodError, value: unknown): readonly FieldError[] {
  const fields = error.issues.flatMap((issue) => fieldsOfIssue(issue, [], value));
  return fields.slice(0, MAX_FIELDS);
}

function fieldsOfIssue(issue: Issue, outer: readonly PropertyKey[], value: unknown): readonly FieldError[] {
  const path = [...outer, ...issue.path];
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => ({ field: fieldName([...path, key]), message: 'is not known here' }));
  }
  const branch = issue.code === 'invalid_union' ? nearestBranch(issue.errors) : undefined;
  if (branch !== undefined) return branch.flatMap((inner) => fieldsOfIssue(inner, path, value));
  return [{ field: fieldName(path), message: messageOf(issue, valueAt(value, path)) }];
}

/** Translates a message of zod, which names its own types, for the client. */
function messageOf(issue: Issue, found: unknown): string {
  // A custom check knows better what to send, for example which of two fields.
  if (found === undefined && issue.code !== 'custom') return 'must be given';
  if (issue.code === 'invalid_value' && issue.message.startsWith('Invalid')) {
    return `must be ${issue.values.length > 1 ? 'one of: ' : ''}${issue.values.map(String).join(', ')}`;
  }
  if (issue.code !== 'invalid_type' || !issue.message.startsWith('Invalid input')) return issue.message;
  const expected = PLAIN_NAMES[issue.expected] ?? issue.expected;
  return `must be ${/^[aeio]/.test(expected) ? 'an' : 'a'} ${expected}`;
}

function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (part, key) =>
      typeof part === 'object' && part !== null && Object.hasOwn(part, key) ? Reflect.get(part, key) : undefined,
    value,
  );
}

/** Returns the issues of the branch of a union that fits best; undefined when no branch names a field. */
function nearestBranch(branches: readonly (readonly Issue[])[]): readonly Issue[] | undefined {
  const deep = branches.filter((issues) =>
    issues.some(({ path, code }) => path.length > 0 || code === 'unrecognized_keys'),
  );
  return deep.toSorted((a, b) => a.length - b.length)[0];
}
