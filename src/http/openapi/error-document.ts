import { REFUSAL_CODES } from '../../domain/refusals.ts';
import { PROBLEM_TYPES } from '../messages/problem-types.ts';
import type { Document } from './document.ts';
import { ERROR_EXPLANATIONS } from './error-explanations.ts';

/** Makes the page of all codes, sorted by status. The `type` of a problem links to the anchor of its code. */
export function errorDocument(): Document {
  const codes = REFUSAL_CODES.toSorted((a, b) => PROBLEM_TYPES[a].status - PROBLEM_TYPES[b].status);
  return {
    title: 'Error codes',
    introduction: [
      'Every error answer of Surety is a problem (RFC 9457) with a `code` of this list. Codes never change their meaning; new codes may be added. `detail` describes the occurrence, `errors` lists every wrong field; the member `error` repeats the text of `detail`.',
    ],
    sections: codes.map((code) => {
      const { status, title } = PROBLEM_TYPES[code];
      const { meaning, action } = ERROR_EXPLANATIONS[code];
      return { title: code, paragraphs: [`${status}: ${title}.`, meaning, `What to do: ${action}`] };
    }),
  };
}
