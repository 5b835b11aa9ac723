import { wrongField } from '../refusal.ts';

const LONGEST_PART = 200;
const LONGEST_NAME = 1_000;

/**
 * Returns the name of a field in an error: its dotted path in the body, `body` for the body itself, `""` for an empty
 * name.
 */
export function fieldName(path: readonly PropertyKey[]): string {
  if (path.length === 0) return 'body';
  const parts = path.map((part) => (part === '' ? '""' : String(part).slice(0, LONGEST_PART)));
  return parts.join('.').slice(0, LONGEST_NAME);
}

/** Far deeper than any valid body, and no problem for recursive functions. */
const DEEPEST = 64;

/**
 * Returns the value if it is a JSON object that can be stored. JSON allows NUL, unpaired surrogates, numbers beyond a
 * double, `__proto__` and unlimited nesting, which stores, hashes or prototypes do not survive; they are rejected here
 * for all commands.
 * @throws {Refusal} `invalid_request`
 */
export function requireJsonObject(value: unknown): Readonly<Record<string, unknown>> {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) {
    throw wrongField('body', 'must be a JSON object');
  }
  checkStorable(value, []);
  return value as Readonly<Record<string, unknown>>;
}

/** @param path of the value, which the function changes and restores, because a body may have 100,000 values */
function checkStorable(value: unknown, path: string[]): void {
  if (typeof value === 'string') {
    if (value.includes('\0')) throw wrongField(fieldName(path), 'must not contain NUL');
    if (!value.isWellFormed()) throw wrongField(fieldName(path), 'must be well-formed Unicode');
  } else if (typeof value === 'number') {
    if (!Number.isFinite(value)) throw wrongField(fieldName(path), 'is too large a number');
  } else if (value !== null && typeof value === 'object') {
    if (path.length === DEEPEST) throw wrongField(fieldName(path.slice(0, 8)), 'is nested too deeply');
    for (const name of Object.keys(value)) {
      if (!name.isWellFormed() || name.includes('\0')) throw wrongField(fieldName(path), 'has a member without a name');
      path.push(name);
      if (name === '__proto__') throw wrongField(fieldName(path), 'is not a name that can be used');
      checkStorable((value as Readonly<Record<string, unknown>>)[name], path);
      path.pop();
    }
  }
}
