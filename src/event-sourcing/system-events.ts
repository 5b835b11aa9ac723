import { z } from 'zod';
import { instant } from './time.ts';
import { defineEvent } from './event.ts';
import { sha256 } from './identifiers.ts';

export const idempotencyStream = (commandId: string): string => `idempotency-${commandId}`;

/**
 * A command with an idempotency key was decided and is about to be executed. The record alone promises nothing: the command
 * is done once its id is in `target` (`docs/decisions/0001-idempotency-records-live-in-the-event-store.md`).
 */
export const IdempotencyRecorded = defineEvent('IdempotencyRecorded.v1', {
  /** SHA-256 of the request (`src/event-sourcing/executor/request.ts`). */
  fingerprint: z.string(),
  target: z.string(),
  /** Time of the decision; a later execution of the command uses the same. */
  decidedAt: instant,
});

/** Returns the stream of a sequence of numbers. The number of an entry is 1 + its revision. */
export const sequenceStream = (name: string): string => `sequence-${name}`;
export const NumberTaken = defineEvent('NumberTaken.v1', { commandId: z.string() });

export const parkedStream = (collection: string, key: string): string => `parked-${collection}-${sha256(key)}`;
export const ParkedRetryRequested = defineEvent('ParkedRetryRequested.v1', { collection: z.string(), key: z.string() });

export const REBUILDS_STREAM = 'rebuilds';
export const RebuildRequested = defineEvent('RebuildRequested.v1', {
  rebuildId: z.uuid(),
  collections: z.array(z.string()),
});

/**
 * `completed`: the rebuilt documents are served. `superseded`: all read models were built from the log after the request. `refused`: the
 * log is damaged, or documents that are served would be parked, so those are still served.
 */
export const REBUILD_OUTCOMES = ['completed', 'superseded', 'refused'] as const;
export const RebuildEnded = defineEvent('RebuildEnded.v1', {
  rebuildId: z.uuid(),
  outcome: z.enum(REBUILD_OUTCOMES),
  /** Why the rebuild was refused; null for another outcome. */
  reason: z.string().nullable(),
});
