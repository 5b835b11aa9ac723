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
  const layout = font.layout.bind(font);
  font.layout = (text, features) => layout(text, features ?? { ccmp: SOFT_DOTTED_WITH_MARK.test(text) });
  return font;
}

/**
 * A letter with a dot that a mark replaces, such as i with a dot below and an acute. Only for these words the font
 * composes glyphs (`ccmp`): it would write every other letter with a mark as two, and a text that is copied from the
 * PDF would lose the mark.
 */
const SOFT_DOTTED_WITH_MARK = /\p{Soft_Dotted}\p{M}/u;

/**
 * Forgets the glyphs of earlier documents. fontkit keeps each with the characters for which it was first looked up, and
 * a PDF contains them, so that its bytes would depend on the documents before it.
 */
export function forgetGlyphs(fonts: Fonts): void {
  for (const font of Object.values(fonts)) {
    if (!('_glyphs' in font)) throw new Error('fontkit keeps glyphs elsewhere than in _glyphs');
    (font as Font & { _glyphs: object })._glyphs = {};
  }
}

const LINE_BREAKS = /[\t\r\n\u2028\u2029]+/gu;
/**
 * Characters that print nothing, such as joiners and soft hyphens. Fonts have a space for some, which a copied text
 * would contain.
 */
const WITHOUT_SHAPE = /\p{Default_Ignorable_Code_Point}+/gu;

/**
 * Returns a text in one line and composed (NFC), without characters that print nothing, and with `\u{…}` in place of
 * every other one that is invisible or that the fonts lack.
 * @param longest characters after which the rest of the text is replaced by `…`; default: no limit
 */
export function printableText(text: string, fonts: Fonts, longest = Number.POSITIVE_INFINITY): string {
  const isPrintable = (character: string, codePoint: number): boolean =>
    !INVISIBLE.test(character) && Object.values(fonts).every((font) => font.hasGlyphForCodePoint(codePoint));
  let line = '';
  for (const character of text.normalize('NFC').replace(LINE_BREAKS, ' ').replace(WITHOUT_SHAPE, '')) {
    const codePoint = character.codePointAt(0) ?? 0;
    const printed = isPrintable(character, codePoint) ? character : `\\u{${codePoint.toString(16)}}`;
    if (line.length + printed.length > longest) return `${line}…`;
    line += printed;
  }
  return line;
}
