import { wrongField } from '../../domain/refusals.ts';
import { MAX_NAME_LENGTH } from './form-entries.ts';
import { checkJsonText } from './json-text.ts';

const decoder = new TextDecoder('utf-8', { fatal: true });

/** Parses the JSON parts of one multipart body. The limits of a JSON body apply to all parts together. */
export class JsonParts {
  #structuralCharacters = 0;

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
}
