/** What was asked cannot be done. The message is a sentence, or one a line, for the operator. */
export class CannotDo extends Error {
  override readonly name: string = 'CannotDo';
}
