import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { BodyStream } from '../../../queries/query.ts';

const KIB = 1024;
const MIB = 1024 * KIB;

export interface ResponseLimits {
  /** A response that makes no progress for this time in milliseconds is cut. */
  readonly stalledAfter: number;
  /** Maximum number of waiting bytes in the process; above it only small answers are sent. */
  readonly waitingBytes: number;
}

const LIMITS: ResponseLimits = { stalledAfter: 30_000, waitingBytes: 256 * MIB };

const SMALL_BYTES = 64 * KIB;
/** Larger answers are written in parts, so that Node buffers one part at a time. */
const PART_BYTES = 64 * KIB;

/** Sends response bodies, and counts the bytes that wait for clients. */
export class WaitingResponses {
  readonly #limits: ResponseLimits;
  readonly #onCut: () => void;
  #bytes = 0;

  constructor(limits: Partial<ResponseLimits> | undefined, onCut: () => void) {
    this.#limits = { ...LIMITS, ...limits };
    this.#onCut = onCut;
  }

  get bytes(): number {
    return this.#bytes;
  }

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
    // Usually the operating system accepts the whole response at once.
    if (response.writableLength > 0) this.#watch(response, bytes);
  }

  /**
   * Sends a body while it is produced, no faster than the client reads it. Cuts the response when the body fails, so that the
   * client does not take it for complete. A client that closes the connection is no error.
   */
  async stream(response: ServerResponse, { heldBytes, chunks }: BodyStream): Promise<void> {
    this.#watch(response, heldBytes);
    try {
      await pipeline(Readable.from(chunks(), { highWaterMark: 1 }), response);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ERR_STREAM_PREMATURE_CLOSE') throw error;
    }
  }

  /** Counts the bytes until the response is closed, and cuts it when the operating system accepts no byte for `stalledAfter`. */
  #watch(response: ServerResponse, bytes: number): void {
    this.#bytes += bytes;
    let before = acceptedBytes(response);
    const timer = setInterval(() => {
      const now = acceptedBytes(response);
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
 * Returns the number of bytes that the operating system has accepted on the connection: `bytesWritten` without the queue of Node's
 * internal handle.
 */
function acceptedBytes({ socket }: ServerResponse): number {
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
