import { describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import { parseInput } from './parse-input.ts';
import { Refusal } from '#domain/refusals.ts';

function refusalOf(action: () => unknown): Refusal {
  try {
    action();
  } catch (error) {
    if (error instanceof Refusal) return error;
    throw error;
  }
  throw new Error('nothing was refused');
}

const schema = z.strictObject({
  name: z.string().min(1).max(10),
  id: z.uuid().optional(),
  code: z
    .string()
    .regex(/^[a-z]{2}$/)
    .optional(),
  few: z.array(z.int()).min(2).optional(),
  count: z.int().positive().max(9).optional(),
  plain: z.union([z.string().max(2), z.number()]).optional(),
  byName: z.record(z.string().max(2), z.int()).optional(),
  whole: z.int().optional(),
  role: z.enum(['admin', 'auditor']).optional(),
  list: z.array(z.strictObject({ amount: z.int('must be whole') })).optional(),
  either: z
    .union([z.strictObject({ a: z.int('must be whole') }), z.strictObject({ b: z.string(), c: z.string() })])
    .optional(),
});

describe('parseInput', () => {
  test.each([
    [{}, ['name']],
    [{ name: 'x', list: [{ amount: 1 }, { amount: 'y', more: 1 }] }, ['list.1.amount', 'list.1.more']],
    [{ name: 'x', other: 1, another: 2 }, ['other', 'another']],
    [{ name: 'x', '': 1 }, ['""']],
    [{ name: 'x', either: { a: 1.5 } }, ['either.a']],
    [{ name: 'x', either: { b: 'x', c: 1 } }, ['either.c']],
    [{ name: 'x', either: 5 }, ['either']],
    ['text', ['body']],
    [null, ['body']],
  ])('rejects %j, naming %j', (value, fields) => {
    const refusal = refusalOf(() => parseInput(schema, value));
    expect(refusal.code).toBe('invalid_request');
    expect(refusal.fields.map(({ field }) => field)).toEqual(fields);
    for (const field of fields) expect(refusal.message).toContain(field);
  });

  test.each([
    [{}, 'must be given'],
    [{ name: 5 }, 'must be a string'],
    [{ name: 'x', list: {} }, 'must be an array'],
    [{ name: 'x', list: [{}] }, 'must be given'],
    [{ name: 'x', list: [{ amount: 1.5 }] }, 'must be whole'],
    [{ name: 'x', whole: 1.5 }, 'must be a whole number'],
    [{ name: 'x', role: 'king' }, 'must be one of: admin, auditor'],
    ['text', 'must be an object'],
    [{ name: 'x', id: 'x' }, 'must be a UUID'],
    [{ name: 'x', code: 'x' }, 'must have the format that the reference shows'],
    [{ name: '' }, 'must not be empty'],
    [{ name: 'x'.repeat(11) }, 'must have at most 10 characters'],
    [{ name: 'x', few: [] }, 'must have at least 2 entries'],
    [{ name: 'x', count: 0 }, 'must be more than 0'],
    [{ name: 'x', count: 10 }, 'must be at most 9'],
    [{ name: 'x', plain: [] }, 'must be a string or a number'],
    [{ name: 'x', plain: 'xxx' }, 'must have at most 2 characters'],
    [{ name: 'x', list: [{ amount: 1, amout: 1 }] }, 'is not known here; known: amount'],
    [
      { name: 'x', rol: 1 },
      'is not known here; known: role, name, id, code, few, count, plain, byName, whole, list, either',
    ],
    [{ name: 'x', byName: { xxx: 1 } }, 'has a wrong name, which must have at most 2 characters'],
  ])('rejects %j with the message "%s"', (value, message) => {
    expect(refusalOf(() => parseInput(schema, value)).fields.map((field) => field.message)).toContain(message);
  });

  test('lists at most 200 characters of known names', () => {
    const names = Array.from({ length: 100 }, (_, index) => `name${String(index).padStart(3, '0')}`);
    const shape = Object.fromEntries(names.map((name) => [name, z.string().optional()]));
    const [field] = refusalOf(() => parseInput(z.strictObject(shape), { nam042: 1 })).fields;
    expect(field?.message).toMatch(/^is not known here; known: name042, .* and 78 more$/);
    expect(field?.message.length).toBeLessThan(250);
  });

  test('limits the number and the length of the listed fields', () => {
    const value = Object.fromEntries(Array.from({ length: 1_000 }, (_, index) => [`${'x'.repeat(5_000)}${index}`, 1]));
    const refusal = refusalOf(() => parseInput(schema, value));
    expect(refusal.fields).toHaveLength(50);
    expect(JSON.stringify(refusal.fields).length + refusal.message.length).toBeLessThan(20_000);
  });
});
