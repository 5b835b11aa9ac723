import { PROBLEM_CODES, PROBLEM_TYPES } from '../messages/problem-types.ts';
import type { Document } from './document.ts';

/** Makes the page of all codes, sorted by status. The `type` of a problem links to the anchor of its code. */
export function errorDocument(): Document {
  return {
    title: 'Error codes',
    introduction: [
      'Every error answer of Surety is a problem (RFC 9457) with a `code` of this list. Codes never change their meaning; new codes may be added. `detail` describes the occurrence, `errors` lists every wrong field.',
    ],
    sections: PROBLEM_CODES.map((code) => {
      const { status, title, meaning, action } = PROBLEM_TYPES[code];
      return { title: code, paragraphs: [`${status}: ${title}.`, meaning, `What to do: ${action}`] };
    }),
  };
}
