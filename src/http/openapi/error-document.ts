import { REFUSAL_CODES } from '../../domain/refusals.ts';
import { PROBLEM_TYPES } from '../messages/problem-types.ts';
import type { Document } from './document.ts';
import { ERROR_EXPLANATIONS } from './error-explanations.ts';

/** Every code that a problem can have, by status. The anchor of a code is where the `type` of its problems leads. */
export function errorDocument(): Document {
  const codes = REFUSAL_CODES.toSorted((a, b) => PROBLEM_TYPES[a].status - PROBLEM_TYPES[b].status);
  return {
    title: 'Error codes',
    introduction: [
      'Every error answer of Surety is a problem (RFC 9457) with a `code` out of this list. A code never changes its meaning; new ones may come. `detail` says what went wrong this time, `errors` names every wrong field.',
    ],
    sections: codes.map((code) => {
      const { status, title } = PROBLEM_TYPES[code];
      const { means, todo } = ERROR_EXPLANATIONS[code];
      return { title: code, paragraphs: [`${status}: ${title}.`, means, `What to do: ${todo}`] };
    }),
  };
}
