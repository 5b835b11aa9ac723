/** Exit codes. */
export const EXIT = { done: 0, failed: 1, wrongUse: 2, interrupted: 130 } as const;

/** The command line is invalid. The message is a sentence. */
export class WrongUse extends Error {
  override readonly name = 'WrongUse';
}

export { OperatorError } from '../operator-error.ts';
