import type { ServerResponse } from 'node:http';

const KIB = 1024;
const MIB = 1024 * KIB;

/** How much the responses of a process may wait for their clients. */
export interface ResponseLimits {
  /** A response that has bytes waiting and makes no progress between two checks, `stalledAfter` milliseconds apart, is cut. */
  readonly stalledAfter: number;
  /** The most bytes of responses that wait in the process; above that only small answers are sent. */
  readonly waitingBytes: number;
}

const LIMITS: ResponseLimits = { stalledAfter: 30_000, waitingBytes: 256 * MIB };

/** An answer up to this size is sent however many bytes wait. */
const SMALL_BYTES = 64 * KIB;
/** A larger one is written in parts, so that Node buffers one part at a time. */
const PART_BYTES = 64 * KIB;

/** Sends the bodies of responses, and knows how many of their bytes wait for clients to read. */
export class WaitingResponses {
  readonly #limits: ResponseLimits;
  readonly #onCut: () => void;
  #bytes = 0;

  /** @param onCut called when a response is cut because it made no progress */
  constructor(limits: Partial<ResponseLimits> | undefined, onCut: () => void) {
    this.#limits = { ...LIMITS, ...limits };
    this.#onCut = onCut;
  }

  /** Bytes of the responses that were not sent completely. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Returns whether an answer of `bytes` bytes may be sent now. */
  canBuffer(bytes: number): boolean {
    return bytes <= SMALL_BYTES || this.#bytes + bytes <= this.#limits.waitingBytes;
  }

  /** Sends the body of a response whose head is written, and ends it. `bytes` is the length of the body. */
  end(response: ServerResponse, body: string | Uint8Array | undefined, bytes: number): void {
    if (bytes > SMALL_BYTES && body !== undefined) {
      this.#watch(response, bytes);
      writeInParts(response, typeof body === 'string' ? Buffer.from(body) : body);
      return;
    }
    response.end(body);
    // Nothing waits when the operating system has taken everything, as it nearly always does.
    if (response.writableLength > 0) this.#watch(response, bytes);
  }

  /** Counts the bytes until the response is closed, and cuts it when the operating system takes no byte for `stalledAfter`. */
  #watch(response: ServerResponse, bytes: number): void {
    this.#bytes += bytes;
    let before = takenBytes(response);
    const timer = setInterval(() => {
      const now = takenBytes(response);
      if (now === before) {
        this.#onCut();
        response.destroy();
      }
      before = now;
    }, this.#limits.stalledAfter);
    response.once('close', () => {
      clearInterval(timer);
      this.#bytes -= bytes;
    });
  }
}

/**
 * Returns how many bytes of the connection the operating system has taken. `bytesWritten` also counts what waits in the handle, of
 * which only the handle of Node knows how much the system has taken so far.
 */
function takenBytes({ socket }: ServerResponse): number {
  if (socket === null) return 0;
  const { _handle: handle } = socket as unknown as { readonly _handle?: { readonly writeQueueSize?: number } | null };
  return socket.bytesWritten - (handle?.writeQueueSize ?? 0);
}

function writeInParts(response: ServerResponse, bytes: Uint8Array): void {
  let written = 0;
  const write = (): void => {
    while (written < bytes.length) {
      const part = bytes.subarray(written, written + PART_BYTES);
      written += part.length;
      if (!response.write(part)) return;
    }
    response.end();
  };
  response.on('drain', write);
  write();
}
