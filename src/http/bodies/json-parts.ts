import { wrongField } from '../../domain/refusals.ts';
import { LONGEST_NAME } from './form-entries.ts';
import { checkJsonLimits } from './json-limits.ts';

const decoder = new TextDecoder('utf-8', { fatal: true });

/** Reads the JSON parts of one multipart body. Together they have the limits of one JSON body. */
export class JsonParts {
  #structuralCharacters = 0;

  /** @throws {Refusal} `invalid_request` naming the field; `malformed_body` beyond the limits of JSON */
  read(name: string, bytes: Uint8Array): unknown {
    const field = name.slice(0, LONGEST_NAME) || 'body';
    if (/[[\]]/.test(name)) throw wrongField(field, 'must have no brackets in its name, because it is JSON as a whole');
    this.#structuralCharacters = checkJsonLimits(bytes, this.#structuralCharacters);
    try {
      return JSON.parse(decoder.decode(bytes));
    } catch {
      throw wrongField(field, 'is not JSON in UTF-8');
    }
  }
}
