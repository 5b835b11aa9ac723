import type { z } from 'zod';
import { fieldName } from './json-object.ts';
import { plainMessage } from './plain-messages.ts';
import { type FieldError, wrongFields } from '../refusal.ts';

const MAX_FIELDS = 50;

type Issue = z.core.$ZodIssue;

export function parseInput<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> {
  const parsed = checkInput(schema, value);
  if ('fields' in parsed) throw wrongFields(parsed.fields);
  return parsed.data;
}

export function checkInput<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
): { readonly data: z.output<Schema> } | { readonly fields: readonly FieldError[] } {
  const parsed = schema.safeParse(value, { error: plainMessage });
  if (parsed.success) return { data: parsed.data };
  return { fields: fieldsOf(parsed.error.issues, [], value) };
}

/** Stops at the number of fields that a refusal names: a value may have as many wrong ones as it has members. */
function fieldsOf(issues: readonly Issue[], outer: readonly PropertyKey[], value: unknown): readonly FieldError[] {
  const fields: FieldError[] = [];
  for (const issue of issues) {
    fields.push(...fieldsOfIssue(issue, outer, value));
    if (fields.length >= MAX_FIELDS) return fields.slice(0, MAX_FIELDS);
  }
  return fields;
}

function fieldsOfIssue(issue: Issue, outer: readonly PropertyKey[], value: unknown): readonly FieldError[] {
  const path = [...outer, ...issue.path];
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.slice(0, MAX_FIELDS).map((key) => ({ field: fieldName([...path, key]), message: issue.message }));
  }
  const branch = issue.code === 'invalid_union' ? nearestBranch(issue.errors) : undefined;
  if (branch !== undefined) return fieldsOf(branch, path, value);
  // A custom check knows better what to send, for example which of two fields.
  const isMissing = valueAt(value, path) === undefined && issue.code !== 'custom';
  return [{ field: fieldName(path), message: isMissing ? 'must be given' : issue.message }];
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
