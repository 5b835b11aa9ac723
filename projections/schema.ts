import type { z } from 'zod';

type DeepReadonly<Value> = Value extends object ? { readonly [Name in keyof Value]: DeepReadonly<Value[Name]> } : Value;

export type ResourceOf<Schema extends z.ZodType> = DeepReadonly<z.infer<Schema>>;

/** A document whose `view` is a resource as the API returns it; `extra` holds what the resource does not contain. */
export interface ResourceDocument<Resource, Extra> {
  readonly extra: Extra;
  /** The last member of the text (`resourceJsonOf`). */
  readonly view: Resource;
}

const HEAD = '{"extra":';
const VIEW = ',"view":';

/**
 * Returns the JSON text of the resource in a stored document without parsing it, because single reads are hot. No
 * member within `extra` is called `view`, so the resource begins at the first `,"view":`.
 */
export function resourceJsonOf(body: string): string {
  const start = body.indexOf(VIEW);
  if (!body.startsWith(HEAD) || start < 0) throw new Error('not the text of a document with a view');
  return body.slice(start + VIEW.length, -1);
}
