import type { ServerResponse } from 'node:http';
import { setImmediate as immediate } from 'node:timers/promises';
import { RequestAborted } from '../bodies/read-body.ts';

/** How long the work of requests may hold the event loop between two of its turns, in milliseconds. */
const SLICE_MS = 5;

let sliceStartedAt = 0;
let queue = Promise.resolve();

/**
 * Waits for a turn of the event loop, once the work of all requests together has held it for a slice of time. Long work calls it after each
 * step. Of several callers one continues per turn, so that many of them do not add up to a stall.
 */
export async function nextTurn(): Promise<void> {
  if (performance.now() - sliceStartedAt < SLICE_MS) return;
  queue = queue.then(async () => {
    await immediate();
    sliceStartedAt = performance.now();
  });
  await queue;
}

/** Returns `nextTurn` for the work of one request, which ends when the client has closed the connection. */
export function turnsOf(response: Pick<ServerResponse, 'closed'>): () => Promise<void> {
  return async () => {
    await nextTurn();
    if (response.closed) throw new RequestAborted();
  };
}
