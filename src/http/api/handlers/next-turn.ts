import type { ServerResponse } from 'node:http';
import { setImmediate as immediate } from 'node:timers/promises';
import { RequestAborted } from '../bodies/read-body.ts';

/** How long the work of requests may hold the event loop between two of its turns, in milliseconds. */
const SLICE_MS = 5;

/** Turns of the event loop after a long step: one for each slice of time that it took, up to this many. */
const MAX_TURNS_AFTER_STEP = 20;

/** Undefined until work begins in this turn of the event loop. */
let sliceStartedAt: number | undefined;

/** Those that wait, by their callers. */
const waiting = new Map<string, (() => void)[]>();
/** Milliseconds that each caller has had, while any wait. */
const usedMs = new Map<string, number>();
/** What the caller of the last turn had had before it. */
let leastUsedMs = 0;
let isGivingTurns = false;

/**
 * Waits for a turn of the event loop, once the work of all requests together has held it for a slice of time. Long work
 * calls it after each step. Of several one continues per turn, so that many of them do not add up to a stall: one of
 * the caller that has had the least time, so that short requests wait for one step of long ones, not for one of each.
 */
export async function nextTurn(caller: string): Promise<void> {
  const now = performance.now();
  if (sliceStartedAt === undefined) {
    sliceStartedAt = now;
    // Nothing waits for the end of the slice.
    if (!isGivingTurns) setImmediate(endSlice);
    return;
  }
  if (now - sliceStartedAt < SLICE_MS) return;
  const turn = Promise.withResolvers<void>();
  const ofCaller = waiting.get(caller);
  if (ofCaller === undefined) {
    waiting.set(caller, [turn.resolve]);
    usedMs.set(caller, Math.max(usedMs.get(caller) ?? 0, leastUsedMs));
    if (!isGivingTurns) void giveTurns();
  } else ofCaller.push(turn.resolve);
  await turn.promise;
}

function endSlice(): void {
  if (!isGivingTurns) sliceStartedAt = undefined;
}

async function giveTurns(): Promise<void> {
  isGivingTurns = true;
  await immediate();
  while (waiting.size > 0) {
    const caller = callerWithLeast();
    const [resume, ...rest] = waiting.get(caller) ?? [];
    if (rest.length > 0) waiting.set(caller, rest);
    else waiting.delete(caller);
    leastUsedMs = usedMs.get(caller) ?? 0;
    sliceStartedAt = performance.now();
    resume?.();
    await immediate();
    const stepMs = performance.now() - sliceStartedAt;
    usedMs.set(caller, leastUsedMs + stepMs);
    // Node accepts one connection per turn of the event loop, and reads its request in the next one.
    const turns = Math.min(stepMs / SLICE_MS, MAX_TURNS_AFTER_STEP);
    for (let turn = 1; turn < turns; turn++) await immediate();
  }
  usedMs.clear();
  leastUsedMs = 0;
  isGivingTurns = false;
  sliceStartedAt = undefined;
}

function callerWithLeast(): string {
  const of = (caller: string): number => usedMs.get(caller) ?? 0;
  return [...waiting.keys()].reduce((least, caller) => (of(caller) < of(least) ? caller : least));
}

/** Returns `nextTurn` for the work of one request, which ends when the client has closed the connection. */
export function turnsOf(response: Pick<ServerResponse, 'closed'>, caller: string): () => Promise<void> {
  return async () => {
    await nextTurn(caller);
    if (response.closed) throw new RequestAborted();
  };
}
