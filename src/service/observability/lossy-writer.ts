import { pino } from 'pino';

/** Text that waits for a slow reader; what exceeds it is dropped. */
const MAX_WAITING_BYTES = 2 ** 16;
const RETRY_MS = 1_000;

/**
 * Writes lines to a file descriptor and never throws. It does not wait for the reader of a non-blocking pipe, as those
 * of Node are. Text that cannot be written, because the disk is full or nobody reads the pipe, waits in a bounded
 * buffer and is written when there is room; further lines are dropped.
 */
export class LossyWriter {
  readonly #stream: ReturnType<typeof pino.destination>;
  #failures = 0;
  #dropped = 0;

  constructor(fd: number) {
    const stream = pino.destination({ dest: fd, sync: true, maxLength: MAX_WAITING_BYTES, retryEAGAIN: () => false });
    this.#stream = stream;
    stream.on('drop', () => (this.#dropped += 1));
    // pino would throw the error, and stop writing for good after EPIPE.
    stream.removeAllListeners('error');
    let willRetry = false;
    stream.on('error', () => {
      this.#failures += 1;
      if (willRetry) return;
      willRetry = true;
      setTimeout(() => {
        willRetry = false;
        this.write('');
      }, RETRY_MS).unref();
    });
  }

  /** How many writes have failed. */
  get failures(): number {
    return this.#failures;
  }

  /** How many lines were dropped. */
  get dropped(): number {
    return this.#dropped;
  }

  /** Writes one line, which ends with a line feed, and what waits before it. */
  write(line: string): void {
    this.#stream.write(line);
  }
}
