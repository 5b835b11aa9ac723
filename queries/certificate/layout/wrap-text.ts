/** What is not broken: a replaced character (`printableText`), and a character with the marks on it. */
const CLUSTERS = /\\u\{[0-9a-f]+\}|\P{M}\p{M}*|\p{M}+/gu;

/**
 * Returns the lines of a text that are at most `width` wide. A word that is wider than a line is broken between
 * characters. Takes time in proportion to the length of the text.
 * @param widthOf returns the width of a text without line breaks
 */
export function wrapText(text: string, width: number, widthOf: (text: string) => number): readonly string[] {
  const space = widthOf(' ');
  const lines: string[] = [];
  let line = '';
  let used = 0;
  for (const word of text.split(' ')) {
    const wordWidth = widthOfWord(word, width, widthOf);
    if (line !== '' && used + space + wordWidth > width) {
      lines.push(line);
      line = '';
    }
    if (wordWidth > width) {
      const parts = brokenWord(word, width, widthOf);
      lines.push(...parts.slice(0, -1));
      line = parts.at(-1) ?? '';
      used = widthOf(line);
    } else if (line === '') {
      line = word;
      used = wordWidth;
    } else {
      line += ` ${word}`;
      used += space + wordWidth;
    }
  }
  return [...lines, line];
}

/** Longer words are not measured, because fonts take memory for all characters of a word at once. */
const MAX_MEASURED = 1000;

function widthOfWord(word: string, width: number, widthOf: (text: string) => number): number {
  return word.length > MAX_MEASURED ? width + 1 : widthOf(word);
}

function brokenWord(word: string, width: number, widthOf: (text: string) => number): readonly string[] {
  // A font needs longer for a text than for its characters, of which there are few different ones.
  const widths = new Map<string, number>();
  const widthOfCharacter = (character: string): number => {
    const known = widths.get(character) ?? widthOf(character);
    widths.set(character, known);
    return known;
  };
  const parts: string[] = [];
  let part = '';
  let used = 0;
  for (const [cluster] of word.matchAll(CLUSTERS)) {
    let clusterWidth = 0;
    for (const character of cluster) clusterWidth += widthOfCharacter(character);
    if (part !== '' && used + clusterWidth > width) {
      parts.push(part);
      part = '';
      used = 0;
    }
    part += cluster;
    used += clusterWidth;
  }
  return [...parts, part];
}
