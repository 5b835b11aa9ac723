import type { Request } from 'express';
import { RequestAborted } from '../bodies/read-body.ts';

/** Returns a signal that aborts when the client closes the connection before the end of the answer. */
export function signalOf(request: Pick<Request, 'res' | 'socket'>): AbortSignal {
  const controller = new AbortController();
  const abort = (): void => controller.abort(new RequestAborted());
  request.res?.once('close', abort);
  if (request.socket.destroyed) abort();
  return controller.signal;
}
