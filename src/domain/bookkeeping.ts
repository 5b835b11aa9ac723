import { z } from 'zod';
import { moment } from './dates.ts';
import { defineEvent } from './event.ts';
import { sha256 } from './identifiers.ts';

/** Stream of the record of one idempotency key. */
export const idempotencyStream = (commandId: string): string => `idempotency-${commandId}`;

/**
 * A command with an idempotency key was judged "yes" and is about to be carried out. Alone it promises nothing: done is
 * only what shows the command id in `target` (design, Writing).
 */
export const IdempotencyRecorded = defineEvent('IdempotencyRecorded.v1', {
  /** SHA-256 of the parsed body and query. */
  fingerprint: z.string(),
  /** Stream in which the command's own event appears. */
  target: z.string(),
  /** Time the command was judged at; carrying it out later uses the same. */
  decidedAt: moment,
});

/** Stream of a sequence of small numbers: an entry's number is 1 + its revision. */
export const sequenceStream = (name: string): string => `sequence-${name}`;
/** A number was taken, by the command in the metadata. */
export const NumberTaken = defineEvent('NumberTaken.v1', { commandId: z.string() });

/** Stream of the requests to fold a parked document again. */
export const parkedStream = (collection: string, key: string): string => `parked-${collection}-${sha256(key)}`;
/** An operator asks that a parked document be folded again from its streams. */
export const ParkedRetryRequested = defineEvent('ParkedRetryRequested.v1', { collection: z.string(), key: z.string() });
