import * as fc from 'fast-check';

type Body = Readonly<Record<string, unknown>>;
type Path = readonly (string | number)[];

/** `toJsonText` replaces this text by a number that is too large for a double. */
const OVERFLOWING_NUMBER = 'a number that no double holds';

function nested(levels: number): unknown {
  return levels === 0 ? 1 : [nested(levels - 1)];
}

/** Values that hardly any field accepts, each invalid in another way. */
const WRONG_VALUES: readonly unknown[] = [
  null,
  '',
  ' ',
  'no such value',
  '\0',
  'a\0b',
  '\ud800',
  'x\udfffy',
  'a\nb',
  'ä'.repeat(20_000),
  '__proto__',
  0,
  -1,
  1.5,
  1e300,
  Number.MAX_SAFE_INTEGER,
  OVERFLOWING_NUMBER,
  true,
  false,
  [],
  {},
  [[]],
  [null],
  ['a', 1],
  { a: { b: { c: 1 } } },
  { 0: 'a' },
  { toString: 'x', constructor: 1, hasOwnProperty: null },
  nested(70),
  nested(1_000),
];

const wrongValue = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...WRONG_VALUES) },
  fc.jsonValue({ maxDepth: 3 }),
  fc.string({ unit: 'binary', maxLength: 50 }),
);

const wrongName = fc.oneof(
  fc.constantFrom(
    'no_such_field',
    '__proto__',
    'constructor',
    '',
    ' ',
    'a.b',
    'a[b]',
    '0',
    'n'.repeat(3_000),
    '\0',
    '\ud800',
  ),
  fc.string({ unit: 'grapheme', maxLength: 20 }),
);

/** A change of a valid body, independent of its fields. */
export interface BodyMutation {
  readonly how: 'replace' | 'remove' | 'add' | 'whole';
  readonly place: number;
  readonly name: string;
  readonly value: unknown;
}

export const anyBodyMutation: fc.Arbitrary<BodyMutation> = fc.record({
  how: fc.oneof(
    { weight: 6, arbitrary: fc.constant('replace' as const) },
    { weight: 2, arbitrary: fc.constant('remove' as const) },
    { weight: 2, arbitrary: fc.constant('add' as const) },
    fc.constant('whole' as const),
  ),
  place: fc.nat(),
  name: wrongName,
  value: wrongValue,
});

/** Applies one change to a body; the result may still be valid by chance. */
export function mutateBody(body: Body, { how, place, name, value }: BodyMutation): unknown {
  if (how === 'whole') return value;
  const wanted = pathsOf(body).filter(({ isObject }) => isObject || how !== 'add');
  const path = wanted[place % wanted.length]?.path ?? [];
  if (how === 'add') return replaceAt(body, [...path, name], value);
  return replaceAt(body, path, how === 'remove' ? undefined : value);
}

/** Encodes a mutated body as JSON text. */
export function toJsonText(body: unknown): string {
  return (JSON.stringify(body) ?? 'undefined').replaceAll(JSON.stringify(OVERFLOWING_NUMBER), '1e999');
}

/** Lists the paths of all values of a body, the empty path included. */
function pathsOf(value: unknown, path: Path = []): readonly { readonly path: Path; readonly isObject: boolean }[] {
  if (typeof value !== 'object' || value === null) return [{ path, isObject: false }];
  const members = Array.isArray(value) ? [...value.entries()] : Object.entries(value);
  const inner = members.flatMap(([key, member]) => pathsOf(member, [...path, key]));
  return path.length === 0 && inner.length > 0
    ? [...inner, { path, isObject: true }]
    : [{ path, isObject: !Array.isArray(value) }, ...inner];
}

function replaceAt(value: unknown, [key, ...rest]: Path, put: unknown): unknown {
  if (key === undefined) return put;
  if (Array.isArray(value))
    return value.map((member, index) => (index === key ? replaceAt(member, rest, put) : member));
  const members = new Map(Object.entries(value as object));
  const member = rest.length === 0 ? put : replaceAt(members.get(String(key)), rest, put);
  if (member === undefined) members.delete(String(key));
  else members.set(String(key), member);
  // Not an object literal: a member may have the name `__proto__`.
  return Object.fromEntries(members);
}
