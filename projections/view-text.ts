/** A document whose `view` is an answer of the interface as it stands, and `extra` what the answer does not show. */
export interface Viewed<View, Extra> {
  readonly view: View;
  readonly extra: Extra;
}

const HEAD = '{"view":';
const TAIL = ',"extra":';

/**
 * The JSON text of a stored document's `view`, cut out without parsing: for single reads, which are hot. `extra` holds
 * ids, days and flags only, so the last `,"extra":` is where it begins.
 */
export function viewText(body: string): string {
  const end = body.lastIndexOf(TAIL);
  if (!body.startsWith(HEAD) || end < 0) throw new Error('not the text of a document with a view');
  return body.slice(HEAD.length, end);
}
