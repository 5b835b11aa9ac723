import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import type { Refusal } from '../../domain/refusals.ts';
import { type FormEntry, MOST_FIELDS, nested } from './form-entries.ts';
import { urlencodedEntries } from './urlencoded.ts';

const entriesOf = (text: string): readonly FormEntry[] => urlencodedEntries(Buffer.from(text));

function refusal(text: string): Refusal {
  try {
    nested(entriesOf(text));
  } catch (thrown) {
    return thrown as Refusal;
  }
  throw new Error(`${text} was taken`);
}

/** Every leaf of an object of objects under its bracketed name. */
function flattened(value: unknown, name: string): [string, string][] {
  if (typeof value === 'string') return [[name, value]];
  return Object.entries(value as object).flatMap(([key, member]) =>
    flattened(member, name === '' ? key : `${name}[${key}]`),
  );
}

const segment = fc
  .string({ unit: 'grapheme', minLength: 1 })
  .filter((text) => !/[[\]]/.test(text) && text !== '__proto__');

describe('the names of a form', () => {
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
    [Array.from({ length: MOST_FIELDS + 1 }, (_, index) => `a${index}=`).join('&'), 'body'],
  ])('given %.40s, then 400 names %s', (text, field) => {
    const { code, fields } = refusal(text);
    expect([code, fields.map((one) => one.field)]).toEqual(['invalid_request', [field]]);
  });

  test.each(['a=%', 'a=%zz', '%ff=1', 'a=%ED%A0%80'])('given %s, then the body is malformed', (text) => {
    expect(refusal(text).code).toBe('malformed_body');
  });

  test('reads no more fields than it takes to refuse them', () => {
    expect(entriesOf('a=1&'.repeat(100_000))).toHaveLength(MOST_FIELDS + 1);
    expect(entriesOf('&'.repeat(100_000))).toHaveLength(0);
  });

  test('refuses a name of a million brackets without reading them all', () => {
    const { message } = refusal(`a${'[b]'.repeat(1_000_000)}=1`);
    expect(message).toContain('is nested too deeply');
    expect(refusal(`a${'['.repeat(1_000_000)}=1`).message).toContain('is nested too deeply');
  });

  test('reads plus signs as spaces and leaves encoded ones', () => {
    expect(entriesOf('a+b=+%2B+&+=')).toEqual([
      { name: 'a b', value: ' + ' },
      { name: ' ', value: '' },
    ]);
  });

  test.each(['constructor', 'toString', 'hasOwnProperty', 'prototype'])(
    'given the name %s, then it is a name like any other',
    (name) => {
      const read = nested(entriesOf(`${name}[${name}]=1`));
      expect(Object.entries(read).map(([key, value]) => [key, { ...(value as object) }])).toEqual([
        [name, { [name]: '1' }],
      ]);
    },
  );

  test('given any object of texts, when it is written as a form and read, then it is the same', () => {
    const { tree } = fc.letrec((tie) => ({
      tree: fc.dictionary(segment, fc.oneof({ maxDepth: 4 }, fc.string({ unit: 'grapheme' }), tie('tree')), {
        maxKeys: 4,
      }),
    }));
    fc.assert(
      fc.property(tree, (object) => {
        const fields = flattened(object, '');
        const read = nested(entriesOf(new URLSearchParams(fields).toString()));
        expect(new Map(flattened(read, ''))).toEqual(new Map(fields));
      }),
    );
  });
});
