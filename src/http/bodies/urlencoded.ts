import { Refusal } from '../../domain/refusals.ts';
import type { FormEntry } from './form-entries.ts';

/**
 * The fields of an `application/x-www-form-urlencoded` text (WHATWG URL, 5.1), but for one thing: what is not well
 * percent-encoded UTF-8 is refused instead of being replaced.
 * @throws {Refusal} `malformed_body`
 */
export function urlencodedEntries(text: string): readonly FormEntry[] {
  return text
    .split('&')
    .filter((field) => field !== '')
    .map((field) => {
      const at = field.indexOf('=');
      const [name, value] = at === -1 ? [field, ''] : [field.slice(0, at), field.slice(at + 1)];
      return { name: decoded(name), value: decoded(value) };
    });
}

function decoded(text: string): string {
  const spaced = text.replaceAll('+', ' ');
  if (!spaced.includes('%')) return spaced;
  try {
    return decodeURIComponent(spaced);
  } catch {
    throw new Refusal('malformed_body', 'The form is not well percent-encoded UTF-8');
  }
}
