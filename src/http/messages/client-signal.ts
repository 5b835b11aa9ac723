import type { ServerResponse } from 'node:http';
import { RequestAborted } from '../bodies/read-body.ts';

/** Returns a signal that aborts when the client closes the connection before the end of the answer. */
export function signalOf(response: ServerResponse): AbortSignal {
  const controller = new AbortController();
  const abort = (): void => controller.abort(new RequestAborted());
  response.once('close', abort);
  if (response.closed) abort();
  return controller.signal;
}
