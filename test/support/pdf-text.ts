/** Returns the texts of a PDF that certificates are: by page, in the order in which they are written. */
export function textsOf(pdf: Uint8Array): readonly (readonly string[])[] {
  const content = Buffer.from(pdf).toString('latin1');
  const objects = new Map(
    [...content.matchAll(/(\d+) 0 obj\n(.*?)\nendobj/gs)].map(([, id = '', text = '']) => [id, text]),
  );
  const referenced = (text: string, name: string): string =>
    objects.get(new RegExp(`/${name} (\\d+) 0 R`).exec(text)?.[1] ?? '') ?? '';
  const pages = [...objects.values()].filter((text) => /\/Type \/Page\n/.test(text));
  return pages.map((page) => {
    const resources = referenced(page, 'Resources');
    const fonts = new Map(
      ['F1', 'F2'].map((name) => [name, charactersOf(referenced(referenced(resources, name), 'ToUnicode'))]),
    );
    let characters: readonly string[] = [];
    const texts: string[] = [];
    for (const [, font, glyphs = ''] of referenced(page, 'Contents').matchAll(/\/(F\d) [\d.]+ Tf|\[(.*)\] TJ/g)) {
      if (font === undefined)
        texts.push(
          [...glyphs.matchAll(/<([0-9a-f]+)>/g)]
            .flatMap(([, hex = '']) => hex.match(/.{4}/g) ?? [])
            .map((glyph) => characters[Number.parseInt(glyph, 16)])
            .join(''),
        );
      else characters = fonts.get(font) ?? [];
    }
    return texts;
  });
}

/** Returns the characters of the glyphs of a font. */
function charactersOf(map: string): readonly string[] {
  const entries = [...map.matchAll(/> \[(.*)\]/g)].flatMap(([, chunk = '']) =>
    [...chunk.matchAll(/<([0-9a-f ]*)>/g)].map(([, entry = '']) => entry.match(/[0-9a-f]+/g) ?? []),
  );
  return entries.map((units) => String.fromCharCode(...units.map((unit) => Number.parseInt(unit, 16))));
}
