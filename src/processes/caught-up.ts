import type { Position } from '../event-store/event-store.ts';
import type { ProcessParts } from './process.ts';

const LOOK_AGAIN_MS = 500;
/** A projector that is being stopped answers at once. */
const BREATH_MS = 50;

/**
 * Waits, however long it takes, until the read models show everything up to the position, or the signal aborts. That the
 * projector stands still is told by its own check.
 */
export async function waitUntilCaughtUp(
  position: Position | undefined,
  { projector, pause }: Pick<ProcessParts, 'projector' | 'pause'>,
  signal: AbortSignal,
): Promise<void> {
  if (position === undefined) return;
  while (!signal.aborted && !(await projector.waitFor(position, LOOK_AGAIN_MS))) await pause(BREATH_MS, signal);
}
