import { normalise } from '../../event-sourcing/identifiers.ts';

/** Characters without a glyph of their own: zero-width joiners, soft hyphens, variation selectors, marks of direction. */
const INVISIBLE = /\p{Default_Ignorable_Code_Point}/gu;

/**
 * Returns the text by which names of providers are compared, as Unicode's NFKC_Casefold: without case, width and invisible characters.
 * Letters of different scripts stay different.
 */
export function caseFoldedName(name: string): string {
  // JavaScript folds no case: the upper case of "ß" and "ς" is that of "ss" and "σ", but "ẞ" first needs its lower case.
  return normalise(name.normalize('NFKC').replace(INVISIBLE, '').toLowerCase().toUpperCase());
}
