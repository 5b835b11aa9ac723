import { wrongFields } from '../../domain/input.ts';
import { type FieldError, Refusal } from '../../domain/refusals.ts';

type Parts = Readonly<Record<string, () => unknown>>;
type Judged<P extends Parts> = { readonly [Name in keyof P]: Awaited<ReturnType<P[Name]>> };

/**
 * Judges the parts of a request one after the other, and refuses it once for the wrong fields of all. A field is named once, by
 * the first part in which it is wrong.
 * @throws {Refusal} `invalid_request`; another one that a part throws, at once
 */
export async function judgedTogether<P extends Parts>(parts: P): Promise<Judged<P>> {
  const values: [string, unknown][] = [];
  const wrong = new Map<string, FieldError>();
  for (const [name, judge] of Object.entries(parts)) {
    try {
      values.push([name, await judge()]);
    } catch (thrown) {
      if (!(thrown instanceof Refusal) || thrown.code !== 'invalid_request' || thrown.fields.length === 0) throw thrown;
      for (const one of thrown.fields) if (!wrong.has(one.field)) wrong.set(one.field, one);
    }
  }
  if (wrong.size > 0) throw wrongFields([...wrong.values()]);
  return Object.fromEntries(values) as Judged<P>;
}
