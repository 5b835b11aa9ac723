import type { IncomingMessage } from 'node:http';
import { Refusal } from '../domain/refusals.ts';

/** How much of a body that is too large is still read, so that the client gets to hear of it before the line is cut. */
const DRAINED_BYTES = 32 * 1024 * 1024;
const DRAINED_MS = 2_000;

/** The client went away before its request was complete; nobody waits for an answer. */
export class RequestAborted extends Error {
  override readonly name = 'RequestAborted';
}

/**
 * Reads the body of a request whose type Surety understands: JSON in UTF-8, not compressed. No body at all is an empty object,
 * so that what is missing is named field by field.
 * @throws {Refusal} `unsupported_media_type`, `body_too_large`
 * @throws {RequestAborted}
 */
export async function readBody(request: IncomingMessage, limit: number): Promise<Uint8Array> {
  const length = Number(request.headers['content-length'] ?? Number.NaN);
  const hasBody = length > 0 || request.headers['transfer-encoding'] !== undefined;
  if (hasBody || request.headers['content-type'] !== undefined) checkType(request);
  if (!hasBody) return Buffer.from('{}');
  if (length > limit) {
    await drain(request);
    throw tooLarge(limit);
  }
  return await collect(request, limit);
}

/** @throws {Refusal} `unsupported_media_type` */
function checkType(request: IncomingMessage): void {
  const encoding = request.headers['content-encoding'];
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity') {
    throw new Refusal('unsupported_media_type', 'The body must not be compressed');
  }
  const [type = '', ...parameters] = (request.headers['content-type'] ?? '').toLowerCase().split(';');
  if (type.trim() !== 'application/json') {
    throw new Refusal('unsupported_media_type', 'The body must be application/json');
  }
  const charset = parameters.map((text) => /^\s*charset="?([^"\s]*)"?\s*$/.exec(text)?.[1]).find((name) => name);
  if (charset !== undefined && charset !== 'utf-8' && charset !== 'utf8') {
    throw new Refusal('unsupported_media_type', 'The body must be in UTF-8');
  }
}

function tooLarge(limit: number): Refusal {
  return new Refusal('body_too_large', `The body is larger than ${limit / (1024 * 1024)} MiB`);
}

async function collect(request: IncomingMessage, limit: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  await new Promise<void>((resolve, reject) => {
    const onData = (chunk: Uint8Array): void => {
      size += chunk.length;
      if (size <= limit) chunks.push(chunk);
      else stop(() => void drain(request).then(() => reject(tooLarge(limit))));
    };
    const onEnd = (): void => stop(resolve);
    const onClose = (): void => stop(() => reject(new RequestAborted('the client went away')));
    const stop = (then: () => void): void => {
      request.off('data', onData).off('end', onEnd).off('close', onClose).off('error', onClose);
      then();
    };
    request.on('data', onData).on('end', onEnd).on('close', onClose).on('error', onClose);
  });
  return chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks, size);
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
