import type { Position } from '../../event-store/event-store.ts';
import type { ProcessParts } from '../runtime/process.ts';

const POLL_MS = 500;
/** A projector that is stopping answers without waiting; the pause prevents a busy loop. */
const PAUSE_MS = 50;

/**
 * Waits until the read models reflect the position or the signal aborts; has no time limit, because the projector's own health
 * check reports a stall.
 */
export async function waitUntilCaughtUp(
  position: Position | undefined,
  { projector, pause }: Pick<ProcessParts, 'projector' | 'pause'>,
  signal: AbortSignal,
): Promise<void> {
  if (position === undefined) return;
  while (!signal.aborted && !(await projector.waitFor(position, POLL_MS))) await pause(PAUSE_MS, signal);
}
