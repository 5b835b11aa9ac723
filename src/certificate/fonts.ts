import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { create, type Font } from 'fontkit';

export type FontName = 'regular' | 'bold';
export type Fonts = Readonly<Record<FontName, Font>>;

const FILES: Readonly<Record<FontName, string>> = {
  regular: '400Regular/NotoSans_400Regular.ttf',
  bold: '700Bold/NotoSans_700Bold.ttf',
};

/** Control, format and unassigned characters, surrogates and line separators: fonts have empty glyphs for some. */
const INVISIBLE = /[\p{C}\p{Zl}\p{Zp}]/u;

/** Reads the fonts of certificates. Reading and parsing them takes longer than making a certificate. */
export function loadFonts(): Fonts {
  return { regular: loadFont('regular'), bold: loadFont('bold') };
}

function loadFont(name: FontName): Font {
  const file = createRequire(import.meta.url).resolve(`@expo-google-fonts/noto-sans/${FILES[name]}`);
  const font = create(readFileSync(file));
  if (font.type !== 'TTF') throw new Error(`${file} is not a TrueType font`);
  return font;
}

/**
 * Forgets the glyphs of earlier documents. fontkit keeps each with the characters for which it was first looked up, and a PDF contains them, so
 * that its bytes would depend on the documents before it.
 */
export function forgetGlyphs(fonts: Fonts): void {
  for (const font of Object.values(fonts)) {
    if (!('_glyphs' in font)) throw new Error('fontkit keeps glyphs elsewhere than in _glyphs');
    (font as Font & { _glyphs: object })._glyphs = {};
  }
}

const LINE_BREAKS = /[\t\r\n\u2028\u2029]+/gu;

/** Returns a text in one line, with `\u{…}` in place of every character that is invisible or that the fonts lack. */
export function printableText(text: string, fonts: Fonts): string {
  const isPrintable = (character: string, codePoint: number): boolean =>
    !INVISIBLE.test(character) && Object.values(fonts).every((font) => font.hasGlyphForCodePoint(codePoint));
  return Array.from(text.replace(LINE_BREAKS, ' '), (character) => {
    const codePoint = character.codePointAt(0) ?? 0;
    return isPrintable(character, codePoint) ? character : `\\u{${codePoint.toString(16)}}`;
  }).join('');
}
