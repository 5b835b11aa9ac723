import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { Refusal } from '../../domain/refusals.ts';
import { checkJsonLimits, JSON_LIMITS, type JsonLimits } from './json-limits.ts';

/** The detail of the refusal; `undefined` when the text is within the limits. */
function refusalOf(text: string, limits?: JsonLimits): string | undefined {
  try {
    checkJsonLimits(Buffer.from(text), 0, limits);
  } catch (thrown) {
    if (thrown instanceof Refusal && thrown.code === 'malformed_body') return thrown.message;
    throw thrown;
  }
  return undefined;
}

/** Structural characters and depth of a value, counted from the value itself. */
function sizeOf(value: unknown): JsonLimits {
  if (typeof value !== 'object' || value === null) return { structuralCharacters: 0, depth: 0 };
  const members = Object.values(value);
  const inner = members.map(sizeOf);
  const colons = Array.isArray(value) ? 0 : members.length;
  const own = 2 + colons + Math.max(0, members.length - 1);
  return {
    structuralCharacters: inner.reduce((sum, { structuralCharacters }) => sum + structuralCharacters, own),
    depth: 1 + Math.max(0, ...inner.map(({ depth }) => depth)),
  };
}

describe('checkJsonLimits', () => {
  test('accepts 100,000 structural characters and refuses one more, naming the limit', () => {
    const list = (zeros: number): string => `[${'0,'.repeat(zeros - 1)}0]`;
    expect(refusalOf(list(99_999))).toBeUndefined();
    expect(refusalOf(list(100_000))).toContain('more than 100,000 structural characters');
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
    expect(() => checkJsonLimits(bytes)).toThrow('100,000');
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
        const { structuralCharacters, depth } = size;
        if (depth === 0) return;
        expect(refusalOf(text, { structuralCharacters: structuralCharacters - 1, depth })).toContain('structural');
        expect(refusalOf(text, { structuralCharacters, depth: depth - 1 })).toContain('levels');
      }),
    );
  });

  test('has the limits of the API reference', () => {
    expect(JSON_LIMITS).toEqual({ structuralCharacters: 100_000, depth: 64 });
  });
});
