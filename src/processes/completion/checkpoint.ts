import { z } from 'zod';
import type { Position } from '#stores/event-log/event-log.ts';
import { formatLogPoint, type EventReference, parseLogPoint } from '#stores/event-log/log-identity.ts';
import { type Fence, readValue, type Records } from '#stores/records/records.ts';

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

/**
 * Returns the saved checkpoint; the start of the log when there is none. With a fence, a previous leader cannot save afterwards.
 * @throws {Error} when the text is not a checkpoint @throws {WriterFenced}
 */
export async function readCheckpoint(records: Records, fence: Fence | undefined): Promise<CompletionCheckpoint> {
  const text = await readValue(records, CHECKPOINT_NAME, fence);
  return text === undefined ? { after: undefined, abandoned: [] } : parseCheckpoint(text);
}

export function parseCheckpoint(text: string): CompletionCheckpoint {
  const { after, givenUp } = stored.parse(JSON.parse(text));
  return { after: parseLogPoint(CHECKPOINT_NAME, after), abandoned: givenUp.map(BigInt) };
}

export function formatCheckpoint({ after, abandoned }: CompletionCheckpoint): string {
  return JSON.stringify({ after: formatLogPoint(after), givenUp: abandoned.map(String) });
}

/** Saves the checkpoint unless its text is the one saved `before`; returns the text. @throws {WriterFenced} */
export async function saveCheckpoint(
  records: Records,
  checkpoint: CompletionCheckpoint,
  before: string | undefined,
  fence: Fence | undefined,
): Promise<string> {
  const text = formatCheckpoint(checkpoint);
  if (text !== before) await records.setValue(CHECKPOINT_NAME, text, fence);
  return text;
}
