import http, { type IncomingMessage } from 'node:http';
import https from 'node:https';
import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';

/** Longer bodies, and those of unknown length, are streams. */
const MAX_BUFFERED_BYTES = 1 << 20;

/** A host that does not exist may not refuse a connection. */
const CONNECT_TIMEOUT_MS = 5_000;

/** Statuses of responses that have no body. */
const WITHOUT_BODY: readonly (number | undefined)[] = [204, 205, 304];

/**
 * Sends a request of the client by `node:http`, which takes less processor time than the global `fetch`. Connections
 * stay open for later requests, and redirects are returned.
 * @throws the reason of the signal, or the error of the connection
 */
export async function nodeFetch(
  url: string,
  { method = 'GET', headers, body, signal }: RequestInit,
): Promise<Response> {
  const { request } = url.startsWith('https:') ? https : http;
  const sent = request(url, { method, headers: Object.fromEntries(new Headers(headers)) });
  sent.on('socket', (socket) => {
    if (!socket.connecting) return;
    const fail = (): void => void sent.destroy(new Error(`no connection in ${CONNECT_TIMEOUT_MS} ms`));
    const timer = setTimeout(fail, CONNECT_TIMEOUT_MS);
    for (const event of ['connect', 'close']) socket.once(event, () => clearTimeout(timer));
  });
  let message: IncomingMessage | undefined;
  signal?.addEventListener('abort', () => (message ?? sent).destroy(signal.reason as Error));
  try {
    message = await new Promise<IncomingMessage>((resolve, reject) => {
      sent.on('response', resolve).on('error', reject);
      sent.end(body instanceof ArrayBuffer ? new Uint8Array(body) : body);
    });
    const { statusCode: status = 0 } = message;
    const content = WITHOUT_BODY.includes(status) ? null : await bodyOf(message);
    return new Response(content, { status, headers: message.headers as Record<string, string> });
  } catch (error) {
    signal?.throwIfAborted();
    throw error;
  }
}

async function bodyOf(message: IncomingMessage): Promise<Uint8Array<ArrayBuffer> | ReadableStream> {
  if (!(Number(message.headers['content-length']) <= MAX_BUFFERED_BYTES)) return Readable.toWeb(message);
  const chunks: Buffer<ArrayBuffer>[] = [];
  await new Promise((resolve, reject) => {
    message.on('data', (chunk: Buffer<ArrayBuffer>) => chunks.push(chunk));
    message.on('end', resolve).on('error', reject);
  });
  return Buffer.concat(chunks);
}
