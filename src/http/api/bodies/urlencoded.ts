import { Refusal } from '../messages/problem-types.ts';
import { type FormEntry, type JsonParts, MAX_FIELDS } from './form-entries.ts';

const [PLUS, SPACE] = [0x2b, 0x20];

const decoder = new TextDecoder('utf-8', { fatal: true });

/**
 * Reads the fields of an `application/x-www-form-urlencoded` body (WHATWG URL, 5.1), but rejects invalid percent-encoding and UTF-8
 * instead of replacing them. Stops after one field more than `nestFields` accepts.
 * @throws {Refusal} `malformed_body`
 */
export function urlencodedEntries(bytes: Uint8Array, json: JsonParts): readonly FormEntry[] {
  const entries: FormEntry[] = [];
  for (const [field] of textOf(bytes).matchAll(/[^&]+/g)) {
    const at = field.indexOf('=');
    const [name, value] = at === -1 ? [field, ''] : [field.slice(0, at), field.slice(at + 1)];
    const fieldName = decodePercent(name);
    if (entries.push({ name: fieldName, value: json.fieldOf(fieldName, decodePercent(value)) }) > MAX_FIELDS) break;
  }
  return entries;
}

/** Decodes the body with spaces instead of plus signs, which are replaced in the bytes because that is faster. */
function textOf(bytes: Uint8Array): string {
  const spaced = new Uint8Array(bytes);
  for (let at = 0; at < spaced.length; at++) if (spaced[at] === PLUS) spaced[at] = SPACE;
  try {
    return decoder.decode(spaced);
  } catch {
    throw new Refusal('malformed_body', 'The body is not a form in UTF-8');
  }
}

function decodePercent(text: string): string {
  if (!text.includes('%')) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    throw new Refusal('malformed_body', 'The form is not validly percent-encoded UTF-8');
  }
}
