import { describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import { coerceForm, inputSchemaOf } from './coerce.ts';
import { FilePart, JsonParts, nestFields, urlencodedEntries } from './form-entries.ts';
import { JSON_LIMITS } from './json-text.ts';

const details = z.union([
  z.strictObject({ product_type: z.literal('Auto'), additional_information: z.strictObject({ value: z.number() }) }),
  z.strictObject({ product_type: z.literal('Travel'), additional_information: z.strictObject({ value: z.string() }) }),
]);

const schema = inputSchemaOf(
  z.strictObject({
    name: z.string().optional(),
    days: z.int().optional(),
    share: z.number().optional(),
    sure: z.boolean().optional(),
    phone: z.string().min(1).nullable().optional(),
    limit: z.union([z.string(), z.number()]).optional(),
    size: z.union([z.int(), z.enum(['small', 'large'])]).optional(),
    tags: z.array(z.string()).optional(),
    sizes: z.array(z.int()).nullable().optional(),
    rows: z.array(z.strictObject({ amount: z.int(), paid: z.boolean() })).optional(),
    anything: z.unknown().optional(),
    free: z.record(z.string(), z.unknown()).optional(),
    json: z.json().optional(),
    counts: z.record(z.string(), z.int()).optional(),
    blob: z.string().meta({ contentEncoding: 'base64' }).optional(),
    details: details.optional(),
  }),
);

const form = (text: string): unknown =>
  coerceForm(nestFields(urlencodedEntries(Buffer.from(text), new JsonParts(JSON_LIMITS))), schema);

test('coerceForm names the field of a text that is not JSON', () => {
  expect(() => form('tags=["a"')).toThrow('tags: is not JSON');
});

describe('coerceForm', () => {
  test.each([
    ['a text, also with digits', 'name=12', { name: '12' }],
    ['a whole number', 'days=-12', { days: -12 }],
    ['a number with a fraction', 'share=0.25', { share: 0.25 }],
    ['true and false', 'sure=true', { sure: true }],
    ['a list by number, in whatever order', 'tags[1]=b&tags[0]=a', { tags: ['a', 'b'] }],
    ['a list by empty brackets', 'tags[]=a&tags[]=b', { tags: ['a', 'b'] }],
    ['a list of one', 'sizes[]=7', { sizes: [7] }],
    ['objects in a list', 'rows[0][amount]=1&rows[0][paid]=false', { rows: [{ amount: 1, paid: false }] }],
    ['an empty text where null is allowed', 'phone=&sizes=', { phone: null, sizes: null }],
    ['an empty list', 'tags=', { tags: [] }],
    ['an empty text elsewhere', 'name=&days=', { name: '', days: '' }],
    ['JSON where only a list or an object is allowed', 'tags=["a"]&free= {"a":1}', { tags: ['a'], free: { a: 1 } }],
    [
      'a text that looks like JSON where a text is allowed',
      'free[note]=[draft] roof&anything={"a":1}&json=[]',
      { free: { note: '[draft] roof' }, anything: '{"a":1}', json: '[]' },
    ],
    ['JSON as text elsewhere', 'name=["a"]&days=[', { name: '["a"]', days: '[' }],
    ['a text where text or number is allowed', 'limit=12', { limit: '12' }],
    ['a number where a number or certain words are allowed', 'size=12', { size: '12' }],
    ['free-form values', 'anything[a]=1&free[0]=2&json=', { anything: { a: '1' }, free: { 0: '2' }, json: '' }],
    ['a list in a free-form value', 'anything[]=1&anything[]=2', { anything: ['1', '2'] }],
    ['members of a record', 'counts[a]=1&counts[0]=2', { counts: { 0: 2, a: 1 } }],
    [
      'the form that a constant chooses',
      'details[product_type]=Travel&details[additional_information][value]=12',
      { details: { product_type: 'Travel', additional_information: { value: '12' } } },
    ],
    [
      'the other form',
      'details[product_type]=Auto&details[additional_information][value]=12',
      { details: { product_type: 'Auto', additional_information: { value: 12 } } },
    ],
    ['percent-encoded names and values', 'na%6De=%C3%A4+%2B', { name: 'ä +' }],
    ['a name without a value', 'name', { name: '' }],
  ])('converts %s to %j', (_what, text, expected) => {
    expect(form(text)).toEqual(expected);
  });

  test.each(['days=1.0', 'days=+1', 'days=01', 'days=1e3', 'days= 1', 'days=0x1', 'share=1e999', 'share=Infinity'])(
    'leaves %s as text',
    (text) => {
      expect(form(text)).toEqual({
        [text.split('=')[0] as string]: text.slice(text.indexOf('=') + 1).replace('+', ' '),
      });
    },
  );

  test.each(['sure=TRUE', 'sure=1', 'sure=on', 'sure='])('leaves %s as text', (text) => {
    expect(form(text)).toEqual({ sure: text.slice(5) });
  });

  test('leaves a list with a gap as an object, which the schema rejects', () => {
    expect(form('tags[1]=b')).toEqual({ tags: { 1: 'b' } });
  });

  test('converts a file to base64 where the schema declares it or allows any value', () => {
    const file = new FilePart(Buffer.from('%PDF'));
    const fields = nestFields(['blob', 'name', 'anything', 'unknown_field'].map((name) => ({ name, value: file })));
    expect(coerceForm(fields, schema)).toEqual({
      blob: 'JVBERg==',
      name: file,
      anything: 'JVBERg==',
      unknown_field: 'JVBERg==',
    });
  });
});
