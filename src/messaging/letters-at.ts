import { type DeadLetter, NoSuchLetters } from './messaging.ts';

/** Those of the letters that lie at these places, in their order. @throws {NoSuchLetters} when there is none at some of them */
export function lettersAt(places: readonly string[], letters: readonly DeadLetter[]): readonly DeadLetter[] {
  const wanted = new Set(places);
  const found = letters.filter(({ place }) => wanted.has(place));
  const missing = wanted.difference(new Set(found.map(({ place }) => place)));
  if (missing.size > 0) throw new NoSuchLetters([...missing]);
  return found;
}
