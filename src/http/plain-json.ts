import { Refusal, wrongField } from '../domain/refusals.ts';

/** Deeper than any sensible body, shallow enough for every recursion over it. */
const DEEPEST = 64;

const decoder = new TextDecoder('utf-8', { fatal: true });

/**
 * Parses a body that is one JSON object. A byte order mark is tolerated. What JSON allows but no store, hash or prototype
 * survives is refused here, once for all commands: NUL, unpaired surrogates, numbers beyond a double, `__proto__`, and
 * nesting without end.
 * @throws {Refusal} `malformed_body`, `invalid_request`
 */
export function parseBody(bytes: Uint8Array): Readonly<Record<string, unknown>> {
  let value: unknown;
  try {
    value = JSON.parse(decoder.decode(bytes));
  } catch {
    throw new Refusal('malformed_body', 'The body is not JSON in UTF-8');
  }
  if (value === null || typeof value !== 'object' || Array.isArray(value)) {
    throw wrongField('body', 'must be a JSON object');
  }
  refuseHarmful(value, []);
  return value as Readonly<Record<string, unknown>>;
}

function refuseHarmful(value: unknown, path: readonly string[]): void {
  if (typeof value === 'string') {
    if (value.includes('\0')) throw wrongField(pathText(path), 'must not contain NUL');
    if (!value.isWellFormed()) throw wrongField(pathText(path), 'must be well-formed Unicode');
  } else if (typeof value === 'number') {
    if (!Number.isFinite(value)) throw wrongField(pathText(path), 'is too large a number');
  } else if (value !== null && typeof value === 'object') {
    if (path.length === DEEPEST) throw wrongField(pathText(path.slice(0, 8)), 'is nested too deeply');
    for (const [name, member] of Object.entries(value)) {
      const inner = [...path, name];
      if (name === '__proto__') throw wrongField(pathText(inner), 'is not a name that can be used');
      if (!name.isWellFormed() || name.includes('\0')) throw wrongField(pathText(path), 'has a member without a name');
      refuseHarmful(member, inner);
    }
  }
}

function pathText(path: readonly string[]): string {
  return path.length === 0 ? 'body' : path.join('.').slice(0, 500);
}
