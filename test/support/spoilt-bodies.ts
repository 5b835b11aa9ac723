import * as fc from 'fast-check';

type Body = Readonly<Record<string, unknown>>;
type Path = readonly (string | number)[];

/** In JSON text a number beyond every double; as a value a text. */
const BEYOND_NUMBERS = 'a number that no double holds';

function nested(levels: number): unknown {
  return levels === 0 ? 1 : [nested(levels - 1)];
}

/** Values that hardly any field takes, each of them trouble of another kind. */
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
  BEYOND_NUMBERS,
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

/** What is done to a right body, whatever its fields are. */
export interface Spoiling {
  readonly how: 'replace' | 'remove' | 'add' | 'whole';
  readonly place: number;
  readonly name: string;
  readonly value: unknown;
}

export const spoiling: fc.Arbitrary<Spoiling> = fc.record({
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

/** The body with one thing changed; it may still be right by chance. */
export function spoilt(body: Body, { how, place, name, value }: Spoiling): unknown {
  if (how === 'whole') return value;
  const wanted = pathsOf(body).filter(({ isObject }) => isObject || how !== 'add');
  const path = wanted[place % wanted.length]?.path ?? [];
  if (how === 'add') return changed(body, [...path, name], value);
  return changed(body, path, how === 'remove' ? undefined : value);
}

/** JSON text of such a body. */
export function spoiltJson(body: unknown): string {
  return (JSON.stringify(body) ?? 'undefined').replaceAll(JSON.stringify(BEYOND_NUMBERS), '1e999');
}

/** Every place of a body, its own included. */
function pathsOf(value: unknown, path: Path = []): readonly { readonly path: Path; readonly isObject: boolean }[] {
  if (typeof value !== 'object' || value === null) return [{ path, isObject: false }];
  const members = Array.isArray(value) ? [...value.entries()] : Object.entries(value);
  const inner = members.flatMap(([key, member]) => pathsOf(member, [...path, key]));
  return path.length === 0 && inner.length > 0
    ? [...inner, { path, isObject: true }]
    : [{ path, isObject: !Array.isArray(value) }, ...inner];
}

function changed(value: unknown, [key, ...rest]: Path, put: unknown): unknown {
  if (key === undefined) return put;
  if (Array.isArray(value)) return value.map((member, index) => (index === key ? changed(member, rest, put) : member));
  const members = new Map(Object.entries(value as object));
  const member = rest.length === 0 ? put : changed(members.get(String(key)), rest, put);
  if (member === undefined) members.delete(String(key));
  else members.set(String(key), member);
  // Not an object literal: a member may be called `__proto__`.
  return Object.fromEntries(members);
}
