import type { Position } from '#stores/event-log/event-log.ts';
import type { EventReference } from '#stores/event-log/log-identity.ts';

/** Returns an event at a position of a fake log, whose ids derive from the positions. */
export function pointAt(position: Position): EventReference {
  return { position, id: `event-${position}` };
}
