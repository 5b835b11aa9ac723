import { Refusal } from '../../domain/refusals.ts';

export interface JsonLimits {
  /** Maximum number of structural characters (RFC 8259, section 2): `{ } [ ] : ,` outside strings. */
  readonly structuralCharacters: number;
  /** Maximum nesting of objects and arrays. */
  readonly depth: number;
}

export const JSON_LIMITS: JsonLimits = { structuralCharacters: 100_000, depth: 64 };

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/**
 * Checks JSON text before it is parsed, because time and memory of parsing and validation grow with the number of values, up to a hundred
 * times the size of the text. Reads each byte once and stops at the limit. Text that is not JSON may pass.
 * @param before number of structural characters in other texts of the same body
 * @returns the sum with those of this text
 * @throws {Refusal} `malformed_body`
 */
export function checkJsonLimits(bytes: Uint8Array, before = 0, limits: JsonLimits = JSON_LIMITS): number {
  let structuralCharacters = before;
  let depth = 0;
  for (let at = 0; at < bytes.length; at++) {
    switch (bytes[at]) {
      case QUOTE:
        for (at++; at < bytes.length && bytes[at] !== QUOTE; at++) if (bytes[at] === BACKSLASH) at++;
        continue;
      case 0x7b: // {
      case 0x5b: // [
        depth++;
        break;
      case 0x7d: // }
      case 0x5d: // ]
        depth--;
        break;
      case 0x3a: // :
      case 0x2c: // ,
        break;
      default:
        continue;
    }
    structuralCharacters++;
    if (structuralCharacters > limits.structuralCharacters) {
      const most = limits.structuralCharacters.toLocaleString('en-US');
      throw new Refusal(
        'malformed_body',
        `The body has more than ${most} structural characters ({ } [ ] : ,) outside strings`,
      );
    }
    if (depth > limits.depth) {
      throw new Refusal('malformed_body', `The body nests objects and arrays deeper than ${limits.depth} levels`);
    }
  }
  return structuralCharacters;
}
