import { fieldName } from './field-name.ts';
import { wrongField } from '../domain/refusals.ts';

/** Deeper than any sensible body, shallow enough for every recursion over it. */
const DEEPEST = 64;

/**
 * The value as the body of a command: one JSON object. What JSON allows but no store, hash or prototype survives is refused
 * here, once for all commands: NUL, unpaired surrogates, numbers beyond a double, `__proto__`, and nesting without end.
 * @throws {Refusal} `invalid_request`
 */
export function plainObject(value: unknown): Readonly<Record<string, unknown>> {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) {
    throw wrongField('body', 'must be a JSON object');
  }
  refuseHarmful(value, []);
  return value as Readonly<Record<string, unknown>>;
}

function refuseHarmful(value: unknown, path: readonly string[]): void {
  if (typeof value === 'string') {
    if (value.includes('\0')) throw wrongField(fieldName(path), 'must not contain NUL');
    if (!value.isWellFormed()) throw wrongField(fieldName(path), 'must be well-formed Unicode');
  } else if (typeof value === 'number') {
    if (!Number.isFinite(value)) throw wrongField(fieldName(path), 'is too large a number');
  } else if (value !== null && typeof value === 'object') {
    if (path.length === DEEPEST) throw wrongField(fieldName(path.slice(0, 8)), 'is nested too deeply');
    for (const [name, member] of Object.entries(value)) {
      const inner = [...path, name];
      if (name === '__proto__') throw wrongField(fieldName(inner), 'is not a name that can be used');
      if (!name.isWellFormed() || name.includes('\0')) throw wrongField(fieldName(path), 'has a member without a name');
      refuseHarmful(member, inner);
    }
  }
}
