import type { IncomingMessage } from 'node:http';
import { Refusal } from '../../domain/refusals.ts';
import { type BodyType, bodyTypeOf } from './media-type.ts';

const MIB = 1024 * 1024;

/** Limits for reading the rest of a body that is too large, so that the client can receive the answer before the connection closes. */
const MAX_DRAINED_BYTES = 32 * 1024 * 1024;
const DRAIN_TIMEOUT_MS = 2_000;

/** The client closed the connection before its request was complete. */
export class RequestAborted extends Error {
  override readonly name = 'RequestAborted';
}

export interface ReadBody {
  readonly type: BodyType;
  readonly bytes: Uint8Array;
}

const NO_BODY: ReadBody = { type: { kind: 'json' }, bytes: Buffer.from('{}') };

/**
 * Reads the body of a request. A missing body counts as an empty object, so that validation names the missing fields.
 * @param limit in bytes
 * @throws {Refusal} `unsupported_media_type`, `body_too_large`
 * @throws {RequestAborted}
 */
export async function readBody(request: IncomingMessage, limit: number): Promise<ReadBody> {
  const { headers } = request;
  const length = Number(headers['content-length'] ?? Number.NaN);
  const hasBody = length > 0 || headers['transfer-encoding'] !== undefined;
  if (!hasBody && headers['content-type'] === undefined) return NO_BODY;
  const type = bodyTypeOf(headers);
  if (!hasBody) return NO_BODY;
  if (length > limit) {
    await drain(request);
    throw bodyTooLarge(limit);
  }
  return { type, bytes: await collect(request, limit) };
}

function bodyTooLarge(limit: number): Refusal {
  const size = limit < MIB ? `${limit / 1024} KiB` : `${limit / MIB} MiB`;
  return new Refusal('body_too_large', `The body is larger than ${size}`);
}

async function collect(request: IncomingMessage, limit: number): Promise<Uint8Array> {
  let bytes: Uint8Array = Buffer.alloc(0);
  let size = 0;
  await new Promise<void>((resolve, reject) => {
    const onData = (chunk: Uint8Array): void => {
      if (size + chunk.length > limit) return stop(() => void drain(request).then(() => reject(bodyTooLarge(limit))));
      bytes = appendChunk(bytes, size, chunk);
      size += chunk.length;
    };
    const onEnd = (): void => stop(resolve);
    const onClose = (): void => stop(() => reject(new RequestAborted('the client closed the connection')));
    const stop = (then: () => void): void => {
      request.off('data', onData).off('end', onEnd).off('close', onClose).off('error', onClose);
      then();
    };
    request.on('data', onData).on('end', onEnd).on('close', onClose).on('error', onClose);
  });
  return bytes.subarray(0, size);
}

/**
 * Returns a buffer with the first `size` bytes and the chunk: the same buffer, or one of at least twice its length. Chunks are not collected
 * in a list, because each of them uses 200 bytes of memory even if it holds one byte.
 */
function appendChunk(bytes: Uint8Array, size: number, chunk: Uint8Array): Uint8Array {
  if (size === 0) return chunk;
  const needed = size + chunk.length;
  const larger = needed > bytes.length ? Buffer.allocUnsafe(Math.max(needed, 2 * bytes.length)) : bytes;
  if (larger !== bytes) larger.set(bytes.subarray(0, size));
  larger.set(chunk, size);
  return larger;
}

async function drain(request: IncomingMessage): Promise<void> {
  let drained = 0;
  await new Promise<void>((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      request.off('data', onData).off('end', done).off('close', done).off('error', done);
      resolve();
    };
    const onData = (chunk: Uint8Array): void => {
      drained += chunk.length;
      if (drained > MAX_DRAINED_BYTES) done();
    };
    const timer = setTimeout(done, DRAIN_TIMEOUT_MS);
    request.on('data', onData).on('end', done).on('close', done).on('error', done);
  });
}
