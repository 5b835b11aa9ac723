import type { ServerResponse } from 'node:http';
import { setImmediate as immediate } from 'node:timers/promises';
import { RequestAborted } from '../bodies/read-body.ts';

/** How long the work of requests may hold the event loop between two of its turns, in milliseconds. */
const SLICE_MS = 5;

let sliceStartedAt = 0;

/** Those that wait, in the order of their callers' turns. */
const waiting = new Map<string, (() => void)[]>();

/**
 * Waits for a turn of the event loop, once the work of all requests together has held it for a slice of time. Long work
 * calls it after each step. Of several one continues per turn, so that many of them do not add up to a stall. Callers
 * take turns, so that many of one do not hold up the others.
 */
export async function nextTurn(caller: string): Promise<void> {
  if (performance.now() - sliceStartedAt < SLICE_MS) return;
  const turn = Promise.withResolvers<void>();
  const ofCaller = waiting.get(caller);
  if (ofCaller === undefined) {
    waiting.set(caller, [turn.resolve]);
    if (waiting.size === 1) void giveTurns();
  } else ofCaller.push(turn.resolve);
  await turn.promise;
}

async function giveTurns(): Promise<void> {
  do {
    await immediate();
    const [first] = waiting;
    if (first === undefined) return;
    const [caller, [resume, ...rest]] = first;
    waiting.delete(caller);
    // After the other callers.
    if (rest.length > 0) waiting.set(caller, rest);
    sliceStartedAt = performance.now();
    resume?.();
  } while (waiting.size > 0);
}

/** Returns `nextTurn` for the work of one request, which ends when the client has closed the connection. */
export function turnsOf(response: Pick<ServerResponse, 'closed'>, caller: string): () => Promise<void> {
  return async () => {
    await nextTurn(caller);
    if (response.closed) throw new RequestAborted();
  };
}
