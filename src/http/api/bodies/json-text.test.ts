import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { Refusal } from '../messages/problem-types.ts';
import { checkJsonText, JSON_LIMITS, type JsonLimits } from './json-text.ts';

/** The detail of the refusal; `undefined` when the text is within the limits. */
function refusalOf(text: string, limits?: JsonLimits): string | undefined {
  try {
    checkJsonText(Buffer.from(text), limits && { limits });
  } catch (thrown) {
    if (thrown instanceof Refusal && thrown.code === 'malformed_body') return thrown.message;
    throw thrown;
  }
  return undefined;
}

/** Structural characters and depth of a value, counted from the value itself. */
function sizeOf(value: unknown): JsonLimits {
  if (typeof value !== 'object' || value === null) return { structuralCharacters: 0, members: 0, depth: 0 };
  const members = Object.values(value);
  const inner = members.map(sizeOf);
  const colons = Array.isArray(value) ? 0 : members.length;
  const own = 2 + colons + Math.max(0, members.length - 1);
  return {
    structuralCharacters: inner.reduce((sum, { structuralCharacters }) => sum + structuralCharacters, own),
    members: inner.reduce((sum, one) => sum + one.members, colons),
    depth: 1 + Math.max(0, ...inner.map(({ depth }) => depth)),
  };
}

describe('The limits of a JSON text', () => {
  test('accepts 100,000 structural characters and refuses one more, naming the limit', () => {
    const list = (zeros: number): string => `[${'0,'.repeat(zeros - 1)}0]`;
    expect(refusalOf(list(99_999))).toBeUndefined();
    expect(refusalOf(list(100_000))).toContain('more than 100,000 structural characters');
  });

  test('accepts 10,000 members of all objects and refuses one more, naming the limit', () => {
    const wide = (members: number): string =>
      JSON.stringify(Object.fromEntries(Array.from({ length: members }, (_, index) => [index, 0])));
    expect(refusalOf(`[${wide(4_000)},{"a":${wide(5_999)}}]`)).toBeUndefined();
    expect(refusalOf(`[${wide(4_000)},{"a":${wide(6_000)}}]`)).toContain('more than 10,000 members');
  });

  test('accepts 64 levels and refuses the 65th, naming the limit', () => {
    const nested = (levels: number): string => '[{"a":'.repeat(levels / 2) + '0' + '}]'.repeat(levels / 2);
    expect(refusalOf(nested(64))).toBeUndefined();
    expect(refusalOf(`[${nested(64)}]`)).toContain('deeper than 64 levels');
  });

  test('ignores the content of strings, with any escapes', () => {
    const structural = '{}[]:,'.repeat(20_000);
    expect(
      refusalOf(JSON.stringify({ [structural]: `"\\${structural}\\"`, 'ä\u{1f600}': structural })),
    ).toBeUndefined();
    expect(refusalOf(`"\\\\"${'[],'.repeat(40_000)}`)).toContain('100,000');
  });

  test('stops at the limit, also for long text that is not JSON', () => {
    const read: number[] = [];
    const bytes = new Proxy(Buffer.from(`${'[],'.repeat(1_000_000)}"`), {
      get: (target, key) => {
        if (typeof key === 'string' && /^\d+$/.test(key)) read.push(Number(key));
        return Reflect.get(target, key, target);
      },
    });
    expect(() => checkJsonText(bytes)).toThrow('100,000');
    expect(read.at(-1)).toBe(100_000);
  });

  test('accepts text that is not JSON', () => {
    for (const text of ['', '"', '"\\', ']]]]', '}{', 'ä"']) expect(refusalOf(text)).toBeUndefined();
  });

  test('counts the structural characters of any JSON, with and without white space', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 6 }), fc.constantFrom(undefined, 2), (value, space) => {
        const text = JSON.stringify(value, null, space);
        const size = sizeOf(value);
        expect(refusalOf(text, size)).toBeUndefined();
        const { structuralCharacters, members, depth } = size;
        if (depth === 0) return;
        expect(refusalOf(text, { ...size, structuralCharacters: structuralCharacters - 1 })).toContain('structural');
        expect(refusalOf(text, { ...size, depth: depth - 1 })).toContain('levels');
        if (members > 0) expect(refusalOf(text, { ...size, members: members - 1 })).toContain('members');
      }),
    );
  });

  test('has the limits of the API reference', () => {
    expect(JSON_LIMITS).toEqual({ structuralCharacters: 100_000, members: 10_000, depth: 64 });
  });
});

/** The names in the refusals of a text with a member that is given twice. */
function twiceIn(text: string, path: readonly string[] = []): readonly string[] {
  try {
    checkJsonText(Buffer.from(text), { path });
    return [];
  } catch (thrown) {
    if (!(thrown instanceof Refusal) || thrown.code !== 'invalid_request') throw thrown;
    expect(thrown.fields).toMatchObject([{ message: 'must be given once' }]);
    return thrown.fields.map(({ field }) => field);
  }
}

describe('A member that is given twice in a JSON text', () => {
  test.each([
    ['{"a":1,"a":1}', 'a'],
    ['{"a":{"b":[0,{"c":1,"d":{"c":2},"c":3}]}}', 'a.b.1.c'],
    ['[{"a":1},{"b":[[],[{"x":{},"x":[]}]]}]', '1.b.1.0.x'],
    ['{"a":"\\"", "ab":1, "\\u0061b" : 2}', 'ab'],
    ['{"\\u00e9":1,"é":2}', 'é'],
    ['{"":1,"":2}', '""'],
    ['{"\\/":1,"/":2}', '/'],
    ['{"__proto__":1,"__proto__":2}', '__proto__'],
    ['{"a" :[1,"a",{"a":"a"}],"b":"a","a":1', 'a'],
  ])('is refused by its path: %s', (text, field) => {
    expect(twiceIn(text)).toEqual([field]);
  });

  test('is refused by its path in the body when the text is a part of it', () => {
    expect(twiceIn('{"a":{"b":1,"b":2}}', ['claim_details'])).toEqual(['claim_details.a.b']);
  });

  test.each([
    '{"a":"a","b":"a"}',
    '{"a":{"a":{"a":1}}}',
    '[{"a":1},{"a":1}]',
    '["a","a"]',
    '{"A":1,"a":2}',
    '"a":1,"a":2',
  ])('is not seen in %s', (text) => {
    expect(twiceIn(text)).toEqual([]);
  });

  test('is found in any JSON where it is added, and only there', () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 4 }), { minKeys: 1 }),
        fc.nat(),
        (value, index) => {
          const text = JSON.stringify(value);
          expect(twiceIn(text)).toEqual([]);
          const names = Object.keys(value);
          const name = names[index % names.length] ?? '';
          expect(twiceIn(`${text.slice(0, -1)},${JSON.stringify(name)}:0}`)).toHaveLength(1);
        },
      ),
    );
  });
});
