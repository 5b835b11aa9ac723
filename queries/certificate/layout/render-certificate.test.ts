import { createHash } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { type Certificate, LAYOUT_VERSION } from '../certificate.ts';
import { textsOf } from '#test/support/pdf-text.ts';
import { loadFonts } from './fonts.ts';
import { renderCertificate } from './render-certificate.ts';

/**
 * SHA-256 of the PDF of `SAMPLE` by version of the layout. When the bytes change, raise `LAYOUT_VERSION` and add a
 * line.
 */
const BYTES: Readonly<Record<number, string>> = {
  1: 'eff91d66aef591fcee0beef348e82530ca0cdbd8ff097820524fc0a2f30ae6c7',
  // Other bytes for characters that print nothing, marks that are not composed, and long notes.
  2: 'eff91d66aef591fcee0beef348e82530ca0cdbd8ff097820524fc0a2f30ae6c7',
};

const amounts = [
  { heading: 'Coverage', part: 0.7 },
  { heading: 'Limit', part: 0.3, isAmount: true },
] as const;

const SAMPLE: Certificate = {
  title: 'Certificate of insurance',
  subtitle: 'The policy as it is recorded.',
  notice: 'Cancelled. The last day of cover is 31 August 2026.',
  testMode: true,
  policyId: '0b0c1d2e-3f40-4a5b-8c6d-7e8f90a1b2c3',
  policyNumber: 'MOT-1',
  from: '2026-03-10',
  sections: [
    { heading: 'Policy', fields: [['Policy holder', 'Ọlábísí o ọ ṣ s Okafor']] },
    {
      heading: 'Coverages',
      table: {
        columns: amounts,
        rows: [
          { cells: ['Third party', '1,000.00'], note: 'Covered items: glass' },
          { cells: ['Total', '1,000.00'], isTotal: true },
        ],
      },
    },
  ],
};

const fonts = loadFonts();
const render = async (changes: Partial<Certificate> = {}, usedFonts = fonts): Promise<Uint8Array> => {
  const pdf = await renderCertificate(JSON.stringify({ ...SAMPLE, ...changes }), usedFonts);
  if (pdf === undefined) throw new Error('the certificate is too large');
  return pdf;
};
const hashOf = (pdf: Uint8Array): string => createHash('sha256').update(pdf).digest('hex');
const rowsOf = (cells: readonly string[][], heading = 'Coverages'): Partial<Certificate> => ({
  sections: [{ heading, table: { columns: amounts, rows: cells.map((one) => ({ cells: one })) } }],
});

describe('the PDF of a certificate', () => {
  test('has other bytes only in another version of the layout', async () => {
    expect(hashOf(await render())).toBe(BYTES[LAYOUT_VERSION]);
  });

  test('has the same bytes whatever was made before it', async () => {
    const used = loadFonts();
    // One character with the glyph that the font has for f and i.
    await render({ title: 'Certi\ufb01cate' }, used);
    expect(hashOf(await render({}, used))).toBe(hashOf(await render()));
  });

  test('has all texts, and page numbers', async () => {
    expect(textsOf(await render())).toEqual([
      [
        'TEST',
        'Certificate of insurance',
        'The policy as it is recorded.',
        'Cancelled. The last day of cover is 31 August 2026.',
        'Policy',
        'Policy holder',
        'Ọlábísí o ọ ṣ s Okafor',
        'Coverages',
        'Coverage',
        'Limit',
        'Third party',
        '1,000.00',
        'Covered items: glass',
        'Total',
        '1,000.00',
        'Certificate of insurance · policy id 0b0c1d2e-3f40-4a5b-8c6d-7e8f90a1b2c3',
        '1 of 1',
      ],
    ]);
  });

  test('repeats TEST and the headings of a table on every page', async () => {
    const names = Array.from({ length: 100 }, (_, index) => `Cover ${index}`);
    const pages = textsOf(await render(rowsOf(names.map((name) => [name, '1.00']))));
    expect(pages.length).toBeGreaterThan(2);
    for (const [index, texts] of pages.entries()) {
      expect(texts).toEqual(expect.arrayContaining(['TEST', 'Coverage', `${index + 1} of ${pages.length}`]));
    }
    expect(pages.flat().filter((text) => text.startsWith('Cover '))).toEqual(names);
  });

  test('has no TEST outside of test mode', async () => {
    expect(textsOf(await render({ testMode: false })).flat()).not.toContain('TEST');
  });

  test('breaks long names and rows that are longer than a page', async () => {
    const name = 'Wolfeschlegel'.repeat(1_000);
    const pages = textsOf(await render(rowsOf([[name, '1.00']])));
    const written = pages.flatMap((texts) => texts.filter((text) => /^[Wolfeschg]+$/.test(text)));
    expect([pages.length > 3, written.join('')]).toEqual([true, name]);
  });

  test.each([
    ['دلو', '\\u{62f}\\u{644}\\u{648}'],
    ['😀', '\\u{1f600}'],
    ['a\u202eb\u0000\ud800', 'ab\\u{0}\\u{d800}'],
    ['Ada\u200d\u00adObi\ufe0f\u061c\u3164', 'AdaObi'],
    ['i\u0301', '\u00ed'],
    ['12 Marina\r\nLagos\u2028Island', '12 Marina Lagos Island'],
    ['Łódź Αθήνα Київ ₦', 'Łódź Αθήνα Київ ₦'],
  ])('has %j as %s', async (text, shown) => {
    expect(textsOf(await render({ subtitle: text }))[0]).toContain(shown);
  });

  test('has no dot where an accent replaces it, also where the font has no letter with both', () => {
    const glyphsOf = (text: string) => fonts.regular.layout(text).glyphs.map(({ id }) => id);
    const [dotted = 0] = glyphsOf('\u1ecb');
    expect(glyphsOf('\u1ecb\u0301')).not.toContain(dotted);
    // Where no mark replaces a dot, a letter with a mark is one glyph, which can be copied.
    expect(glyphsOf('\u1ecd')).toHaveLength(1);
  });

  const notesOf = (notes: readonly string[]): Partial<Certificate> => ({
    sections: [
      { heading: 'Coverages', table: { columns: amounts, rows: notes.map((note) => ({ cells: ['a', '1'], note })) } },
    ],
  });

  test('shows the start of long covered items, by what is drawn', async () => {
    for (const [letter, drawn] of [
      ['x', 'x'],
      ['\uac00', '\\u{ac00}'],
    ] as const) {
      const texts = textsOf(await render(notesOf([letter.repeat(200_000), 'glass']))).flat();
      const written = texts.filter((text) => /^(?:x|\\u\{ac00\}|\u2026)+$/.test(text)).join('');
      expect(written).toBe(`${drawn.repeat(2_000 / drawn.length)}\u2026`);
      expect(texts).toContain('glass');
    }
  });

  test('is not made where it would draw more than 100,000 characters', async () => {
    const json = (letter: string) =>
      JSON.stringify({ ...SAMPLE, ...notesOf(Array.from({ length: 60 }, () => letter.repeat(1_000))) });
    expect(await renderCertificate(json('x'), fonts)).toBeDefined();
    expect(await renderCertificate(json('\uac00'), fonts)).toBeUndefined();
  });
});
