import { z } from 'zod';

/** An amount in minor units (hundredths). Amounts are never floats. */
export type MinorUnits = bigint;

const INTEGER_DIGITS = 8;
/** As a sum of many amounts may have. */
const INTEGER_DIGITS_OF_SUM = 16;

const patternOf = (integerDigits: number): RegExp => new RegExp(`^-?\\d{1,${integerDigits}}(\\.\\d{1,2})?$`);
const PATTERN = patternOf(INTEGER_DIGITS);

/**
 * Parses `144.1` → 14410n.
 * @throws {RangeError} when the text is not an amount of at most 8 integer and 2 decimal digits
 */
export function parseMoney(text: string): MinorUnits {
  if (!PATTERN.test(text)) throw new RangeError(`not an amount: ${text}`);
  return parseDecimal(text);
}

function parseDecimal(text: string): MinorUnits {
  const negative = text.startsWith('-');
  const [whole = '0', fraction = ''] = (negative ? text.slice(1) : text).split('.');
  const minor = BigInt(whole) * 100n + BigInt(fraction.padEnd(2, '0'));
  return negative ? -minor : minor;
}

const STORED_SUM = /^-?(0|[1-9]\d{0,17})\.\d{2}$/;

/**
 * Parses an amount of an event, which may have more integer digits than the API allows: a sum, or the price of a year.
 */
export function parseSum(text: string): MinorUnits {
  if (!STORED_SUM.test(text)) throw new RangeError(`not a stored amount: ${text}`);
  return BigInt(text.replace('.', ''));
}

/** Formats 14410n → `144.10`, always with two decimals. */
export function formatMoney(minor: MinorUnits): string {
  const digits = (minor < 0n ? -minor : minor).toString().padStart(3, '0');
  return `${minor < 0n ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

export function divideHalfUp(numerator: bigint, denominator: bigint): bigint {
  const doubled = 2n * numerator;
  const sign = numerator < 0n ? -1n : 1n;
  return (doubled + sign * denominator) / (2n * denominator);
}

/** Returns the sum of a part of several prices; null where it is not known of any of them. */
export function sumOfKnown(amounts: readonly (string | null)[]): string | null {
  const known = amounts.filter((amount) => amount !== null);
  return known.length === 0 && amounts.length > 0 ? null : sumOf(known);
}

/** Returns the sum of amounts of money, which may have more than 8 integer digits. */
export function sumOf(amounts: readonly string[]): string {
  return formatMoney(amounts.reduce((sum, amount) => sum + parseSum(amount), 0n));
}

const notAnAmount = (integerDigits: number): string =>
  `must be an amount with at most ${integerDigits} integer and 2 decimal digits, as a decimal string such as "1250.00" or a number`;
const NOT_POSITIVE_OR_ZERO = 'must not be negative';

/** An amount as requests have it: a decimal string or a number. Its output is a text that `parseMoney` takes. */
export const moneyInput = amountInput(INTEGER_DIGITS);

/** As `moneyInput`, but not below zero. */
export const moneyNotNegativeInput = amountInput(INTEGER_DIGITS, (text) => !text.startsWith('-'), NOT_POSITIVE_OR_ZERO);

/**
 * As `moneyInput`, but of as many digits as a sum in a response may have. Its output is a text that `parseSum` takes.
 */
export const sumInput = amountInput(INTEGER_DIGITS_OF_SUM).transform((text) => formatMoney(parseDecimal(text)));

function amountInput(integerDigits: number, isAllowed?: (text: string) => boolean, notAllowed?: string) {
  return decimalInput(patternOf(integerDigits), notAnAmount(integerDigits), isAllowed, notAllowed).meta({
    description: `Amount with at most ${integerDigits} integer and 2 decimal digits`,
    examples: ['1250.00'],
  });
}

/** @param notAllowed default: `malformed` */
function decimalInput(
  pattern: RegExp,
  malformed: string,
  isAllowed: (text: string) => boolean = () => true,
  notAllowed = malformed,
) {
  return z
    .union([z.string(), z.number()], {
      error: ({ input }) => (input === undefined ? undefined : malformed),
    })
    .transform(String)
    .superRefine((text, context) => {
      if (!pattern.test(text)) context.addIssue({ code: 'custom', message: malformed });
      else if (!isAllowed(text)) context.addIssue({ code: 'custom', message: notAllowed });
    });
}

/**
 * A part of a whole in percent, above 0.00 and at most 100.00, as requests have it. Its output is a text that
 * `parseMoney` takes.
 */
export const shareInput = decimalInput(
  /^(?:100(?:\.0{1,2})?|\d{1,2}(?:\.\d{1,2})?)$/,
  'must be a percentage above 0.00 and at most 100.00 with at most 2 decimal digits, as a decimal string such as "50.00" or a number',
  (text) => /[1-9]/.test(text),
).meta({ description: 'Percentage with at most 2 decimal digits', examples: ['50.00'] });

/** A share as events store it. */
export const storedShare = z.string().regex(/^(?:100\.00|(?:0|[1-9]\d?)\.\d{2})$/);

const STORED_MONEY = /^-?(0|[1-9]\d{0,7})\.\d{2}$/;

/** An amount as events store it: always two decimals, so that equal amounts are equal texts. */
export const storedMoney = z.string().regex(STORED_MONEY);

/** As `storedMoney`, for sums and annual amounts, which may have more integer digits than the API allows. */
export const storedSum = z.string().regex(STORED_SUM);

export function canonicalMoney(text: string): string {
  return STORED_MONEY.test(text) && !text.startsWith('-') ? text : formatMoney(parseMoney(text));
}

/** Schema of an amount that a response shows. */
export const money = z
  .string()
  .regex(/^-?\d{1,8}(\.\d{1,2})?$/)
  .meta({ description: 'Decimal string, at most 8 integer and 2 decimal digits' });
/** Schema of a sum that a response shows. */
export const sum = z
  .string()
  .regex(/^-?\d{1,18}\.\d{2}$/)
  .meta({ description: 'Decimal string with 2 decimal digits; a sum may have more than 8 integer digits' });

/** The codes of ISO 4217 of all currencies with two decimals. */
const CODES = `
  AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BGN BMD BND BOB BOV BRL BSD BTN BWP BYN BZD CAD CDF CHE CHF CHW CNY COP COU CRC
  CUP CVE CZK DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GTQ GYD HKD HNL HTG HUF IDR ILS INR IRR JMD KES KGS KHR KPW
  KYD KZT LAK LBP LKR LRD LSL MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MXV MYR MZN NAD NGN NIO NOK NPR NZD PAB PEN PGK PHP
  PKR PLN QAR RON RSD RUB SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS TMT TOP TRY TTD TWD TZS UAH USD USN
  UYU UZS VED VES WST XAD XCD XCG YER ZAR ZMW ZWG`;

const WITH_TWO_DECIMALS: ReadonlySet<string> = new Set(CODES.trim().split(/\s+/));

/** Returns whether a text is the code of a currency with two decimals, as all amounts have. */
export function hasTwoDecimals(code: string): boolean {
  return WITH_TWO_DECIMALS.has(code);
}
