import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { caseFoldedName } from './provider.ts';

describe('Names of providers', () => {
  test.each([
    ['another case', ' LEADWAY  assurance '],
    ['full width', 'Ｌｅａｄｗａｙ　Ａｓｓｕｒａｎｃｅ'],
    ['mathematical letters', '𝐋𝐞𝐚𝐝𝐰𝐚𝐲 𝐀𝐬𝐬𝐮𝐫𝐚𝐧𝐜𝐞'],
    ['a zero-width joiner', 'Lead\u{200d}way Assurance'],
    ['a soft hyphen and a byte order mark', 'Lead\u{ad}way\u{feff} Assurance'],
    ['marks of direction', '\u{202e}Leadway\u{202c} \u{2066}Assurance'],
    ['a variation selector, a Hangul filler and a tag', 'Leadway\u{fe0f} Assurance\u{3164}\u{e0041}'],
  ])('are the same with %s', (_difference, name) => {
    expect(caseFoldedName(name)).toBe('leadway assurance');
  });

  test.each([
    ['a composed and a decomposed letter', 'Écu', 'E\u{301}cu'],
    ['an invisible character within a decomposed letter', 'Écu', 'E\u{34f}\u{301}cu'],
    ['a ligature and its letters', 'Fidelity ﬁrst', 'fidelity FIRST'],
    ['a sharp s, its capital and its letters', 'Straße', 'STRAẞE'],
    ['a sharp s and its letters', 'Straße', 'STRASSE'],
    ['both forms of the small sigma', 'Οδος', 'ΟΔΟΣ'],
  ])('are the same with %s', (_difference, one, other) => {
    expect(caseFoldedName(one)).toBe(caseFoldedName(other));
  });

  test.each([
    ['a Cyrillic letter', 'Leadway', 'Leаdway'],
    ['an accent', 'Leadway', 'Léadway'],
    ['a space', 'Leadway', 'Lead way'],
    ['a hyphen', 'Leadway', 'Lead-way'],
  ])('differ by %s', (_difference, one, other) => {
    expect(caseFoldedName(one)).not.toBe(caseFoldedName(other));
  });

  test('are compared by the same text whatever case and form of Unicode they are in', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (name) => {
        const compared = caseFoldedName(name);
        for (const same of [compared, name.toUpperCase(), name.toLowerCase(), name.normalize('NFKD')])
          expect(caseFoldedName(same)).toBe(compared);
      }),
    );
  });
});
