/** The command's own event stands in this stream already: answer from it. Never leaves the executor. */
export class AlreadyExecuted extends Error {
  override readonly name = 'AlreadyExecuted';
  readonly stream: string;
  constructor(stream: string) {
    super(`carried out already in ${stream}`);
    this.stream = stream;
  }
}

/** Somebody else recorded the same idempotency key first: go on from that record. Never leaves the executor. */
export class KeyRecordedMeanwhile extends Error {
  override readonly name = 'KeyRecordedMeanwhile';
}
