import type { IncomingMessage } from 'node:http';
import { Refusal } from '../messages/problem-types.ts';
import { type HoldBytes, tooManyBytes } from './body-memory.ts';
import { type BodyType, bodyTypeOf } from './media-type.ts';

const MIB = 1024 * 1024;

/** The client closed the connection before its request was complete. */
export class RequestAborted extends Error {
  override readonly name = 'RequestAborted';
  constructor() {
    super('the client closed the connection');
  }
}

export interface ReadBody {
  readonly type: BodyType;
  readonly bytes: Uint8Array;
}

export interface ReadLimits {
  /** In bytes. */
  readonly limit: number;
  readonly hold: HoldBytes;
}

const NO_BODY: ReadBody = { type: { kind: 'json' }, bytes: Buffer.from('{}') };

/**
 * Reads the body of a request. A missing body counts as an empty object, so that validation names the missing fields.
 * @throws {Refusal} `unsupported_media_type`, `body_too_large`, `busy` @throws {RequestAborted}
 */
export async function readBody(request: IncomingMessage, limits: ReadLimits): Promise<ReadBody> {
  const { headers } = request;
  const length = Number(headers['content-length'] ?? Number.NaN);
  const hasBody = length > 0 || headers['transfer-encoding'] !== undefined;
  if (!hasBody && headers['content-type'] === undefined) return NO_BODY;
  const type = bodyTypeOf(headers);
  if (!hasBody) return NO_BODY;
  if (length > limits.limit) throw bodyTooLarge(limits.limit);
  return { type, bytes: await collect(request, limits) };
}

function bodyTooLarge(limit: number): Refusal {
  const size = limit < MIB ? `${limit / 1024} KiB` : `${limit / MIB} MiB`;
  return new Refusal('body_too_large', `The body is larger than ${size}`);
}

async function collect(request: IncomingMessage, { limit, hold }: ReadLimits): Promise<Uint8Array> {
  const bytes = new ByteCollector();
  await new Promise<void>((resolve, reject) => {
    const onData = (chunk: Uint8Array): void => {
      if (bytes.size + chunk.length > limit) refuse(bodyTooLarge(limit));
      else if (hold(chunk.length)) bytes.add(chunk);
      else refuse(tooManyBytes());
    };
    const refuse = (refusal: Refusal): void => {
      stop(() => reject(refusal));
      // Discards the rest as it arrives, so that the client can read the response on a connection that stays open.
      request.resume();
    };
    const onEnd = (): void => stop(resolve);
    const onClose = (): void => stop(() => reject(new RequestAborted()));
    const stop = (then: () => void): void => {
      request.off('data', onData).off('end', onEnd).off('close', onClose).off('error', onClose);
      then();
    };
    request.on('data', onData).on('end', onEnd).on('close', onClose).on('error', onClose);
  });
  return bytes.concat();
}

const BLOCK_BYTES = 64 * 1024;

/**
 * Collects chunks. Copies small ones into blocks, because each chunk uses 200 bytes of memory even if it holds one
 * byte.
 */
class ByteCollector {
  readonly #blocks: Uint8Array[] = [];
  #room = 0;
  size = 0;

  add(chunk: Uint8Array): void {
    this.size += chunk.length;
    // Most bodies are one chunk.
    const isBlock = this.#blocks.length === 0 || chunk.length > BLOCK_BYTES / 2;
    if (isBlock || chunk.length > this.#room) {
      this.#trim();
      this.#blocks.push(isBlock ? chunk : Buffer.allocUnsafe(BLOCK_BYTES));
      this.#room = isBlock ? 0 : BLOCK_BYTES;
    }
    if (isBlock) return;
    const block = this.#blocks.at(-1);
    block?.set(chunk, block.length - this.#room);
    this.#room -= chunk.length;
  }

  /** Returns the bytes, without a copy if they are one chunk. */
  concat(): Uint8Array {
    this.#trim();
    const [first = Buffer.alloc(0), ...rest] = this.#blocks;
    return rest.length === 0 ? first : Buffer.concat(this.#blocks, this.size);
  }

  #trim(): void {
    const last = this.#blocks.pop();
    if (last !== undefined) this.#blocks.push(this.#room === 0 ? last : last.subarray(0, last.length - this.#room));
  }
}
