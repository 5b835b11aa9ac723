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
