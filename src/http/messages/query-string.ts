import { z } from 'zod';
import { parseInput } from '../../command-handling/parse-input.ts';
import { wrongField } from '../../domain/refusals.ts';

const MAX_NAME_LENGTH = 200;

/** Splits a URL into path and query string. */
export function splitUrl(url: string): { readonly pathname: string; readonly search: string } {
  const at = url.indexOf('?');
  return at === -1 ? { pathname: url, search: '' } : { pathname: url.slice(0, at), search: url.slice(at + 1) };
}

/** Parses a query string into an object of texts. @throws {Refusal} `invalid_request` when a parameter is given twice */
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
