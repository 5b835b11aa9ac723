/** Values of which each is wrong for most fields. */
const WRONG_VALUES: readonly unknown[] = [
  null,
  true,
  7,
  1.5,
  -1,
  1e20,
  'x',
  '',
  'a\nb',
  'a@',
  '12.345',
  '-1.00',
  '0000-01-01',
  '2026-02-30T00:00:00Z',
  [],
  {},
  [null],
  [{}],
  [1, 2],
  { a: 1 },
  { ['x'.repeat(500)]: ['x'] },
  'x'.repeat(100_000),
];

/** Yields the value with one part replaced by each wrong value, left out or added, at every depth. */
export function* wrongValues(value: unknown): Generator<unknown> {
  yield* WRONG_VALUES;
  if (typeof value !== 'object' || value === null) return;
  for (const [name, member] of Object.entries(value)) {
    const replace = (changed: unknown): unknown =>
      Array.isArray(value) ? value.with(Number(name), changed) : { ...value, [name]: changed };
    for (const changed of wrongValues(member)) yield replace(changed);
    yield replace(undefined);
  }
  if (!Array.isArray(value)) yield { ...value, no_such_member: 1 };
}

/** Matches texts that a schema library writes about its own terms. */
export const RAW_MESSAGE = /invalid|\bexpected\b|unrecogni[sz]ed|too (small|big)|[<>]=?\d|undefined|\/\^/i;
