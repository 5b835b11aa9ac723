import { wrongFields } from '../../domain/refusals.ts';
import { type FieldError, Refusal } from '../../domain/refusals.ts';

type Parts = Readonly<Record<string, () => unknown>>;
type Parsed<P extends Parts> = { readonly [Name in keyof P]: Awaited<ReturnType<P[Name]>> };

/**
 * Parses the parts of a request in order, and reports the wrong fields of all parts in one refusal. A field that is wrong in several parts
 * is reported once, with the first message.
 * @throws {Refusal} `invalid_request`, or the first other refusal of a part
 */
export async function parseParts<P extends Parts>(parts: P): Promise<Parsed<P>> {
  const values: [string, unknown][] = [];
  const wrong = new Map<string, FieldError>();
  for (const [name, parse] of Object.entries(parts)) {
    try {
      values.push([name, await parse()]);
    } catch (thrown) {
      if (!(thrown instanceof Refusal) || thrown.code !== 'invalid_request' || thrown.fields.length === 0) throw thrown;
      for (const one of thrown.fields) if (!wrong.has(one.field)) wrong.set(one.field, one);
    }
  }
  if (wrong.size > 0) throw wrongFields([...wrong.values()]);
  return Object.fromEntries(values) as Parsed<P>;
}
