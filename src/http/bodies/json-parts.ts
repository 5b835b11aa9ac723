import { wrongField } from '../../domain/refusals.ts';
import { JsonPart, MAX_NAME_LENGTH } from './form-entries.ts';
import { checkJsonText } from './json-text.ts';

const decoder = new TextDecoder('utf-8', { fatal: true });
const OBJECT_OR_LIST = /^[ \t\r\n]*[{[]/;

/** Reads the JSON in the fields of one form. The limits of a JSON body apply to all of them together. */
export class JsonParts {
  #structuralCharacters = 0;

  /** Returns a text that may be an object or a list as undeclared JSON, and any other text as it is. */
  fieldOf(name: string, text: string): string | JsonPart {
    return OBJECT_OR_LIST.test(text) ? this.#partOf(name, text, false) : text;
  }

  /** Returns a text that the client declared as JSON. */
  partOf(name: string, text: string): JsonPart {
    return this.#partOf(name, text, true);
  }

  /** @throws {Refusal} `invalid_request` naming the field, or a member that is given twice; `malformed_body` above the limits of JSON */
  parse(name: string, bytes: Uint8Array): unknown {
    const field = name.slice(0, MAX_NAME_LENGTH) || 'body';
    if (/[[\]]/.test(name)) throw wrongField(field, 'must have no brackets in its name, because it is JSON as a whole');
    this.#structuralCharacters = checkJsonText(bytes, { before: this.#structuralCharacters, path: [field] });
    try {
      return JSON.parse(decoder.decode(bytes));
    } catch {
      throw wrongField(field, 'is not JSON in UTF-8');
    }
  }

  #partOf(name: string, text: string, isDeclared: boolean): JsonPart {
    return new JsonPart(text, () => this.parse(name, Buffer.from(text)), isDeclared);
  }
}
