import { z } from 'zod';
import { isShallow } from '../shared/checks.ts';
import { line } from '../shared/fields.ts';

/** Field types of `additional_information`. A number may be a JSON number or a decimal string. */

/** Limit of a free-form object as JSON. */
const MAX_CHARACTERS = 16_384;

export const shortText = line(255);

export function wholeNumber(from: number, to: number) {
  const message = `must be a whole number from ${from} to ${to}`;
  const isWithin = (text: string): boolean => Number(text) >= from && Number(text) <= to;
  const digits = z
    .string()
    .regex(/^\d{1,10}$/, message)
    .refine(isWithin, message);
  return z.union([z.int(message).min(from, message).max(to, message), digits], message);
}

export function decimal(decimals: number, example: string) {
  const message = `must be a number or decimal string, not negative, with at most 8 integer and ${decimals} decimal digits`;
  const pattern = new RegExp(`^\\d{1,8}(\\.\\d{1,${decimals}})?$`);
  const number = z.number().refine((value) => pattern.test(String(value)), message);
  return z.union([number, z.string().regex(pattern, message)], message).meta({ examples: [example] });
}

export const amount = decimal(2, '250000.00');

export function oneOf<const Words extends readonly [string, ...string[]]>(words: Words) {
  return z.enum(words, `must be one of ${words.join(', ')}`);
}

export const anyObject = z
  .record(z.string(), z.unknown())
  .refine(isShallow, 'is nested too deeply')
  .refine((value) => JSON.stringify(value).length <= MAX_CHARACTERS, `must not be longer than ${MAX_CHARACTERS} bytes`);
