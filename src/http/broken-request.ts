import { randomUUID } from 'node:crypto';
import type { Duplex } from 'node:stream';
import { Refusal, type RefusalCode } from '../domain/refusals.ts';
import { problemAnswer } from './messages/problem.ts';

const PROBLEMS: Readonly<Record<string, readonly [RefusalCode, string]>> = {
  HPE_HEADER_OVERFLOW: ['headers_too_large', 'The headers are larger than 16 KiB'],
  ERR_HTTP_REQUEST_TIMEOUT: ['request_timeout', 'The request did not arrive in time'],
};

/** Answers a request that Node could not parse or that timed out, and closes the connection. */
export function answerBrokenRequest(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const [code, detail] = PROBLEMS[error.code ?? ''] ?? (['malformed_request', 'The request is not HTTP/1.1'] as const);
  const requestId = randomUUID();
  const answer = problemAnswer(new Refusal(code, detail), { requestId, accept: undefined });
  const body = answer.body ?? '';
  const headers = {
    ...answer.headers,
    'X-Request-Id': requestId,
    'X-Content-Type-Options': 'nosniff',
    'Content-Length': Buffer.byteLength(body),
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${answer.status} Refused\r\n${lines.join('')}Connection: close\r\n\r\n${body}`);
}
