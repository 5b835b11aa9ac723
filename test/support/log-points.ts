import type { Position } from '../../src/event-store/event-store.ts';
import type { EventReference } from '../../src/event-store/log-identity.ts';

/** Returns an event at a position of a fake log, whose ids derive from the positions. */
export function pointAt(position: Position): EventReference {
  return { position, id: `event-${position}` };
}
