import { wrongField } from '../../domain/refusals.ts';

/** Names are told in answers and logs only so far. */
const LONGEST_NAME = 200;

/** The query string as an object of texts. @throws {Refusal} `invalid_request` when a parameter is given twice */
export function parseSearch(search: string): Readonly<Record<string, string>> {
  const parameters = new Map<string, string>();
  for (const [name, value] of new URLSearchParams(search)) {
    if (parameters.has(name)) throw wrongField(name.slice(0, LONGEST_NAME), 'must be given once');
    if (value.includes('\0')) throw wrongField(name.slice(0, LONGEST_NAME), 'must not contain NUL');
    parameters.set(name, value);
  }
  return Object.fromEntries(parameters);
}
