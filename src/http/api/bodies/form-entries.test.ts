import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import type { Refusal } from '../messages/problem-types.ts';
import { type FormEntry, JsonPart, JsonParts, MAX_FIELDS, nestFields, urlencodedEntries } from './form-entries.ts';
import { JSON_LIMITS } from './json-text.ts';

const entriesOf = (text: string): readonly FormEntry[] =>
  urlencodedEntries(Buffer.from(text), new JsonParts(JSON_LIMITS));

function refusal(text: string): Refusal {
  try {
    nestFields(entriesOf(text));
  } catch (thrown) {
    return thrown as Refusal;
  }
  throw new Error(`${text} was taken`);
}

/** Every leaf of an object of objects under its bracketed name. */
function flatten(value: unknown, name: string): [string, string][] {
  if (typeof value === 'string') return [[name, value]];
  if (value instanceof JsonPart) return [[name, value.text]];
  return Object.entries(value as object).flatMap(([key, member]) =>
    flatten(member, name === '' ? key : `${name}[${key}]`),
  );
}

const segment = fc
  .string({ unit: 'grapheme', minLength: 1 })
  .filter((text) => !/[[\]]/.test(text) && text !== '__proto__');

describe('names of form fields', () => {
  test.each([
    ['a=1&a=2', 'a'],
    ['a[b]=1&a[b]=2', 'a.b'],
    ['a[0]=1&a[]=2', 'a.0'],
    ['a=1&a[b]=2', 'a'],
    ['a[b]=1&a=2', 'a'],
    ['a[b][c]=1&a[b]=2', 'a.b'],
    ['a[][b]=1', 'a[][b]'],
    ['a[b=1', 'a[b'],
    ['a]=1', 'a]'],
    ['a[b]c=1', 'a[b]c'],
    ['[a]=1', '[a]'],
    ['=1', 'body'],
    ['__proto__=1', '__proto__'],
    ['a[__proto__][b]=1', 'a[__proto__][b]'],
    [`a${'[b]'.repeat(16)}=1`, `a${'[b]'.repeat(16)}`],
    [Array.from({ length: MAX_FIELDS + 1 }, (_, index) => `a${index}=`).join('&'), 'body'],
  ])('rejects %.40s and names %s', (text, field) => {
    const { code, fields } = refusal(text);
    expect([code, fields.map((one) => one.field)]).toEqual(['invalid_request', [field]]);
  });

  test.each(['a=%', 'a=%zz', '%ff=1', 'a=%ED%A0%80'])('rejects %s as malformed', (text) => {
    expect(refusal(text).code).toBe('malformed_body');
  });

  test('stops reading after the maximum number of fields', () => {
    expect(entriesOf('a=1&'.repeat(100_000))).toHaveLength(MAX_FIELDS + 1);
    expect(entriesOf('&'.repeat(100_000))).toHaveLength(0);
  });

  test('rejects a name with a million brackets without processing all of them', () => {
    const { message } = refusal(`a${'[b]'.repeat(1_000_000)}=1`);
    expect(message).toContain('is nested too deeply');
    expect(refusal(`a${'['.repeat(1_000_000)}=1`).message).toContain('is nested too deeply');
  });

  test('decodes plus signs as spaces, but not encoded ones', () => {
    expect(entriesOf('a+b=+%2B+&+=')).toEqual([
      { name: 'a b', value: ' + ' },
      { name: ' ', value: '' },
    ]);
  });

  test.each(['constructor', 'toString', 'hasOwnProperty', 'prototype'])('accepts the name %s', (name) => {
    const read = nestFields(entriesOf(`${name}[${name}]=1`));
    expect(Object.entries(read).map(([key, value]) => [key, { ...(value as object) }])).toEqual([
      [name, { [name]: '1' }],
    ]);
  });

  test('reads back any object that is written as a form', () => {
    const { tree } = fc.letrec((tie) => ({
      tree: fc.dictionary(segment, fc.oneof({ maxDepth: 4 }, fc.string({ unit: 'grapheme' }), tie('tree')), {
        maxKeys: 4,
      }),
    }));
    fc.assert(
      fc.property(tree, (object) => {
        const fields = flatten(object, '');
        const read = nestFields(entriesOf(new URLSearchParams(fields).toString()));
        expect(new Map(flatten(read, ''))).toEqual(new Map(fields));
      }),
      { examples: [[{ a: { b: '{' } }]] },
    );
  });
});

test('the members of a form and of the JSON in its fields count together', () => {
  const wide = JSON.stringify(Object.fromEntries(Array.from({ length: 6_000 }, (_, index) => [index, 0])));
  const read = (text: string, members: number): unknown => {
    const json = new JsonParts({ ...JSON_LIMITS, members });
    const { a } = nestFields(urlencodedEntries(Buffer.from(text), json), json);
    return a instanceof JsonPart ? a.value : a;
  };
  expect(read(`a=${wide}&b[c]=1&b[d]=2`, 6_004)).toEqual(JSON.parse(wide));
  expect(() => read(`a=${wide}&b[c]=1&b[d]=2`, 6_003)).toThrow('more than 6,003 members');
  expect(() => read('a=x&b[c]=1&b[d]=2', 3)).toThrow('more than 3 members');
});
