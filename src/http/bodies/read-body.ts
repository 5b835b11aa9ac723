import type { IncomingMessage } from 'node:http';
import { Refusal } from '../../domain/refusals.ts';
import { type BodyType, bodyTypeOf } from './media-type.ts';

const MIB = 1024 * 1024;

/** How much of a body that is too large is still read, so that the client receives the answer before the connection closes. */
const DRAINED_BYTES = 32 * 1024 * 1024;
const DRAINED_MS = 2_000;

/** The client went away before its request was complete; no client waits for an answer. */
export class RequestAborted extends Error {
  override readonly name = 'RequestAborted';
}

/** A body as it came, and how it is written. */
export interface ReadBody {
  readonly type: BodyType;
  readonly bytes: Uint8Array;
}

const NO_BODY: ReadBody = { type: { kind: 'json' }, bytes: Buffer.from('{}') };

/**
 * Reads the body of a request whose type Surety understands. No body at all is an empty object, so that what is missing is
 * named field by field.
 * @param limit of the body as it is sent, in bytes
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
    throw tooLarge(limit);
  }
  return { type, bytes: await collect(request, limit) };
}

function tooLarge(limit: number): Refusal {
  const size = limit < MIB ? `${limit / 1024} KiB` : `${limit / MIB} MiB`;
  return new Refusal('body_too_large', `The body is larger than ${size}`);
}

async function collect(request: IncomingMessage, limit: number): Promise<Uint8Array> {
  let bytes: Uint8Array = Buffer.alloc(0);
  let size = 0;
  await new Promise<void>((resolve, reject) => {
    const onData = (chunk: Uint8Array): void => {
      if (size + chunk.length > limit) return stop(() => void drain(request).then(() => reject(tooLarge(limit))));
      bytes = appendChunk(bytes, size, chunk);
      size += chunk.length;
    };
    const onEnd = (): void => stop(resolve);
    const onClose = (): void => stop(() => reject(new RequestAborted('the client went away')));
    const stop = (then: () => void): void => {
      request.off('data', onData).off('end', onEnd).off('close', onClose).off('error', onClose);
      then();
    };
    request.on('data', onData).on('end', onEnd).on('close', onClose).on('error', onClose);
  });
  return bytes.subarray(0, size);
}

/**
 * Returns a buffer with the first `size` bytes and then the chunk: the same one, or one of at least twice its length. Chunks are not
 * collected, because each of them costs 200 bytes of memory, also where it holds one byte.
 */
function appendChunk(bytes: Uint8Array, size: number, chunk: Uint8Array): Uint8Array {
  // Most bodies are one chunk.
  if (size === 0) return chunk;
  const needed = size + chunk.length;
  const larger = needed > bytes.length ? Buffer.allocUnsafe(Math.max(needed, 2 * bytes.length)) : bytes;
  if (larger !== bytes) larger.set(bytes.subarray(0, size));
  larger.set(chunk, size);
  return larger;
}

/** Reads on and throws away, until the body ends or enough was done for the client. */
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
      if (drained > DRAINED_BYTES) done();
    };
    const timer = setTimeout(done, DRAINED_MS);
    request.on('data', onData).on('end', done).on('close', done).on('error', done);
  });
}
