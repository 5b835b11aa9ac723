import { z } from 'zod';
import type { Position } from '#stores/event-log/event-log.ts';
import { formatLogPoint, type EventReference, parseLogPoint } from '#stores/event-log/log-identity.ts';

export const CHECKPOINT_NAME = 'completion-checkpoint';

const position = z.string().regex(/^\d+$/);
/** Stored as text, so its members keep their names. */
const stored = z.strictObject({ after: z.string(), givenUp: z.array(position) });

interface CompletionCheckpoint {
  /** No command up to this event is open, except those in `abandoned`. Undefined before the first event. */
  readonly after: EventReference | undefined;
  /** Positions of the reservations before `after` whose commands were abandoned. */
  readonly abandoned: readonly Position[];
}

/** The start of the log. */
export const INITIAL_CHECKPOINT = formatCheckpoint({ after: undefined, abandoned: [] });

/** @throws {Error} when the text is not a checkpoint */
export function parseCheckpoint(text: string): CompletionCheckpoint {
  const { after, givenUp } = stored.parse(JSON.parse(text));
  return { after: parseLogPoint(CHECKPOINT_NAME, after), abandoned: givenUp.map(BigInt) };
}

export function formatCheckpoint({ after, abandoned }: CompletionCheckpoint): string {
  return JSON.stringify({ after: formatLogPoint(after), givenUp: abandoned.map(String) });
}
