/** A document whose `view` is a resource as the API returns it; `extra` holds what the resource does not contain. */
export interface ResourceDocument<Resource, Extra> {
  readonly view: Resource;
  readonly extra: Extra;
}

const HEAD = '{"view":';
const TAIL = ',"extra":';

/**
 * Returns the JSON text of the resource in a stored document without parsing it, because single reads are hot. `extra` holds
 * no free text, so it begins at the last `,"extra":`.
 */
export function resourceJsonOf(body: string): string {
  const end = body.lastIndexOf(TAIL);
  if (!body.startsWith(HEAD) || end < 0) throw new Error('not the text of a document with a view');
  return body.slice(HEAD.length, end);
}
