import { z } from 'zod';
import { isShallow } from '../shared/checks.ts';
import { line } from '../shared/fields.ts';

/** Kinds of fields of `additional_information`. Numbers may be told as JSON numbers or as decimal strings. */

/** More than this, as JSON, is not told of one risk. */
const MOST_CHARACTERS = 16_384;

/** One line of text of the usual length. */
export const told = line(255);

/** A whole number. */
export function wholeNumber(from: number, to: number) {
  const message = `must be a whole number from ${from} to ${to}`;
  const isWithin = (text: string): boolean => Number(text) >= from && Number(text) <= to;
  const digits = z
    .string()
    .regex(/^\d{1,10}$/, message)
    .refine(isWithin, message);
  return z.union([z.int(message).min(from, message).max(to, message), digits], message);
}

/** A decimal number that is not negative, with at most 8 integer digits and so many decimals. */
export function decimal(decimals: number, example: string) {
  const message = `must be a number or decimal string, not negative, with at most 8 integer and ${decimals} decimal digits`;
  const shape = new RegExp(`^\\d{1,8}(\\.\\d{1,${decimals}})?$`);
  const number = z.number().refine((value) => shape.test(String(value)), message);
  return z.union([number, z.string().regex(shape, message)], message).meta({ examples: [example] });
}

/** An amount of money. */
export const amount = decimal(2, '250000.00');

/** One of these words. */
export function oneOf<const Words extends readonly [string, ...string[]]>(words: Words) {
  return z.enum(words, `must be one of ${words.join(', ')}`);
}

/** Whatever else is told: an object of any JSON, neither deep nor long. */
export const anyObject = z
  .record(z.string(), z.unknown())
  .refine(isShallow, 'is nested too deeply')
  .refine(
    (value) => JSON.stringify(value).length <= MOST_CHARACTERS,
    `must not be longer than ${MOST_CHARACTERS} bytes`,
  );
