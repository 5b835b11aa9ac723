import { z } from 'zod';
import type { Position } from '../../event-store/event-store.ts';
import type { Fence, Records } from '../../records/records.ts';

/** Of the value in records. */
export const CHECKPOINT_NAME = 'completion-checkpoint';

const position = z.string().regex(/^\d+$/);
const stored = z.strictObject({ after: position.nullable(), givenUp: z.array(position) });

/** From where the completion reads on. */
export interface CompletionCheckpoint {
  /** Nothing up to here is open; undefined before the first event. */
  readonly after: Position | undefined;
  /** Positions of the reservations, before that, whose commands were given up. */
  readonly givenUp: readonly Position[];
}

/**
 * What was stored last; the beginning of the log when nothing was. With a fence nobody who led before stores anything after it.
 * @throws {Error} when it is no checkpoint @throws {Fenced}
 */
export async function readCheckpoint(records: Records, fence: Fence | undefined): Promise<CompletionCheckpoint> {
  const text =
    fence === undefined ? await records.getValue(CHECKPOINT_NAME) : await records.fenceValue(CHECKPOINT_NAME, fence);
  if (text === undefined) return { after: undefined, givenUp: [] };
  const { after, givenUp } = stored.parse(JSON.parse(text));
  return { after: after === null ? undefined : BigInt(after), givenUp: givenUp.map(BigInt) };
}

/** Stores it, unless that text stands there already; returns the text. @throws {Fenced} */
export async function storeCheckpoint(
  records: Records,
  { after, givenUp }: CompletionCheckpoint,
  before: string | undefined,
  fence: Fence | undefined,
): Promise<string> {
  const text = JSON.stringify({ after: after === undefined ? null : String(after), givenUp: givenUp.map(String) });
  if (text !== before) await records.setValue(CHECKPOINT_NAME, text, fence);
  return text;
}
