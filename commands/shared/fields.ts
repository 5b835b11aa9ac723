import { z } from 'zod';
import { normalise } from '#event-sourcing/identifiers.ts';
import { MAX_TERM_DAYS } from '#domain/policy/due.ts';
import { PRODUCT_TYPES } from '#domain/product/product.ts';
import { hasTwoDecimals } from '#domain/values/money.ts';

/** Without control characters and unpaired surrogates, which stores do not preserve. */
const ONE_LINE = /^[^\p{Cc}\p{Cs}]*$/u;
const SEVERAL_LINES = /^(?:[^\p{Cc}\p{Cs}]|[\n\r\t])*$/u;

/**
 * A character that is neither white space nor without a glyph, such as a zero-width space; `min` reports an empty text.
 */
const VISIBLE_OR_EMPTY = /^$|[^\s\p{Default_Ignorable_Code_Point}]/u;

/** One line of text, trimmed, with something to see. @param read a text, perhaps changed before it is checked */
export function line(longest: number, read = z.string()): z.ZodString {
  return lineOrEmpty(longest, read).min(1, 'must not be blank');
}

/** Like `line`, but may be empty. */
export function lineOrEmpty(longest: number, read = z.string()): z.ZodString {
  return read
    .trim()
    .max(longest, `must have at most ${longest} characters`)
    .regex(ONE_LINE, 'must not contain control characters')
    .refine((value) => VISIBLE_OR_EMPTY.test(value), 'must not be blank');
}

/** Segments that clients remove from the path of a URL. */
const DOT_SEGMENTS = ['.', '..'];

/** Marks that show the end of a name before its start, so that `exe.fdp` looks like `pdf.exe`. */
const DIRECTION_MARKS = /[\u200E\u200F\u202A-\u202E\u2066-\u2069]/g;

/** The name of a file without folders and marks of direction, as multipart forms give it. */
export const fileName = line(
  255,
  z.string().overwrite((path) => {
    return path.replaceAll(DIRECTION_MARKS, '').split(/[/\\]/).at(-1) ?? '';
  }),
)
  .refine((name) => !DOT_SEGMENTS.includes(name), `must not be one of: ${DOT_SEGMENTS.join(', ')}`)
  .meta({ description: 'The name of the file; folders before it and marks of direction are dropped' });

/**
 * The number of a resource, by which a path names it.
 * @param segments of other operations in the same place of a path
 */
export function pathName(longest: number, segments: readonly string[] = []): z.ZodString {
  const taken = [...DOT_SEGMENTS, ...segments];
  const message = `must not be one of: ${taken.join(', ')}`;
  return line(longest).refine((name) => !taken.includes(normalise(name)), message);
}

export function text(longest: number): z.ZodString {
  return textOrBlank(longest).min(1, 'must not be blank');
}

/** Like `text`, but may be empty. */
export function textOrBlank(longest: number): z.ZodString {
  return z
    .string()
    .trim()
    .max(longest, `must have at most ${longest} characters`)
    .regex(SEVERAL_LINES, 'must not contain control characters');
}

/** A number by which a merchant names its customer. */
export const customerReference = line(255);

export const postalAddress = text(1000);

const CURRENCY_CODE = /^[A-Z]{3}$/;

/** Not `abort` after the pattern: it would keep the cross-field checks of the whole body from running. */
export const currencyCode = z
  .string()
  .regex(CURRENCY_CODE, 'must be a currency code of three capital letters')
  .refine(
    (code) => !CURRENCY_CODE.test(code) || hasTwoDecimals(code),
    'must be a code of ISO 4217 of a currency with two decimals',
  )
  .meta({ description: 'Code of ISO 4217 of a currency with two decimals', examples: ['NGN'] });

/** The id of a resource, in lower case like the names of streams. */
export const resourceId = z.uuid('must be a UUID').toLowerCase();

const NOT_A_DURATION = `must be 1 to ${MAX_TERM_DAYS} days`;
/** Days of a term; 365 are a year. */
export const policyDuration = z.int().min(1, NOT_A_DURATION).max(MAX_TERM_DAYS, NOT_A_DURATION);

export const shortCodeField = line(10).meta({ description: 'Short code of the merchant', examples: ['ACM-1A2B'] });

export const productType = z.enum(PRODUCT_TYPES);
