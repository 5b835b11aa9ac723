/** The target already has an event of this command, so its result is read from there. Caught by `executeCommand`. */
export class AlreadyExecuted extends Error {
  override readonly name = 'AlreadyExecuted';
  readonly stream: string;
  constructor(stream: string) {
    super(`already executed in ${stream}`);
    this.stream = stream;
  }
}

/**
 * A concurrent command recorded the same idempotency key first. Caught by `executeCommand`, which continues from that
 * record.
 */
export class KeyAlreadyRecorded extends Error {
  override readonly name = 'KeyAlreadyRecorded';
}
