const MAX_EDITS = 3;

/**
 * Returns the part of the characters in which two names differ; infinite for more than three, or more than half of
 * them.
 */
export function nameDistance(a: string, b: string): number {
  const longer = Math.max(a.length, b.length);
  const most = Math.min(MAX_EDITS, longer / 2);
  if (Math.abs(a.length - b.length) > most) return Number.POSITIVE_INFINITY;
  const distance = editDistance(a, b, most);
  return distance > most ? Number.POSITIVE_INFINITY : distance / longer;
}

/** Returns the Levenshtein distance, or a number above `most` as soon as it is known to be higher. */
function editDistance(a: string, b: string, most: number): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 0; i < a.length; i += 1) {
    const next = [i + 1];
    for (let j = 0; j < b.length; j += 1) {
      const replaced = (row[j] ?? 0) + (a.codePointAt(i) === b.codePointAt(j) ? 0 : 1);
      next.push(Math.min(replaced, (row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1));
    }
    if (Math.min(...next) > most) return most + 1;
    row = next;
  }
  return row[b.length] ?? 0;
}
