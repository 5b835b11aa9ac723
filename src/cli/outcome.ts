/** How a run ended, as its exit code. */
export const EXIT = { done: 0, failed: 1, wrongUse: 2, interrupted: 130 } as const;

/** A command line that says nothing Surety knows. The message is a sentence. */
export class WrongUse extends Error {
  override readonly name = 'WrongUse';
}

export { OperatorError } from '../operator-error.ts';
