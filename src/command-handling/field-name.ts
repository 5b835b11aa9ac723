const LONGEST_PART = 200;
const LONGEST_NAME = 1_000;

/**
 * The name of a field in an error (`decisions`: Errors): the dotted path from the root of the body, `body` for the body itself. A
 * member whose name is empty shows as `""`, so that no field is nameless.
 */
export function fieldName(path: readonly PropertyKey[]): string {
  if (path.length === 0) return 'body';
  const parts = path.map((part) => (part === '' ? '""' : String(part).slice(0, LONGEST_PART)));
  return parts.join('.').slice(0, LONGEST_NAME);
}
