import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import {
  foldText,
  isFoundBy,
  rangesOf,
  rangesOfWord,
  type SearchFields,
  searchTextOf,
  type TermRange,
  termsOf,
} from './search-text.ts';

const customer: SearchFields = {
  name: 'Zoë Ọmọ́táyọ̀ O’Neil-Straße',
  email: 'zoe.o@shop.example',
  phone: '+234 (803) 555-0102',
  codes: ['C-100/7', null],
};
const policy: SearchFields = { numbers: ['LAG-FXYSYCAQGH'] };

const finds = (fields: SearchFields, text: string): boolean => isFoundBy(fields, searchTextOf(text));

/** Returns whether a range of the text has a term of the fields, whichever of its words is read. */
function isRead(fields: SearchFields, given: string): boolean {
  const text = searchTextOf(given);
  const isIn = (term: string, ranges: readonly TermRange[]): boolean =>
    ranges.some(({ from, through }) =>
      [from, term, through].every((one, at, all) => at === 0 || utf8(all[at - 1]) <= utf8(one)),
    );
  const isReadBy = (ranges: readonly TermRange[]): boolean => termsOf(fields).some((term) => isIn(term, ranges));
  if (isReadBy(rangesOf(text))) return true;
  const ofWords = text.longestWords.map((word) => rangesOfWord(word, text));
  return ofWords.length > 0 && ofWords.every(isReadBy);
}

const utf8 = (text = ''): string => Buffer.from(text).toString('hex');

test('A phone that ends with zeros and few other digits is found by them', () => {
  const caller = { phone: '+2340000001041' };
  for (const text of ['0001041', '0000001041', '+2340000001041'])
    expect([text, finds(caller, text), isRead(caller, text)]).toEqual([text, true, true]);
});

describe('A customer', () => {
  test.each([
    'zoe',
    'ZOË',
    'omotayo zoe',
    'strasse-oneil',
    'ONEIL STRASSE',
    'o’neil',
    'zo\u00ade\u200b\u0308',
    'ｚｏｅ',
    'zoe omotayo oneil strasse',
    ' zoe.o@sh',
    'zoe.o@shop.example',
    '55-0102',
    '0803 555 0102',
    '(803) 555-0102',
    'c-1',
    'C-100/7',
  ])('is found by %p', (text) => {
    expect([finds(customer, text), isRead(customer, text)]).toEqual([true, true]);
  });

  test.each(['z', 'zoe x', 'mo', 'neil', 'shop.example', '50102', '100/7', 'C-', '\u200b', '🙂', 'zoemo', '02x0102'])(
    'is not found by %p',
    (text) => {
      expect(finds(customer, text)).toBe(false);
    },
  );
});

test.each([
  ['LAG-FXYSYCAQGH', true],
  ['lag', true],
  ['la', false],
  ['aqgh', true],
  ['QGH', false],
  ['FXYS', false],
])('Whether a policy is found by %p: %p', (text, expected) => {
  expect(finds(policy, text)).toBe(expected);
  if (expected) expect(isRead(policy, text)).toBe(true);
});

test('A thing of one character, or of signs alone, is found by the whole', () => {
  for (const text of ['7', '李', '🙂', '#'])
    expect([finds({ codes: [text] }, text), isRead({ codes: [text] }, text)]).toEqual([true, true]);
});

test('A name becomes at most 11 terms of 50 characters, and of a text at most 3 words are counted', () => {
  const name = Array.from({ length: 99 }, (_, at) => '𝒜𐐷'.repeat(at + 30)).join(' ');
  expect(termsOf({ name }).length).toBeLessThanOrEqual(11);
  expect(termsOf({ name }).every((term) => Array.from(term).length <= 51 && term.isWellFormed())).toBe(true);
  expect(searchTextOf(name).longestWords).toHaveLength(3);
  expect([finds({ name }, name), isRead({ name }, name)]).toEqual([true, true]);
});

const text = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc.string({ unit: 'binary' }),
  fc.string({ unit: 'grapheme-ascii' }),
);

test('What is found by a text is read by a range of it', () => {
  fc.assert(
    fc.property(
      fc.record({ name: text, email: text, phone: fc.option(text), codes: fc.array(text), numbers: fc.array(text) }),
      text,
      fc.nat(5),
      (fields, other, cut) => {
        const { name, email, codes, numbers } = fields;
        const words = name.split(' ').reverse().join(' ');
        for (const given of [other, name, email, ...codes, ...numbers, words, name.slice(0, cut), email.slice(-cut)])
          expect(isRead(fields, given) || !finds(fields, given)).toBe(true);
        for (const given of [name, email, ...codes, ...numbers])
          expect(finds(fields, given)).toBe(searchTextOf(given).whole !== '');
      },
    ),
  );
});

test('A folded text folds to itself, and so do its case and its decomposed form', () => {
  fc.assert(
    fc.property(text, (given) => {
      const folded = foldText(given);
      expect(foldText(folded)).toBe(folded);
      expect(foldText(given.normalize('NFD'))).toBe(folded);
      expect(foldText(given.toLowerCase())).toBe(folded);
    }),
  );
});
