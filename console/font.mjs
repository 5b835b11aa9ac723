/** Makes the fonts of the console: the letters of the Latin script of Noto Sans, as WOFF2. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { brotliCompressSync, constants } from 'node:zlib';
import { create } from 'fontkit';

/**
 * Letters of the European languages in Latin script, Vietnamese, Yoruba, Hausa and Igbo, their combining marks,
 * punctuation and currencies. Other scripts use a font of the system.
 */
const RANGES =
  '20-7e a0-17f 181 18a 198-199 1a0-1a1 1af-1b4 1cd-1dc 1e6-1e7 1f8-1f9 218-21b 253 257 2bc 300-30c 31b 323-328 ' +
  '331 1e0c-1e0d 1e20-1e25 1e3e-1e45 1e62-1e63 1e80-1e85 1e9e 1ea0-1ef9 2010-2026 2030-203a 20a6-20ac 2212 fffd';

/** Tags of the tables that WOFF2 knows by number. */
const KNOWN_TAGS = 'cmap head hhea hmtx maxp name OS/2 post cvt  fpgm glyf loca prep'.match(/.{4}(?: |$)/g);

/** Returns the subset of a weight, `400Regular` or `600SemiBold`, as the bytes of a WOFF2 file. */
export function consoleFont(weight) {
  const file = `@expo-google-fonts/noto-sans/${weight}/NotoSans_${weight}.ttf`;
  const source = readFileSync(createRequire(import.meta.url).resolve(file));
  const font = create(source);
  const subset = font.createSubset();
  const codes = RANGES.split(' ').flatMap((range) => {
    const [first, last = first] = range.split('-').map((code) => Number.parseInt(code, 16));
    return Array.from({ length: last - first + 1 }, (_, at) => first + at);
  });
  const glyphs = codes
    .filter((code) => font.hasGlyphForCodePoint(code))
    .map((code) => [code, subset.includeGlyph(font.glyphForCodePoint(code).id)]);
  const tables = tablesOf(Buffer.from(subset.encode()));
  tables.set('cmap', characterMap(glyphs));
  tables.set('OS/2', tablesOf(source).get('OS/2'));
  tables.set('name', Buffer.from([0, 0, 0, 0, 0, 6]));
  tables.set('post', Buffer.concat([Buffer.from([0, 3, 0, 0]), Buffer.alloc(28)]));
  return woff2(tables);
}

function tablesOf(file) {
  return new Map(
    Array.from({ length: file.readUInt16BE(4) }, (_, index) => {
      const entry = 12 + 16 * index;
      const offset = file.readUInt32BE(entry + 8);
      const tag = file.toString('latin1', entry, entry + 4);
      return [tag, file.subarray(offset, offset + file.readUInt32BE(entry + 12))];
    }),
  );
}

/** Makes a `cmap` of format 12: one group for each character, in their order. */
function characterMap(glyphs) {
  const groups = Buffer.alloc(12 * glyphs.length);
  glyphs.forEach(([code, glyph], index) => {
    groups.writeUInt32BE(code, 12 * index);
    groups.writeUInt32BE(code, 12 * index + 4);
    groups.writeUInt32BE(glyph, 12 * index + 8);
  });
  const head = Buffer.alloc(28);
  // One table, for Windows and UCS-4, after this header of 12 bytes.
  head.writeUInt16BE(1, 2);
  head.writeUInt16BE(3, 4);
  head.writeUInt16BE(10, 6);
  head.writeUInt32BE(12, 8);
  head.writeUInt16BE(12, 12);
  head.writeUInt32BE(16 + groups.length, 16);
  head.writeUInt32BE(glyphs.length, 24);
  return Buffer.concat([head, groups]);
}

/** Packs tables as https://www.w3.org/TR/WOFF2/ says, without its transforms. */
function woff2(tables) {
  // `loca` follows `glyf`.
  const sorted = [...tables].toSorted(([one], [other]) => (one < other ? -1 : 1));
  const directory = sorted.map(([tag, { length }]) => {
    const known = KNOWN_TAGS.findIndex((name) => name.slice(0, 4) === tag);
    // Version 3 of these two is the table as it is.
    const version = tag === 'glyf' || tag === 'loca' ? 0xc0 : 0;
    return Buffer.from([known | version, ...base128(length)]);
  });
  const data = Buffer.concat(sorted.map(([, table]) => table));
  const options = { params: { [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_FONT } };
  const compressed = brotliCompressSync(data, options);
  const entries = Buffer.concat(directory);
  const sfntSize = sorted.reduce((sum, [, { length }]) => sum + 16 + Math.ceil(length / 4) * 4, 12);
  const head = Buffer.alloc(48);
  head.write('wOF2', 'latin1');
  head.writeUInt32BE(0x00010000, 4);
  head.writeUInt16BE(sorted.length, 12);
  head.writeUInt32BE(sfntSize, 16);
  head.writeUInt32BE(compressed.length, 20);
  const length = head.length + entries.length + compressed.length;
  const padding = Buffer.alloc((4 - (length % 4)) % 4);
  head.writeUInt32BE(length + padding.length, 8);
  return Buffer.concat([head, entries, compressed, padding]);
}

/** Encodes a number as UIntBase128. */
function base128(number) {
  const bytes = [number & 0x7f];
  for (let rest = number >>> 7; rest > 0; rest >>>= 7) bytes.unshift((rest & 0x7f) | 0x80);
  return bytes;
}
