import { z } from 'zod';
import { PRODUCT_TYPES } from '../../src/domain/product/product.ts';

/** No control characters, and no half of a surrogate pair: neither can be stored and read back as it was. */
const ONE_LINE = /^[^\p{Cc}\p{Cs}]*$/u;
const SEVERAL_LINES = /^(?:[^\p{Cc}\p{Cs}]|[\n\r\t])*$/u;

/** One line of text, not blank; white space around it is dropped. */
export function line(longest: number): z.ZodString {
  return z
    .string()
    .trim()
    .min(1, 'must not be blank')
    .max(longest, `must have at most ${longest} characters`)
    .regex(ONE_LINE, 'must not contain control characters');
}

/** Text of any number of lines, not blank; white space around it is dropped. */
export function text(longest: number): z.ZodString {
  return textOrBlank(longest).min(1, 'must not be blank');
}

/** As `text`, but it may be empty. */
export function textOrBlank(longest: number): z.ZodString {
  return z
    .string()
    .trim()
    .max(longest, `must have at most ${longest} characters`)
    .regex(SEVERAL_LINES, 'must not contain control characters');
}

/** An e-mail address (specification, Limits: at most 254 characters). */
export const emailAddress = z.email('must be an e-mail address').max(254, 'must have at most 254 characters');

/** A postal address: free text. */
export const postalAddress = text(1000);

/** A currency by its ISO 4217 code. */
export const currencyCode = z
  .string()
  .regex(/^[A-Z]{3}$/, 'must be a currency code of three capital letters')
  .meta({ examples: ['NGN'] });

/** The id of a resource. Streams are named in lower case. */
export const resourceId = z.uuid('must be a UUID').toLowerCase();

/** The short code of a merchant (specification, Limits: at most 10 characters). */
export const shortCodeField = line(10).meta({ description: 'Short code of the merchant', examples: ['ACM-1A2B'] });

/** A product type (specification, Product). */
export const productType = z.enum(PRODUCT_TYPES);
