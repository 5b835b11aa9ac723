import { withoutInvisible } from '#event-sourcing/identifiers.ts';

/** What a thing is found by. Those of an event become terms; those of a document are compared with a text. */
export interface SearchFields {
  /** Found by the beginnings of its words. */
  readonly name?: string | undefined;
  readonly email?: string | undefined;
  /** Found by its last digits. */
  readonly phone?: string | null | undefined;
  /** Found whole and by their beginnings. */
  readonly codes?: readonly (string | null | undefined)[];
  /** Found whole, by their beginnings and by their ends. */
  readonly numbers?: readonly string[];
}

const MIN_WORD = 2;
const MIN_BEGINNING = 3;
const MIN_END = 4;
const MIN_PHONE = 6;

/** Words of a name that become terms. */
const MAX_WORDS = 10;
/** Words of a text of which one is read. */
const MAX_LONGEST_WORDS = 3;
/** Characters of a term. What is longer is compared with the document alone. */
const MAX_CHARACTERS = 50;

/** A text as it is searched for. */
export interface SearchText {
  /** Without spaces. */
  readonly whole: string;
  readonly words: readonly string[];
  /** Those of 2 letters and more, at most 3. A name that is found by the text is read by each of them. */
  readonly longestWords: readonly string[];
  /** Empty when the text is no part of a phone number. */
  readonly digits: string;
}

/** Terms that begin with the same text, or one term alone. Of the ranges of a text, the best matches come first. */
export interface TermRange {
  readonly from: string;
  readonly through: string;
}

/** Returns a text without case, accents and characters that show nothing. */
export function foldText(text: string): string {
  // Most texts: the rest would take several times as long and return the same.
  if (/^[ -~]*$/.test(text)) return text.toUpperCase();
  const plain = withoutInvisible(text.toWellFormed().normalize('NFKD')).replace(/\p{M}/gu, '');
  // JavaScript folds no case: the upper case of "ß" and "ς" is that of "ss" and "σ"; "ẞ" needs its lower case first.
  return plain.toLowerCase().toUpperCase();
}

/** Returns the text to search for. */
export function searchTextOf(text: string): SearchText {
  const whole = wholeOf(text);
  const words = wordsOf(text);
  const longestWords = [...new Set(words)]
    .filter((word) => word.length >= MIN_WORD)
    .toSorted((a, b) => b.length - a.length)
    .slice(0, MAX_LONGEST_WORDS);
  return { whole, words, longestWords, digits: /^[-+().\d]+$/.test(whole) ? phoneEndOf(digitsOf(whole)) : '' };
}

/** Returns the digits without the zeros that are dialled first; with them where they may be of the number itself. */
function phoneEndOf(typed: string): string {
  const dialled = typed.replace(/^0+/, '');
  return dialled.length >= MIN_PHONE ? dialled : typed;
}

/** Returns whether a thing with these fields is found by the text. */
export function isFoundBy(
  { name = '', email = '', phone, codes = [], numbers = [] }: SearchFields,
  { whole, words, longestWords, digits }: SearchText,
): boolean {
  const isFound = [
    wholeOf(name) === whole,
    longestWords.length > 0 && hasWords(wordsOf(name), words),
    beginsWith(email, whole, MIN_WORD),
    [...codes, ...numbers].some((code) => beginsWith(code ?? '', whole, MIN_BEGINNING)),
    whole.length >= MIN_END && numbers.some((number) => wholeOf(number).endsWith(whole)),
    digits.length >= MIN_PHONE && digitsOf(phone ?? '').endsWith(digits),
  ];
  return whole !== '' && isFound.includes(true);
}

/** Returns the terms under which a thing with these fields is found. */
export function termsOf({ name, email, phone, codes = [], numbers = [] }: SearchFields): readonly string[] {
  const wholes = [name, email, ...codes].map((text) => wholeOf(text ?? ''));
  // The whole name is read for its first word too.
  const words = wordsOf(name ?? '').filter((word) => !wholes[0]?.startsWith(word));
  const digits = digitsOf(phone ?? '');
  const terms = [
    ...wholes.map((text) => termOf('v', text)),
    ...words.slice(0, MAX_WORDS).map((word) => termOf('w', word)),
    ...numbers.flatMap((number) => [termOf('n', wholeOf(number)), termOf('e', reverse(wholeOf(number)))]),
    ...(digits.length >= MIN_PHONE ? [termOf('e', reverse(digits))] : []),
  ];
  return [...new Set(terms.filter((term) => term.length > 1))];
}

/** Returns the ranges of terms of all that the text finds but by words of a name, the best first. */
export function rangesOf({ whole, digits }: SearchText): readonly TermRange[] {
  const ends = digits.length >= MIN_PHONE ? digits : whole;
  return [
    ...(whole === '' ? [] : [onlyTerm('v', whole), onlyTerm('n', whole)]),
    ...(whole.length < MIN_WORD ? [] : [beginningWith('v', whole)]),
    ...(whole.length < MIN_BEGINNING ? [] : [beginningWith('n', whole)]),
    ...(ends.length < MIN_END ? [] : [beginningWith('e', reverse(ends))]),
  ];
}

/** Returns the ranges of terms of all names with a word, but those in `rangesOf` the text of the word. */
export function rangesOfWord(word: string, { whole }: SearchText): readonly TermRange[] {
  return [beginningWith('w', word), ...(word === whole ? [] : [beginningWith('v', word)])];
}

/** Of a whole name, e-mail or code; a later word of a name; a whole number; a number or phone from its end. */
type TermKind = 'v' | 'w' | 'n' | 'e';

function termOf(kind: TermKind, text: string): string {
  return kind + (text.length <= MAX_CHARACTERS ? text : Array.from(text).slice(0, MAX_CHARACTERS).join(''));
}

function onlyTerm(kind: TermKind, text: string): TermRange {
  return { from: termOf(kind, text), through: termOf(kind, text) };
}

/** No text sorts after the last code point. */
function beginningWith(kind: TermKind, text: string): TermRange {
  return { from: termOf(kind, text), through: `${termOf(kind, text)}\u{10FFFF}` };
}

/** Returns the words of a text: letters and digits, with what an apostrophe joins. */
function wordsOf(text: string): readonly string[] {
  return (
    foldText(text)
      .replace(/['’ʼ]/gu, '')
      .match(/[\p{L}\p{N}]+/gu) ?? []
  );
}

function wholeOf(text: string): string {
  return foldText(text).replace(/\s+/gu, '');
}

function digitsOf(text: string): string {
  return foldText(text).replace(/\D+/g, '');
}

function reverse(text: string): string {
  return Array.from(text).reverse().join('');
}

function beginsWith(text: string, whole: string, least: number): boolean {
  const value = wholeOf(text);
  return value === whole || (whole.length >= least && value.startsWith(whole));
}

function hasWords(words: readonly string[], wanted: readonly string[]): boolean {
  return wanted.every((word) => words.some((one) => one.startsWith(word)));
}
