import { z } from 'zod';
import { parseInput } from '#event-sourcing/executor/parse-input.ts';
import { type FieldError, Refusal, wrongField, wrongFields } from '#domain/refusals.ts';

const MAX_NAME_LENGTH = 200;

export function splitUrl(url: string): { readonly pathname: string; readonly search: string } {
  const at = url.indexOf('?');
  return at === -1 ? { pathname: url, search: '' } : { pathname: url.slice(0, at), search: url.slice(at + 1) };
}

/**
 * Parses a query string into an object of texts.
 * @throws {Refusal} `invalid_request` when a parameter is given twice
 */
export function parseSearch(search: string): Readonly<Record<string, string>> {
  const parameters = new Map<string, string>();
  for (const [name, value] of new URLSearchParams(search)) {
    if (parameters.has(name)) throw wrongField(name.slice(0, MAX_NAME_LENGTH), 'must be given once');
    if (value.includes('\0')) throw wrongField(name.slice(0, MAX_NAME_LENGTH), 'must not contain NUL');
    parameters.set(name, value);
  }
  return Object.fromEntries(parameters);
}

export const noParameters = z.strictObject({});

/** Parses a query string with a schema. @throws {Refusal} `invalid_request` naming the wrong parameters */
export function parseQuery<S extends z.ZodType>(schema: S, search: string): z.output<S> {
  return parseInput(schema, parseSearch(search));
}

type Parts = Readonly<Record<string, () => unknown>>;
type Parsed<P extends Parts> = { readonly [Name in keyof P]: Awaited<ReturnType<P[Name]>> };

/**
 * Parses the parts of a request in order, and reports the wrong fields of all parts in one refusal. A field that is
 * wrong in several parts is reported once, with the first message.
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
